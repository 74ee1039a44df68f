import type { FormatParser } from '#parsed-document';
import { decodeDocument } from '#text/decode-document';
import { DocumentWriter } from '#text/document-writer';

/** Returns plain text with its line breaks and blank lines. */
export const parseText: FormatParser = async ({ bytes, limits }) => {
  const { text, charset } = decodeDocument({ bytes, limits });
  const writer = new DocumentWriter(limits.maxTextChars);
  writer.normalized(text);
  return { ...writer.finish(), metadata: { charset } };
};
