import { fileTypes } from '#detect/file-formats';
import { findDelimiter } from '#formats/delimited/find-delimiter';
import { type Dialect, readRows } from '#formats/delimited/read-rows';
import { ParseError } from '#parse-error';
import type { FormatParser } from '#parsed-document';
import { decodeDocument } from '#text/decode-document';
import { DocumentWriter, type WrittenText } from '#text/document-writer';
import { hasHeader } from '#text/has-header';

/** Rows are written in batches; the first batch decides whether there is a header. */
const batchRows = 500;

async function* inBatches(rows: AsyncIterable<string[]>): AsyncGenerator<string[][]> {
  let batch: string[][] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < batchRows) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const trimEnd = (row: readonly string[]): string[] => row.slice(0, row.findLastIndex((cell) => cell.trim() !== '') + 1);

/**
 * Returns true if most rows have about as many cells as the median: a table, not lines with a few
 * separators.
 */
const isRegular = (rows: readonly (readonly string[])[]): boolean => {
  const widths = rows.map((row) => row.length).sort((a, b) => a - b);
  const usual = widths[Math.floor(widths.length / 2)] ?? 0;
  return (
    usual > 1 && widths.filter((width) => width >= usual * 0.5 && width <= usual * 1.5).length >= widths.length * 0.7
  );
};

/** For rows of different lengths: the first cell labels the others. */
const lineOf = ([first = '', ...rest]: readonly string[]): string => {
  const values = rest.filter((cell) => cell.trim() !== '').join('; ');
  return values === '' ? first : `${first}: ${values}`;
};

const writeRows = async (text: string, dialect: Dialect, maxChars: number): Promise<WrittenText> => {
  const writer = new DocumentWriter(maxChars);
  let header: string[] | undefined;
  let isFirst = true;
  for await (const batch of inBatches(readRows(text, dialect))) {
    if (isFirst && hasHeader(batch)) header = batch.shift();
    isFirst = false;
    const trimmed = batch.map(trimEnd);
    if (isRegular(trimmed)) writer.table(header ? [header, ...batch] : batch, { hasHeader: header !== undefined });
    else writer.paragraph((header ? [header, ...trimmed] : trimmed).map(lineOf).join('\n'));
  }
  return writer.finish();
};

/**
 * Parses values separated by commas, semicolons, tabs or bars. If a quote is never closed, which
 * would turn the rest of the file into one cell, quotes are read as ordinary characters.
 */
export const parseDelimited: FormatParser = async ({ bytes, limits, mimeType }) => {
  const { text, charset } = decodeDocument({ bytes, limits });
  const delimiter = mimeType === fileTypes.tsv.mimeType ? '\t' : findDelimiter(text);
  if (delimiter === undefined) {
    const writer = new DocumentWriter(limits.maxTextChars);
    writer.normalized(text);
    return { ...writer.finish(), metadata: { charset } };
  }
  const written = await writeRows(text, { delimiter, quoted: true }, limits.maxTextChars).catch((error: unknown) => {
    if (error instanceof ParseError) throw error;
    return writeRows(text, { delimiter, quoted: false }, limits.maxTextChars);
  });
  return { ...written, metadata: { charset } };
};
