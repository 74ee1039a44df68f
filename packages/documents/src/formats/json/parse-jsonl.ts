import { JsonWriter } from '#formats/json/write-json';
import { parseText } from '#formats/plain/parse-text';
import type { FormatParser } from '#parsed-document';
import { decodeText } from '#text/decode-text';
import { DocumentWriter } from '#text/document-writer';

/** Returns the value of a line; a line that is not JSON is a string. */
const readLine = (line: string): { value: unknown; bad: boolean } => {
  try {
    return { value: JSON.parse(line), bad: false };
  } catch {
    return { value: line, bad: true };
  }
};

/** Parses JSON Lines. A file in which most lines are not JSON is read as text. */
export const parseJsonl: FormatParser = async (source) => {
  const { text, charset } = decodeText(source.bytes);
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map(readLine);
  if (lines.filter((line) => line.bad).length > lines.length / 2) return parseText(source);
  const writer = new DocumentWriter(source.limits.maxTextChars);
  new JsonWriter(writer).list(lines.map((line) => line.value));
  return { ...writer.finish(), metadata: { charset } };
};
