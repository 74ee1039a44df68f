import { JsonWriter, jsonTitle } from '#formats/json/write-json';
import { parseText } from '#formats/plain/parse-text';
import type { FormatParser } from '#parsed-document';
import { decodeText } from '#text/decode-text';
import { DocumentWriter } from '#text/document-writer';

const readJson = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text.replace(/^\ufeff/, '')) };
  } catch {
    return undefined;
  }
};

/** Parses JSON into tables and lists; malformed JSON is read as text. */
export const parseJson: FormatParser = async (source) => {
  const { text, charset } = decodeText(source.bytes);
  const read = readJson(text);
  if (!read) return parseText(source);
  const writer = new DocumentWriter(source.limits.maxTextChars);
  new JsonWriter(writer).document(read.value);
  return { ...writer.finish(), title: jsonTitle(read.value), metadata: { charset } };
};
