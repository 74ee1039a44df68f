import { estimateTokens } from '@lectern/text';
import { oneLine } from '#text/clean-text';

/**
 * Rows are grouped to about this many tokens. Each group repeats the header, so that a passage can
 * be read alone.
 */
const groupTokens = 280;
/** A table with wider rows is more readable as one list per row. */
const maxRowTokens = 110;
const maxColumns = 14;

export interface TableOptions {
  /**
   * True if the first row contains the column names. Otherwise columns are numbered if they need
   * names.
   */
  readonly hasHeader: boolean;
}

const cellText = (cell: string): string => oneLine(cell).replaceAll('|', '\\|');

const rowLine = (cells: readonly string[], columns: number): string =>
  `| ${Array.from({ length: columns }, (_, index) => cells[index] ?? '').join(' | ')} |`;

/** Renders one row as a list of `name: value`, without empty cells. */
const recordText = (names: readonly string[], cells: readonly string[]): string =>
  cells
    .map((cell, index) => (cell === '' ? '' : `- ${names[index] || `Column ${index + 1}`}: ${cell}`))
    .filter((line) => line !== '')
    .join('\n');

function* recordBlocks(names: readonly string[], rows: readonly (readonly string[])[]): Generator<string> {
  for (const row of rows) {
    const record = recordText(names, row);
    if (record !== '') yield record;
  }
}

function* gridBlocks(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number,
): Generator<string> {
  const head = `${rowLine(names, columns)}\n${rowLine(
    Array.from({ length: columns }, () => '---'),
    columns,
  )}`;
  const headTokens = estimateTokens(head);
  let lines: string[] = [];
  let tokens = headTokens;
  for (const row of rows) {
    const line = rowLine(row, columns);
    const lineTokens = estimateTokens(line);
    if (lines.length > 0 && tokens + lineTokens > groupTokens) {
      yield [head, ...lines].join('\n');
      lines = [];
      tokens = headTokens;
    }
    lines.push(line);
    tokens += lineTokens;
  }
  if (lines.length > 0 || rows.length === 0) yield [head, ...lines].join('\n');
}

const withoutEmpty = (rows: readonly (readonly string[])[]): string[][] => {
  const clean = rows.map((row) => row.map(cellText)).filter((row) => row.some((cell) => cell !== ''));
  const used = new Set<number>();
  for (const row of clean) for (const [index, cell] of row.entries()) if (cell !== '') used.add(index);
  return clean.map((row) => row.filter((_, index) => used.has(index)));
};

/**
 * Renders a table as blocks of the normal form: GFM tables that repeat the header in each group of
 * rows, or, for wide rows, one list of `name: value` per row. Empty rows and columns are dropped; a
 * table with one column becomes lines.
 */
export function* renderTable(rows: readonly (readonly string[])[], options: TableOptions): Generator<string> {
  const clean = withoutEmpty(rows);
  const columns = clean.reduce((most, row) => Math.max(most, row.length), 0);
  if (columns === 0) return;
  if (columns === 1) {
    yield clean.map((row) => row[0] ?? '').join('\n');
    return;
  }
  const [first, ...rest] = clean;
  const named = options.hasHeader && rest.length > 0;
  const names = named && first ? first : Array.from({ length: columns }, (_, index) => `Column ${index + 1}`);
  const body = named ? rest : clean;
  const sample = body.slice(0, 50);
  const sampleTokens = sample.reduce((sum, row) => sum + estimateTokens(row.join(' ')), 0);
  const wide = columns > maxColumns || sampleTokens / Math.max(1, sample.length) > maxRowTokens;
  yield* wide ? recordBlocks(names, body) : gridBlocks(names, body, columns);
}
