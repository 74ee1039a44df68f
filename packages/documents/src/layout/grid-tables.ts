import type { PlacedPiece } from '#layout/rows';
import { type PageRules, type Rule, touching } from '#layout/rules';

/** A table found on a page. */
export interface FoundTable {
  readonly rows: readonly (readonly string[])[];
  /** For each cell, the words of its text (see Line). */
  readonly words: readonly (readonly (readonly number[])[])[];
  /** The pieces that its cells contain. */
  readonly pieces: readonly PlacedPiece[];
}

/** More lines than this are a drawing, not a table. */
const maxLines = 2_000;
const maxColumns = 60;
const maxRows = 500;
/** Cells with more text than this are boxes of prose. */
const maxMeanChars = 300;
/** A grid with fewer filled cells is a chart or an empty form. */
const minFilled = 0.3;

interface Grid {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
}

const distinct = (values: readonly number[]): number[] => {
  const kept: number[] = [];
  for (const value of [...values].sort((a, b) => a - b))
    if (kept.length === 0 || value - (kept.at(-1) ?? 0) > touching * 1.5) kept.push(value);
  return kept;
};

const crosses = (horizontal: Rule, vertical: Rule): boolean =>
  vertical.at >= horizontal.from - touching &&
  vertical.at <= horizontal.to + touching &&
  horizontal.at >= vertical.from - touching &&
  horizontal.at <= vertical.to + touching;

/** Returns the grids of lines that cross or touch each other. */
const findGrids = ({ horizontal, vertical }: PageRules): Grid[] => {
  if (horizontal.length + vertical.length > maxLines) return [];
  const waiting = new Set(horizontal);
  const unseen = new Set(vertical);
  const grids: Grid[] = [];
  for (const first of horizontal) {
    if (!waiting.delete(first)) continue;
    const rows = [first];
    const columns: Rule[] = [];
    const queue: (() => void)[] = [];
    const visitRow = (row: Rule): void => {
      for (const column of unseen)
        if (crosses(row, column) && unseen.delete(column)) {
          columns.push(column);
          queue.push(() => visitColumn(column));
        }
    };
    const visitColumn = (column: Rule): void => {
      for (const row of waiting)
        if (crosses(row, column) && waiting.delete(row)) {
          rows.push(row);
          queue.push(() => visitRow(row));
        }
    };
    visitRow(first);
    for (let next = queue.shift(); next; next = queue.shift()) next();
    if (columns.length === 0) continue;
    grids.push(...stackedGrids(rows, columns));
  }
  return grids;
};

/** Returns the vertical lines between the cells of a band, without those at its sides. */
const insideBand = (columns: readonly Rule[], sides: readonly number[], low: number, high: number): number[] => {
  const middle = (low + high) / 2;
  const [left = 0, right = 0] = [sides[0], sides.at(-1)];
  return distinct(columns.filter(({ from, to }) => from < middle && to > middle).map(({ at }) => at)).filter(
    (x) => x > left + touching && x < right - touching,
  );
};

/** Splits lines into grids where no column continues: two tables without a gap between them. */
const stackedGrids = (rows: readonly Rule[], columns: readonly Rule[]): Grid[] => {
  const sides = distinct(rows.flatMap(({ from, to }) => [from, to]));
  const ys = distinct([...rows.map(({ at }) => at), ...columns.flatMap(({ from, to }) => [from, to])]);
  if (ys.length > maxRows) return [];
  const grids: { xs: number[]; ys: number[] }[] = [];
  let inside: number[] = [];
  for (const [index, high] of ys.entries()) {
    const low = ys[index - 1];
    if (low === undefined) continue;
    const band = insideBand(columns, sides, low, high);
    const last = grids.at(-1);
    const isShared = band.some((x) => inside.some((other) => Math.abs(x - other) <= touching));
    if (last && (isShared || band.length === 0 || inside.length === 0)) {
      last.xs.push(...band);
      last.ys.push(high);
      inside = isShared || inside.length === 0 ? [...inside, ...band] : inside;
    } else {
      grids.push({ xs: [...sides, ...band], ys: [low, high] });
      inside = band;
    }
  }
  return grids.map((grid) => ({ xs: distinct(grid.xs), ys: grid.ys }));
};

/** Returns true if lines separate cells in both directions. */
export const hasGrid = (rules: PageRules): boolean =>
  findGrids(rules).some(({ xs, ys }) => xs.length > 2 && ys.length > 2);

