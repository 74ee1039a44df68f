import { findColumnTables } from '#layout/column-tables';
import { type FoundTable, findGridTables } from '#layout/grid-tables';
import { type Row, readRows } from '#layout/rows';
import { noRules, type PageRules } from '#layout/rules';
import type { Line, Piece } from '#text/line';

/** A table at its place among the lines of a page. */
export interface TableBlock {
  readonly rows: readonly (readonly string[])[];
  /** For each cell, the words of its text (see Line). */
  readonly words: readonly (readonly (readonly number[])[])[];
  /** The lines that it replaces. */
  readonly lines: readonly Line[];
}

export type PageBlock = Line | TableBlock;

export const isTableBlock = (block: PageBlock): block is TableBlock => 'rows' in block;

/** Returns the lines of blocks, with those of tables. */
export const linesOfBlocks = (blocks: readonly PageBlock[]): Line[] =>
  blocks.flatMap((block) => (isTableBlock(block) ? block.lines : [block]));

/** More pieces than this are a drawing or an attack: the page is read without tables. */
const maxPieces = 20_000;
/** A table needs this many rows with two or more pieces. */
const minSplitRows = 2;

/** Returns true if lines can belong to a table. It is cheap, and false for most pages of prose. */
export const mayHaveTables = (lines: readonly Line[]): boolean => {
  const count = lines.reduce((sum, line) => sum + (line.pieces?.length ?? 1), 0);
  if (count > maxPieces || count < 4) return false;
  return readRows(lines).filter(({ pieces }) => pieces.length >= 2).length >= minSplitRows;
};

/** Returns the part of a line that is not in a table. */
const restOf = (line: Line, pieces: readonly Piece[]): Line[] => {
  const [first] = pieces;
  if (!first) return [];
  const right = Math.max(...pieces.map((piece) => piece.right));
  const text = pieces.map((piece) => piece.text).join(' ');
  const words = pieces.flatMap((piece) => piece.words ?? []);
  return [{ ...line, text, left: first.left, right, pieces, words }];
};

/** Replaces the lines of tables by the tables. */
export const findBlocks = (lines: readonly Line[], rules: PageRules = noRules): PageBlock[] => {
  if (!mayHaveTables(lines)) return [...lines];
  return withTables(lines, readRows(lines), rules);
};

/** The height of letters as a share of the type size: what recognized lines have as their size. */
const letterHeight = 0.72;

/** Replaces the lines of tables by the tables, for lines that were recognized in an image. */
export const findRecognizedBlocks = (lines: readonly Line[], rules: PageRules = noRules): PageBlock[] => {
  if (!mayHaveTables(lines)) return [...lines];
  const rows = readRows(lines.map((line) => ({ ...line, size: line.size / letterHeight })));
  return withTables(lines, rows, rules);
};

const withTables = (lines: readonly Line[], rows: readonly Row[], rules: PageRules): PageBlock[] => {
  const inGrids = findGridTables(
    rows.flatMap(({ pieces }) => pieces),
    rules,
  );
  const usedByGrids = new Set(inGrids.flatMap(({ pieces }) => pieces));
  const rest = rows
    .map((row) => ({ ...row, pieces: row.pieces.filter((piece) => !usedByGrids.has(piece)) }))
    .filter(({ pieces }) => pieces.length > 0);
  const tables = [...inGrids, ...findColumnTables(rest, rules)];
  return tables.length === 0 ? [...lines] : placeTables(lines, tables);
};

const placeTables = (lines: readonly Line[], tables: readonly FoundTable[]): PageBlock[] => {
  const used = new Map<number, Set<number>>();
  const starts = new Map<number, TableBlock[]>();
  for (const { rows, words, pieces } of tables) {
    for (const { line, index } of pieces) used.set(line, (used.get(line) ?? new Set()).add(index));
    const numbers = [...new Set(pieces.map(({ line }) => line))].sort((a, b) => a - b);
    const first = numbers[0] ?? 0;
    const block = { rows, words, lines: numbers.flatMap((number) => lines[number] ?? []) };
    starts.set(first, [...(starts.get(first) ?? []), block]);
  }
  return lines.flatMap((line, index): PageBlock[] => {
    const inTables = used.get(index);
    const rest = inTables
      ? restOf(
          line,
          (line.pieces ?? [line]).filter((_piece, at) => !inTables.has(at)),
        )
      : [line];
    return [...rest, ...(starts.get(index) ?? [])];
  });
};
