import type { FormatParser } from '#parsed-document';
import { decodeText } from '#text/decode-text';
import { DocumentWriter } from '#text/document-writer';

/** Plain text, as it stands: its line breaks and blank lines are its structure. */
export const parseText: FormatParser = async ({ bytes, limits }) => {
  const { text, charset } = decodeText(bytes);
  const writer = new DocumentWriter(limits.maxTextChars);
  writer.normalised(text);
  return { ...writer.finish(), metadata: { charset } };
};
