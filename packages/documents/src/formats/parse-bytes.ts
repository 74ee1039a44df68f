import { detectFileType } from '#detect/detect-file-type';
import { type FileType, fileTypes } from '#detect/file-formats';
import { asParseError, unsupported } from '#formats/parse-failure';
import { parsers } from '#formats/parsers';
import { recognitionOf } from '#formats/recognition';
import { tidyMetadata, tidyTitle } from '#formats/tidy-metadata';
import { OcrNeeded, ParseError } from '#parse-error';
import type { OcrState, ParsedDocument, ParseLimits, ParseSource } from '#parsed-document';

/** A file to parse in this process. */
export interface BytesToParse {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  /** The type that the file's source declares; a hint. */
  readonly mimeType?: string | undefined;
  readonly limits: ParseLimits;
  /** Undefined if text recognition is off. */
  readonly ocr?: OcrState | undefined;
  /** The number of files that contain this one. 0 by default. */
  readonly depth?: number;
}

/** Returns the parameters of a MIME type; a quoted value cannot contain a semicolon. */
const parametersOf = (mimeType = ''): Readonly<Record<string, string>> =>
  Object.fromEntries(
    mimeType
      .slice(0, 1_000)
      .split(';')
      .slice(1)
      .map((part) => part.split('=', 2))
      .map(([name = '', value = '']) => [name.trim().toLowerCase(), value.trim().replace(/^"|"$/g, '')]),
  );

const assertReadable = (type: FileType, bytes: Uint8Array): void => {
  if (bytes.length === 0) throw new ParseError('no_text', 'This file is empty.');
  if (type.mimeType === fileTypes.encryptedOffice.mimeType) {
    throw new ParseError(
      'encrypted',
      'This Office document is protected by a password. Remove the password and upload the file again.',
    );
  }
};

/**
 * Detects the type of one file and parses it in this process. Every failure becomes a ParseError; a
 * file with pages to recognize first throws OcrNeeded.
 * Untrusted files go through a parser pool, which calls this in a child process.
 */
export const parseBytes = async (file: BytesToParse): Promise<ParsedDocument> => {
  const { bytes, fileName, limits, ocr, depth = 0 } = file;
  const type = detectFileType(bytes, fileName, file.mimeType);
  assertReadable(type, bytes);
  // Without text recognition, images are like any other unsupported file.
  const load = type.format && (type.format !== 'image' || ocr !== undefined) && parsers[type.format];
  if (!load) throw await unsupported(type, bytes);
  const parse = await load();
  const source: ParseSource = {
    bytes,
    fileName,
    mimeType: type.mimeType,
    parameters: parametersOf(file.mimeType),
    limits,
    ocr,
    depth,
    parseNested: (nested) => parseBytes({ ...nested, limits, depth: depth + 1 }),
  };
  const content = await parse(source).catch((error: unknown) => {
    throw error instanceof OcrNeeded ? error : asParseError(error, type);
  });
  const { text, pageOffsets, pageWords = [], recognized = [] } = content;
  const unreadPages = ocr?.unreadPages ?? [];
  if (text.trim() === '') throw new ParseError('no_text', `This file (${type.name}) contains no text.`);
  return {
    text,
    ...tidyTitle(content.title),
    ...(pageOffsets === undefined ? {} : { pageOffsets: [...pageOffsets] }),
    ...(pageWords.length === 0 ? {} : { pageWords }),
    ...(recognized.length > 0 || unreadPages.length > 0 ? { recognition: recognitionOf(recognized, unreadPages) } : {}),
    metadata: { ...tidyMetadata(content.metadata ?? {}), mimeType: type.mimeType },
  };
};
