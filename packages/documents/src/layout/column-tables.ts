import { type Column, type ColumnBlock, cellsOf } from '#layout/column-block';
import { type FoundTable, splitAtLines } from '#layout/grid-tables';
import type { PlacedPiece, Row } from '#layout/rows';
import type { PageRules, Rule } from '#layout/rules';
import { isNumber, isNumberOrNone, isProse, isTable } from '#layout/table-evidence';

/** A gap between two pieces of a row that is narrower, as a share of the type size, is a wide space. */
const narrowGap = 0.9;
/** The least width of the blank between two columns, as a share of the type size. */
const minBlank = 0.5;
/** Rows further apart, as a multiple of the type size, are not of one table. */
const maxRowGap = 3.2;
/** A first or last row further away than this multiple of the median gap is a caption or a running head. */
const strayRowGap = 1.8;
/** Type larger than this multiple is a heading. */
const headingRatio = 1.2;
const maxRows = 500;
/** A page with more rows is a listing, or an attack: its columns are not looked for. */
const maxPageRows = 2_000;
const maxHeadRows = 3;
const maxColumns = 60;
/** Every row of a shorter block that is not a table can be the first row of one. */
const longBlock = 40;
const minRows = 3;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Joins pieces of a row that only a wide space separates. */
const withoutNarrowGaps = (row: Row): Row => {
  const pieces: PlacedPiece[] = [];
  for (const piece of row.pieces) {
    const last = pieces.at(-1);
    if (last && piece.left - last.right < narrowGap * row.size) {
      const text = `${last.text} ${piece.text}`;
      const parts = [...(last.parts ?? [last]), piece];
      const words = [...(last.words ?? []), ...(piece.words ?? [])];
      pieces[pieces.length - 1] = { ...last, text, right: Math.max(last.right, piece.right), parts, words };
    } else pieces.push(piece);
  }
  return { ...row, pieces };
};

const columnsAt = (columns: readonly Column[], { left, right }: Column, margin: number): number[] =>
  columns.flatMap((column, index) => (left < column.right + margin && right > column.left - margin ? [index] : []));

/** Adds a row to columns. Returns undefined if one of its pieces is in two columns, or two are in one. */
const withRow = (columns: readonly Column[], row: Row): readonly Column[] | undefined => {
  if (row.pieces.length > maxColumns) return undefined;
  const margin = minBlank * row.size;
  const grown = [...columns];
  const added: Column[] = [];
  const taken = new Set<number>();
  for (const { left, right } of row.pieces) {
    const [index, second] = columnsAt(columns, { left, right }, margin);
    if (second !== undefined) return undefined;
    if (index === undefined) {
      // A line of its own outside the columns is not part of the table.
      if (row.pieces.length < 2) return undefined;
      added.push({ left, right });
      continue;
    }
    if (taken.has(index)) return undefined;
    taken.add(index);
    const column = columns[index] ?? { left, right };
    grown[index] = { left: Math.min(column.left, left), right: Math.max(column.right, right) };
  }
  const all = [...grown, ...added].sort((a, b) => a.left - b.left);
  const areApart = all.every(({ left }, index) => index === 0 || left - (all[index - 1]?.right ?? 0) >= margin);
  return areApart && all.length <= maxColumns ? all : undefined;
};

interface FittedRow {
  readonly row: Row;
  readonly columns: readonly Column[];
}

/** Adds a row to columns: without its narrow gaps, or with them if it does not fit otherwise. */
const fitRow = (columns: readonly Column[], raw: Row): FittedRow | undefined => {
  for (const row of [withoutNarrowGaps(raw), raw]) {
    const grown = withRow(columns, row);
    if (grown !== undefined) return { row, columns: grown };
  }
  return undefined;
};

/** Splits pieces at the blanks between columns: close names look like one text. */
const splitAtColumns = (columns: readonly Column[], row: Row): Row => {
  const blanks = columns.slice(1).map(({ left }, index) => ((columns[index]?.right ?? left) + left) / 2);
  return { ...row, pieces: row.pieces.flatMap((piece) => splitAtLines(piece, blanks)) };
};

/** Returns true if a row can be the end of a paragraph: it ends a sentence, or continues close text. */
const isProseRow = (row: Row, above: Row | undefined): boolean => {
  if (/[.:;!?]$/.test(row.pieces.at(-1)?.text ?? '')) return true;
  return above !== undefined && above.baseline - row.baseline < row.size * 1.45 && above.pieces.length === 1;
};

/** Returns the fit of a row of names whose texts touch, if it has a name for almost every column. */
const fitTouching = (columns: readonly Column[], row: Row, above: Row | undefined): FittedRow | undefined => {
  if (isProseRow(row, above)) return undefined;
  const split = splitAtColumns(columns, row);
  const grown = withRow(columns, split);
  return grown && split.pieces.length >= columns.length - 1 ? { row: split, columns: grown } : undefined;
};

/**
 * Returns the rows of names above a block. The names of narrow columns can be so close that they
 * look like one.
 */
