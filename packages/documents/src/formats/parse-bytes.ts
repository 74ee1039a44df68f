import { detectFileType } from '#detect/detect-file-type';
import { type FileType, fileTypes } from '#detect/file-formats';
import { asParseError, unsupported } from '#formats/parse-failure';
import { parsers } from '#formats/parsers';
import { tidyMetadata, tidyTitle } from '#formats/tidy-metadata';
import { ParseError } from '#parse-error';
import type { ParsedDocument, ParseLimits, ParseSource } from '#parsed-document';

/** A file to parse in this process. */
export interface BytesToParse {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  /** The type that the file's source declares; a hint. */
  readonly mimeType?: string | undefined;
  readonly limits: ParseLimits;
  /** The number of files that contain this one. 0 by default. */
  readonly depth?: number;
}

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
 * Detects the type of one file and parses it in this process. Every failure becomes a ParseError.
 * Untrusted files go through a parser pool, which calls this in a child process.
 */
export const parseBytes = async (file: BytesToParse): Promise<ParsedDocument> => {
  const { bytes, fileName, limits, depth = 0 } = file;
  const type = detectFileType(bytes, fileName, file.mimeType);
  assertReadable(type, bytes);
  const load = type.format && parsers[type.format];
  if (!load) throw await unsupported(type, bytes);
  const parse = await load();
  const source: ParseSource = {
    bytes,
    fileName,
    mimeType: type.mimeType,
    limits,
    depth,
    parseNested: (nested) => parseBytes({ ...nested, limits, depth: depth + 1 }),
  };
  const content = await parse(source).catch((error: unknown) => {
    throw asParseError(error, type);
  });
  const { text, pageOffsets } = content;
  if (text.trim() === '') throw new ParseError('no_text', `This file (${type.name}) contains no text.`);
  return {
    text,
    ...tidyTitle(content.title),
    ...(pageOffsets === undefined ? {} : { pageOffsets: [...pageOffsets] }),
    metadata: { ...tidyMetadata(content.metadata ?? {}), mimeType: type.mimeType },
  };
};
