import type { FileType } from '#detect/file-formats';
import { fileTypes } from '#detect/file-formats';
import { ParseError } from '#parse-error';

const readFormats =
  'PDF, Word (.docx), PowerPoint (.pptx), Excel (.xlsx), OpenDocument, RTF, EPUB, e-mail (.eml), HTML, Markdown, CSV, JSON and text';

/** The newer format to save an old one in. */
const successors: Readonly<Record<string, string>> = {
  [fileTypes.doc.mimeType]: '.docx',
  [fileTypes.xls.mimeType]: '.xlsx',
  [fileTypes.ppt.mimeType]: '.pptx',
  [fileTypes.msg.mimeType]: '.eml',
};

const nameOf = async (type: FileType, bytes: Uint8Array): Promise<string> => {
  if (type !== fileTypes.binary) return type.name;
  const { fileTypeFromBuffer } = await import('file-type');
  const known = await fileTypeFromBuffer(bytes.subarray(0, 64 * 1024)).catch(() => undefined);
  return known ? `a .${known.ext} file (${known.mime})` : type.name;
};

/** The error for a file that is not read, with what to do about it. */
export const unsupported = async (type: FileType, bytes: Uint8Array): Promise<ParseError> => {
  const successor = successors[type.mimeType];
  const advice = successor ? `Save it as ${successor} and upload that.` : `Lectern reads ${readFormats}.`;
  return new ParseError('unsupported_format', `This is ${await nameOf(type, bytes)}, which cannot be read. ${advice}`);
};

/** What a parser threw, as the error of its file: libraries' own errors mean that the file is not what it should be. */
export const asParseError = (error: unknown, type: FileType): ParseError => {
  if (error instanceof ParseError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (/array buffer allocation failed|invalid string length/i.test(message)) {
    return new ParseError(
      'out_of_memory',
      'Reading this file needs more memory than it may use. Split it into parts.',
      { cause: error },
    );
  }
  const reason = /maximum call stack/i.test(message)
    ? 'its parts are nested too deeply'
    : 'it is damaged, or only part of it was uploaded';
  return new ParseError(
    'corrupt_file',
    `This file looks like ${type.name}, but ${reason}. Save it anew and upload it again.`,
    {
      cause: error,
    },
  );
};