const headRows = (rows: readonly Row[], start: number, min: number, columns: readonly Column[]): Row[] => {
  const head: Row[] = [];
  for (let index = start - 1; index >= Math.max(min, start - maxHeadRows); index--) {
    const [row, below] = [rows[index], rows[index + 1]];
    if (!row || !below || row.baseline - below.baseline > maxRowGap * row.size) break;
    if (Math.max(row.size, below.size) > Math.min(row.size, below.size) * headingRatio) break;
    const above = index > min ? rows[index - 1] : undefined;
    const fitted = fitRow(columns, row) ?? (head.length === 0 ? fitTouching(columns, row, above) : undefined);
    if (fitted === undefined || fitted.columns.length > columns.length || fitted.row.pieces.length < 2) break;
    columns = fitted.columns;
    head.unshift(fitted.row);
  }
  return head;
};

/** Returns the block that begins with a row, as long as all rows fit its columns. */
const growBlock = (rows: readonly Row[], start: number, min: number): ColumnBlock | undefined => {
  const raw = rows[start];
  const first = raw && withoutNarrowGaps(raw);
  if (!first || first.pieces.length < 2 || first.pieces.length > maxColumns) return undefined;
  let columns: readonly Column[] = first.pieces;
  const block = [first];
  let end = start + 1;
  for (; end < Math.min(rows.length, start + maxRows); end++) {
    const [above, row] = [rows[end - 1], rows[end]];
    if (!above || !row || above.baseline - row.baseline > maxRowGap * Math.max(above.size, row.size)) break;
    if (Math.max(row.size, first.size) > Math.min(row.size, first.size) * headingRatio) break;
    const grown = fitRow(columns, row);
    if (grown === undefined) break;
    block.push(grown.row);
    columns = grown.columns;
  }
  return withoutStrayRows([...headRows(rows, start, min, columns), ...block]);
};

/** Drops captions and notes around the rows, and computes the columns of the rest. */
const withoutStrayRows = (rows: readonly Row[]): ColumnBlock | undefined => {
  const gaps = rows.slice(1).map((row, index) => (rows[index]?.baseline ?? 0) - row.baseline);
  const usual = median(gaps) * strayRowGap;
  let [from, to] = [0, rows.length];
  if ((gaps[0] ?? 0) > usual && rows.length > minRows) from = 1;
  while (to - from > 1 && ((gaps[to - 2] ?? 0) > usual || (rows[to - 1]?.pieces.length ?? 0) < 2)) {
    const isContinued = (gaps[to - 2] ?? 0) <= Math.min(usual, (rows[to - 1]?.size ?? 0) * 1.4);
    if (isContinued) break;
    to--;
  }
  const kept = rows.slice(from, to);
  let columns: readonly Column[] = [];
  for (const row of kept) {
    const grown = columns.length === 0 ? row.pieces : withRow(columns, row);
    if (grown === undefined) return undefined;
    columns = grown;
  }
  return kept.length < minRows ? undefined : { columns, rows: kept };
};

/** Returns the parts of a block between columns of prose. */
const withoutProse = (block: ColumnBlock): ColumnBlock[] => {
  const isText = block.columns.map((_column, index) => isProse(block, index));
  if (!isText.includes(true)) return [block];
  const parts: Column[][] = [[]];
  for (const [index, column] of block.columns.entries()) {
    if (isText[index]) parts.push([]);
    else parts.at(-1)?.push(column);
  }
  return parts
    .filter((columns) => columns.length >= 2)
    .flatMap((columns) => {
      const rows = block.rows
        .map((row) => ({ ...row, pieces: cellsOf({ columns }, row).filter((piece) => piece !== undefined) }))
        .filter((row) => row.pieces.length > 0);
      return rows.length < minRows ? [] : [{ columns, rows }];
    });
};

const rulesOf = ({ columns, rows }: ColumnBlock, { horizontal }: PageRules): Rule[] => {
  const [left, right] = [columns[0]?.left ?? 0, columns.at(-1)?.right ?? 0];
  const [first, last] = [rows[0], rows.at(-1)];
  const top = (first?.baseline ?? 0) + (first?.size ?? 0) * 2;
  const bottom = (last?.baseline ?? 0) - (last?.size ?? 0) * 1.5;
  return horizontal.filter(
    ({ at, from, to }) => at < top && at > bottom && Math.min(to, right) - Math.max(from, left) > (right - left) * 0.8,
  );
};

/** Returns true for each column whose cells, without its name, are mostly numbers. */
const numericColumns = (rows: readonly (readonly string[])[]): boolean[] =>
  (rows[0] ?? []).map((_cell, column) => {
    const values = rows.slice(1).flatMap((row) => row[column] || []);
    return values.filter(isNumber).length * 2 > values.length;
  });

/**
 * Returns true for each row that continues the cells above it. Numbers below numbers never do. Rules
 * between rows decide; then gaps, if lines of one cell are closer than rows; then an empty first cell
 * next to at most one other below a filled one: rows of one group leave it empty too.
 */
