import { Readable } from 'node:stream';
import { parse } from 'csv-parse';

const pieceChars = 256 * 1024;

function* pieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += pieceChars) yield text.slice(at, at + pieceChars);
}

/** The syntax of a table. */
export interface Dialect {
  readonly delimiter: string;
  /** True if " encloses cells; otherwise quotes are ordinary characters. */
  readonly quoted: boolean;
}

/**
 * Yields the rows of a table. Rows can have any number of cells; empty lines are skipped.
 * @throws CsvError when a quote is never closed
 */
export async function* readRows(text: string, { delimiter, quoted }: Dialect): AsyncGenerator<string[]> {
  const parser = parse({
    delimiter,
    bom: true,
    quote: quoted ? '"' : null,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: 1_000_000,
  });
  const rows: AsyncIterable<string[]> = Readable.from(pieces(text)).pipe(parser);
  yield* rows;
}
