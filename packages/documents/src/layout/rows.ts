import type { Line, Piece } from '#text/line';

/** A piece with its place on the page. */
export interface PlacedPiece extends Piece {
  readonly baseline: number;
  readonly size: number;
  /** The index of its line in the order of the page's contents. */
  readonly line: number;
  /** The index of the piece in its line. */
  readonly index: number;
  /** The pieces that were joined to this one. */
  readonly parts?: readonly PlacedPiece[];
}

/** All pieces on one baseline, from left to right. */
export interface Row {
  readonly baseline: number;
  readonly size: number;
  readonly pieces: readonly PlacedPiece[];
}

/** Baselines within this share of the type size are one row. */
const sameRow = 0.35;

const placedPieces = (lines: readonly Line[]): PlacedPiece[] =>
  lines.flatMap((each, line) => {
    const { text, left, right, baseline, size, words = [] } = each;
    const pieces = each.pieces ?? [{ text, left, right, words }];
    return pieces.map((piece, index) => ({ ...piece, baseline, size, line, index }));
  });

/** Groups the pieces of a page into rows, from the top down. */
export const readRows = (lines: readonly Line[]): Row[] => {
  const groups: PlacedPiece[][] = [];
  for (const piece of placedPieces(lines).sort((a, b) => b.baseline - a.baseline)) {
    const group = groups.at(-1);
    const first = group?.[0];
    const isSame = first && first.baseline - piece.baseline <= sameRow * Math.max(1, Math.min(first.size, piece.size));
    if (isSame) group?.push(piece);
    else groups.push([piece]);
  }
  return groups.map((group) => ({
    baseline: group[0]?.baseline ?? 0,
    size: Math.max(...group.map(({ size }) => size)),
    pieces: group.sort((a, b) => a.left - b.left),
  }));
};