const continuedRows = (block: ColumnBlock, rules: readonly Rule[]): boolean[] => {
  const { rows } = block;
  const gaps = rows.map((row, index) => (index === 0 ? 0 : (rows[index - 1]?.baseline ?? 0) - row.baseline));
  const real = gaps.slice(1);
  const [narrow, wide] = [Math.min(...real), Math.max(...real)];
  const hasTwoGaps = wide > narrow * 1.2 && narrow < (rows[0]?.size ?? 0) * 1.5;
  const between = (index: number): boolean =>
    rules.some(({ at }) => at < (rows[index - 1]?.baseline ?? 0) && at > (rows[index]?.baseline ?? 0));
  const ruledGaps = rows.filter((_row, index) => index > 0 && between(index)).length;
  const texts = rows.map((row) => cellsOf(block, row).map((cell) => cell?.text ?? ''));
  const numeric = numericColumns(texts);
  // The lines of the row above so far, if they are one row.
  let above: string[] = [];
  const isContinued = (index: number): boolean => {
    const cells = texts[index] ?? [];
    if (index === 0 || between(index)) return false;
    const isValueAt = (row: readonly string[], column: number): boolean => isNumberOrNone(row[column] ?? '');
    if (numeric.some((isNumeric, column) => isNumeric && isValueAt(cells, column) && isValueAt(above, column)))
      return false;
    if (ruledGaps >= 3 && ruledGaps >= rows.length * 0.25) return true;
    const isPartial = cells.includes('');
    if (hasTwoGaps) return isPartial && (gaps[index] ?? 0) < (narrow + wide) / 2;
    const isValue = (cell: string, column: number): boolean =>
      cell !== '' && (numeric[column] === true || /^[\d(+-]/.test(cell));
    const pairs = cells.filter((cell, column) => cell !== '' && above[column] !== '').length;
    return cells[0] === '' && pairs < 2 && !cells.some(isValue);
  };
  return rows.map((_row, index) => {
    const continued = isContinued(index);
    const cells = texts[index] ?? [];
    above = continued ? above.map((text, column) => text || (cells[column] ?? '')) : cells;
    return continued;
  });
};

const toTable = (block: ColumnBlock, rules: readonly Rule[]): FoundTable => {
  const continued = continuedRows(block, rules);
  const rows: string[][] = [];
  const words: number[][][] = [];
  for (const [index, row] of block.rows.entries()) {
    const cells = cellsOf(block, row).map((cell) => ({ text: cell?.text ?? '', words: [...(cell?.words ?? [])] }));
    const [above, wordsAbove] = [rows.at(-1), words.at(-1)];
    if (continued[index] && above && wordsAbove) {
      for (const [column, cell] of cells.entries()) {
        if (cell.text === '') continue;
        above[column] = `${above[column] ?? ''} ${cell.text}`.trim();
        wordsAbove[column]?.push(...cell.words);
      }
    } else {
      rows.push(cells.map(({ text }) => text));
      words.push(cells.map((cell) => cell.words));
    }
  }
  return { rows, words, pieces: block.rows.flatMap((row) => row.pieces.flatMap((piece) => piece.parts ?? [piece])) };
};

const endOf = (block: ColumnBlock): number => block.rows.at(-1)?.baseline ?? 0;

/**
 * Returns the block that ends furthest down, of those that begin with a row or one of the next ones. A
 * row of close names gives a block too few columns, so that it ends early.
 */
const longestBlock = (rows: readonly Row[], start: number, min: number): ColumnBlock | undefined => {
  let best = growBlock(rows, start, min);
  if (rows[start] === undefined || rows[start].pieces.length < 2) return best;
  for (let next = start + 1; next <= start + maxHeadRows; next++) {
    const block = growBlock(rows, next, min);
    if (block && (best === undefined || endOf(block) < endOf(best))) best = block;
  }
  return best;
};

/** Finds tables whose columns are separated by blanks. */
export const findColumnTables = (rows: readonly Row[], rules: PageRules): FoundTable[] => {
  if (rows.length > maxPageRows) return [];
  const tables: FoundTable[] = [];
  // Rows above this one are in other tables.
  let min = 0;
  for (let start = 0; start < rows.length; ) {
    const block = longestBlock(rows, start, min);
    const found = (block === undefined ? [] : withoutProse(block))
      .map((part) => ({ part, rules: rulesOf(part, rules) }))
      .filter((each) => isTable(each.part, each.rules.length));
    tables.push(...found.map((each) => toTable(each.part, each.rules)));
    const last = Math.min(...found.map(({ part }) => endOf(part)));
    // Starting at each row of a long text would take quadratic time.
    if (found.length === 0) start += Math.max(1, Math.floor((block?.rows.length ?? 0) / longBlock));
    else {
      while (start < rows.length && (rows[start]?.baseline ?? 0) >= last) start++;
      min = start;
    }
  }
  return tables;
};
