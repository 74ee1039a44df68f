import { typeOfName } from '#detect/extensions';
import type { FormatParser } from '#parsed-document';
import { decodeDocument } from '#text/decode-document';
import { DocumentWriter } from '#text/document-writer';

/** Writes source code as one fenced block, so that comments are not mistaken for headings. */
export const parseCode: FormatParser = async ({ bytes, fileName, limits }) => {
  const { text, charset } = decodeDocument({ bytes, limits });
  const writer = new DocumentWriter(limits.maxTextChars);
  writer.code(text, typeOfName(fileName)?.language);
  return { ...writer.finish(), metadata: { charset } };
};
