import { fileTypes } from '#detect/file-formats';
import { findDelimiter } from '#formats/delimited/find-delimiter';
import { type Dialect, readRows } from '#formats/delimited/read-rows';
import { ParseError } from '#parse-error';
import type { FormatParser } from '#parsed-document';
import { decodeDocument } from '#text/decode-document';
import { DocumentWriter, type WrittenText } from '#text/document-writer';
import { hasHeader } from '#text/has-header';

/** Rows are written this many at a time; the first lot decides whether there is a header. */
const lotRows = 500;

async function* inLots(rows: AsyncIterable<string[]>): AsyncGenerator<string[][]> {
  let lot: string[][] = [];
  for await (const row of rows) {
    lot.push(row);
    if (lot.length < lotRows) continue;
    yield lot;
    lot = [];
  }
  if (lot.length > 0) yield lot;
}

const trimEnd = (row: readonly string[]): string[] => row.slice(0, row.findLastIndex((cell) => cell.trim() !== '') + 1);

/** Whether most rows have about as many cells as the one in the middle: a table, not lines with a few separators. */
const isRegular = (rows: readonly (readonly string[])[]): boolean => {
  const widths = rows.map((row) => row.length).sort((a, b) => a - b);
  const usual = widths[Math.floor(widths.length / 2)] ?? 0;
  return (
    usual > 1 && widths.filter((width) => width >= usual * 0.5 && width <= usual * 1.5).length >= widths.length * 0.7
  );
};

/** Rows of all lengths: the first cell is what the others are about. */
const lineOf = ([first = '', ...rest]: readonly string[]): string => {
  const values = rest.filter((cell) => cell.trim() !== '').join('; ');
  return values === '' ? first : `${first}: ${values}`;
};

const writeRows = async (text: string, dialect: Dialect, maxChars: number): Promise<WrittenText> => {
  const writer = new DocumentWriter(maxChars);
  let header: string[] | undefined;
  let isFirst = true;
  for await (const lot of inLots(readRows(text, dialect))) {
    if (isFirst && hasHeader(lot)) header = lot.shift();
    isFirst = false;
    const trimmed = lot.map(trimEnd);
    if (isRegular(trimmed)) writer.table(header ? [header, ...lot] : lot, { hasHeader: header !== undefined });
    else writer.paragraph((header ? [header, ...trimmed] : trimmed).map(lineOf).join('\n'));
  }
  return writer.finish();
};

/** Comma-, semicolon-, tab- or bar-separated values as a table. A quote that is never closed would make one cell of the rest of the file: then quotes are taken as they stand. */
export const parseDelimited: FormatParser = async ({ bytes, limits, mimeType }) => {
  const { text, charset } = decodeDocument({ bytes, limits });
  const delimiter = mimeType === fileTypes.tsv.mimeType ? '\t' : findDelimiter(text);
  if (delimiter === undefined) {
    const writer = new DocumentWriter(limits.maxTextChars);
    writer.normalised(text);
    return { ...writer.finish(), metadata: { charset } };
  }
  const written = await writeRows(text, { delimiter, quoted: true }, limits.maxTextChars).catch((error: unknown) => {
    if (error instanceof ParseError) throw error;
    return writeRows(text, { delimiter, quoted: false }, limits.maxTextChars);
  });
  return { ...written, metadata: { charset } };
};
