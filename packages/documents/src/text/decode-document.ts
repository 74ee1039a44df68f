import type { ParseSource } from '#parsed-document';
import { type DecodedText, decodeText } from '#text/decode-text';
import { tooMuchText } from '#text/document-writer';

/** The maximum number of bytes per UTF-16 unit in any charset. */
const maxBytesPerChar = 3;

/**
 * Decodes a text file. A file that must be longer than the limit is rejected before decoding, which
 * would take several times its size in memory.
 *
 * @throws ParseError `too_large`
 */
export const decodeDocument = ({ bytes, limits }: Pick<ParseSource, 'bytes' | 'limits'>): DecodedText => {
  if (bytes.length > limits.maxTextChars * maxBytesPerChar) throw tooMuchText(limits.maxTextChars);
  return decodeText(bytes);
};
