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

/** Where the text of a cell is in its block. */
export interface CellPlace {
  /** The row and column of the cell in the table that was rendered. */
  readonly row: number;
  readonly column: number;
  /** The offset in the block. */
  readonly start: number;
  readonly length: number;
}

/** A block of the normal form, and its cells. A repeated header has the cells of its first place only. */
export interface TableText {
  readonly text: string;
  readonly cells: readonly CellPlace[];
}

const cellText = (cell: string): string => oneLine(cell).replaceAll('|', '\\|');

/** A row of rendered cells, with the places of its cells in the table. */
interface CleanRow {
  readonly row: number;
  readonly cells: readonly string[];
}

/** Builds the text of a block, and remembers where its cells are. */
class BlockText {
  readonly #columns: readonly number[];
  readonly cells: CellPlace[] = [];
  text = '';

  /** @param columns the number of each rendered column in the table */
  constructor(columns: readonly number[]) {
    this.#columns = columns;
  }

  cell(row: number | undefined, index: number, cell: string): void {
    const column = this.#columns[index];
    if (row !== undefined && column !== undefined && cell !== '')
      this.cells.push({ row, column, start: this.text.length, length: cell.length });
    this.text += cell;
  }

  /** @param row undefined for a line whose cells have no place in the table */
  line(cells: readonly string[], row: number | undefined): void {
    this.text += this.text === '' ? '|' : '\n|';
    for (const index of this.#columns.keys()) {
      this.text += ' ';
      this.cell(row, index, cells[index] ?? '');
      this.text += ' |';
    }
  }
}

/** Renders rows as a list of `name: value` each, without empty cells. */
function* recordBlocks(names: CleanRow | undefined, rows: readonly CleanRow[], columns: readonly number[]) {
  let header = names;
  for (const { row, cells } of rows) {
    const block = new BlockText(columns);
    for (const [index, cell] of cells.entries()) {
      if (cell === '') continue;
      block.text += block.text === '' ? '- ' : '\n- ';
      block.cell(header?.row, index, names?.cells[index] || `Column ${index + 1}`);
      block.text += ': ';
      block.cell(row, index, cell);
    }
    header = undefined;
    if (block.text !== '') yield block;
  }
}

const headOf = (names: readonly string[], row: number | undefined, columns: readonly number[]): BlockText => {
  const block = new BlockText(columns);
  block.line(names, row);
  block.line(
    columns.map(() => '---'),
    undefined,
  );
  return block;
};

function* gridBlocks(header: CleanRow | undefined, rows: readonly CleanRow[], columns: readonly number[]) {
  const names = header?.cells ?? columns.map((_column, index) => `Column ${index + 1}`);
  let block = headOf(names, header?.row, columns);
  const headTokens = estimateTokens(block.text);
  let tokens = headTokens;
  let lines = 0;
  for (const { row, cells } of rows) {
    const line = new BlockText(columns);
    line.line(cells, undefined);
    const lineTokens = estimateTokens(line.text);
    if (lines > 0 && tokens + lineTokens > groupTokens) {
      yield block;
      block = headOf(names, undefined, columns);
      tokens = headTokens;
      lines = 0;
    }
    block.line(cells, row);
    lines += 1;
    tokens += lineTokens;
  }
  if (lines > 0 || rows.length === 0) yield block;
}

const withoutEmpty = (rows: readonly (readonly string[])[]): { rows: CleanRow[]; columns: number[] } => {
  const clean = rows
    .map((cells, row) => ({ row, cells: cells.map(cellText) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const used = new Set<number>();
  for (const { cells } of clean) for (const [index, cell] of cells.entries()) if (cell !== '') used.add(index);
  return {
    rows: clean.map(({ row, cells }) => ({ row, cells: cells.filter((_, index) => used.has(index)) })),
    columns: [...used].sort((a, b) => a - b),
  };
};

/**
 * Renders a table as blocks of the normal form: GFM tables that repeat the header in each group of
 * rows, or, for wide rows, one list of `name: value` per row. Empty rows and columns are dropped; a
 * table with one column becomes lines.
 */
export function* renderTable(rows: readonly (readonly string[])[], options: TableOptions): Generator<TableText> {
  const { rows: clean, columns } = withoutEmpty(rows);
  if (columns.length === 0) return;
  if (columns.length === 1) {
    const block = new BlockText(columns);
    for (const [index, { row, cells }] of clean.entries()) {
      if (index > 0) block.text += '\n';
      block.cell(row, 0, cells[0] ?? '');
    }
    yield block;
    return;
  }
  const [first, ...rest] = clean;
  const named = options.hasHeader && rest.length > 0;
  const header = named ? first : undefined;
  const body = named ? rest : clean;
  const sample = body.slice(0, 50);
  const sampleTokens = sample.reduce((sum, { cells }) => sum + estimateTokens(cells.join(' ')), 0);
  const wide = columns.length > maxColumns || sampleTokens / Math.max(1, sample.length) > maxRowTokens;
  yield* wide ? recordBlocks(header, body, columns) : gridBlocks(header, body, columns);
}