/** Returns the index of the interval that contains a value; -1 outside. */
const intervalOf = (edges: readonly number[], value: number): number => {
  const next = edges.findIndex((edge) => edge > value);
  return next <= 0 ? -1 : next - 1;
};

/** Splits a piece that crosses a vertical line: a narrow gap between two cells looks like a space. */
export const splitAtLines = (piece: PlacedPiece, xs: readonly number[]): PlacedPiece[] => {
  const width = piece.right - piece.left;
  const line = xs.find((x) => x > piece.left + piece.size && x < piece.right - piece.size);
  if (line === undefined || width <= 0) return [piece];
  const at = ((line - piece.left) / width) * piece.text.length;
  const blanks = [...piece.text.matchAll(/ /g)].map(({ index }) => index);
  const nearest = blanks.reduce((best, index) => (Math.abs(index - at) < Math.abs(best - at) ? index : best), -100);
  if (Math.abs(nearest - at) > 3) return [piece];
  const middle = Math.min(piece.right, Math.max(line, piece.left));
  const first = piece.text.slice(0, nearest).split(' ').length;
  return [
    { ...piece, text: piece.text.slice(0, nearest), right: middle, ...wordsOf(piece, 0, first) },
    ...splitAtLines(
      { ...piece, text: piece.text.slice(nearest + 1), left: middle + 0.01, ...wordsOf(piece, first) },
      xs,
    ),
  ];
};

const wordsOf = ({ words }: PlacedPiece, from: number, to?: number): Pick<PlacedPiece, 'words'> =>
  words === undefined ? {} : { words: words.slice(from, to) };

const inReadingOrder = (pieces: readonly PlacedPiece[]): PlacedPiece[] =>
  [...pieces].sort((a, b) =>
    Math.abs(a.baseline - b.baseline) < a.size * 0.35 ? a.left - b.left : b.baseline - a.baseline,
  );

const cellOf = (pieces: readonly PlacedPiece[]): { readonly text: string; readonly words: readonly number[] } => {
  const ordered = inReadingOrder(pieces);
  return { text: ordered.map(({ text }) => text).join(' '), words: ordered.flatMap(({ words = [] }) => words) };
};

const readGrid = ({ xs, ys }: Grid, pieces: readonly PlacedPiece[]): FoundTable | undefined => {
  const [columns, lines] = [xs.length - 1, ys.length - 1];
  if (columns < 2 || lines < 2 || columns > maxColumns || lines > maxRows) return undefined;
  const cells = new Map<number, PlacedPiece[]>();
  const used: PlacedPiece[] = [];
  for (const piece of pieces) {
    const line = intervalOf(ys, piece.baseline + piece.size * 0.3);
    if (line === -1) continue;
    const columnOf = ({ left, right, size }: PlacedPiece): number =>
      intervalOf(xs, left + Math.min((right - left) / 2, size));
    const split = splitAtLines(piece, xs);
    const parts = split.some((part) => columnOf(part) === -1) ? [piece] : split;
    if (parts.some((part) => columnOf(part) === -1)) continue;
    used.push(piece);
    for (const part of parts) {
      const cell = (lines - 1 - line) * columns + columnOf(part);
      const found = cells.get(cell);
      if (found) found.push(part);
      else cells.set(cell, [part]);
    }
  }
  const rows = Array.from({ length: lines }, (_row, row) =>
    Array.from({ length: columns }, (_cell, column) => cellOf(cells.get(row * columns + column) ?? [])),
  ).filter((row) => row.some(({ text }) => text !== ''));
  const filledColumns = new Set([...cells.keys()].map((cell) => cell % columns)).size;
  const chars = used.reduce((sum, { text }) => sum + text.length, 0);
  const isTable =
    rows.length >= 2 &&
    filledColumns >= 2 &&
    cells.size >= rows.length * filledColumns * minFilled &&
    cells.size >= 3 &&
    chars / cells.size <= maxMeanChars;
  if (!isTable) return undefined;
  return {
    rows: rows.map((row) => row.map(({ text }) => text)),
    words: rows.map((row) => row.map(({ words }) => words)),
    pieces: used,
  };
};

/** Finds tables whose cells are separated by lines in both directions. */
export const findGridTables = (pieces: readonly PlacedPiece[], rules: PageRules): FoundTable[] => {
  const tables: FoundTable[] = [];
  let rest = pieces;
  for (const grid of findGrids(rules)) {
    const table = readGrid(grid, rest);
    if (table === undefined) continue;
    tables.push(table);
    const used = new Set(table.pieces);
    rest = rest.filter((piece) => !used.has(piece));
  }
  return tables;
};
