import type { ParseSource } from '#parsed-document';
import { type DecodedText, decodeText } from '#text/decode-text';
import { tooMuchText } from '#text/document-writer';

/** Most bytes that one UTF-16 unit takes in any charset. */
const mostBytesPerChar = 3;

/**
 * Reads a file that is text through and through. One that cannot but be longer than the limit is refused before it is
 * decoded, which would take several times its size in memory.
 *
 * @throws ParseError `too_large`
 */
export const decodeDocument = ({ bytes, limits }: Pick<ParseSource, 'bytes' | 'limits'>): DecodedText => {
  if (bytes.length > limits.maxTextChars * mostBytesPerChar) throw tooMuchText(limits.maxTextChars);
  return decodeText(bytes);
};
