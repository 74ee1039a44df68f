import type { FileType } from '#detect/file-formats';
import { fileTypes } from '#detect/file-formats';
import { ParseError } from '#parse-error';

const supportedFormats =
  'PDF, Word (.docx, .doc), PowerPoint (.pptx, .ppt), Excel (.xlsx, .xls), OpenDocument, RTF, EPUB, email (.eml, .msg), calendars and contacts (.ics, .vcf), HTML, Markdown, AsciiDoc, reStructuredText, LaTeX, CSV, JSON, Jupyter notebooks, text, archives of such files (.zip, .tar, .tar.gz), and images (PNG, JPEG, TIFF and WebP) if text recognition is on';

const nameOf = async (type: FileType, bytes: Uint8Array): Promise<string> => {
  if (type !== fileTypes.binary) return type.name;
  const { fileTypeFromBuffer } = await import('file-type');
  const known = await fileTypeFromBuffer(bytes.subarray(0, 64 * 1024)).catch(() => undefined);
  return known ? `a .${known.ext} file (${known.mime})` : type.name;
};

/** Returns the error for a file in an unsupported format. */
export const unsupported = async (type: FileType, bytes: Uint8Array): Promise<ParseError> => {
  return new ParseError(
    'unsupported_format',
    `This is ${await nameOf(type, bytes)}, which is not supported. Supported formats: ${supportedFormats}.`,
  );
};

/** Translates what a parser threw. An error of a library means that the file is damaged. */
export const asParseError = (error: unknown, type: FileType): ParseError => {
  if (error instanceof ParseError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (/array buffer allocation failed|invalid string length/i.test(message)) {
    return new ParseError('out_of_memory', 'Reading this file needs more memory than allowed. Split it into parts.', {
      cause: error,
    });
  }
  const reason = /maximum call stack/i.test(message)
    ? 'its parts are nested too deeply'
    : 'it is damaged, or only part of it was uploaded';
  return new ParseError(
    'corrupt_file',
    `This file looks like ${type.name}, but ${reason}. Save it again and upload the new copy.`,
    {
      cause: error,
    },
  );
};
