import { parse } from 'csv-parse/sync';
import { fileTypes } from '#detect/file-formats';
import { findDelimiter } from '#formats/delimited/find-delimiter';
import type { FormatParser } from '#parsed-document';
import { decodeText } from '#text/decode-text';
import { DocumentWriter } from '#text/document-writer';
import { hasHeader } from '#text/has-header';

/** Quotes that are never closed would make one field of the whole rest of a file; then quotes are taken as they stand. */
const readRows = (text: string, delimiter: string): string[][] => {
  const options = { delimiter, bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true };
  try {
    return parse(text, { ...options, max_record_size: 1_000_000 });
  } catch {
    return parse(text, { ...options, quote: null });
  }
};

const trimEnd = (row: readonly string[]): string[] => row.slice(0, row.findLastIndex((cell) => cell.trim() !== '') + 1);

/** Whether most rows have as many cells as the widest tenth: a table, not lines with a few separators. */
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

/** Comma-, semicolon-, tab- or bar-separated values as a table. */
export const parseDelimited: FormatParser = async ({ bytes, limits, mimeType }) => {
  const { text, charset } = decodeText(bytes);
  const delimiter = mimeType === fileTypes.tsv.mimeType ? '\t' : findDelimiter(text);
  const writer = new DocumentWriter(limits.maxTextChars);
  const rows = delimiter === undefined ? [] : readRows(text, delimiter);
  const trimmed = rows.map(trimEnd);
  if (rows.length === 0) writer.normalised(text);
  else if (isRegular(trimmed)) writer.table(rows, { hasHeader: hasHeader(rows) });
  else writer.paragraph(trimmed.map(lineOf).join('\n'));
  return { ...writer.finish(), metadata: { charset } };
};
