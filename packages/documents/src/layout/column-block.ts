import type { PlacedPiece, Row } from '#layout/rows';

/** The horizontal extent of a column. */
export interface Column {
  readonly left: number;
  readonly right: number;
}

/** Rows whose pieces are in columns: a table, or text that looks like one. */
export interface ColumnBlock {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** Returns the piece of a row in each column. */
export const cellsOf = ({ columns }: Pick<ColumnBlock, 'columns'>, row: Row): (PlacedPiece | undefined)[] =>
  columns.map(({ left, right }) => row.pieces.find((piece) => piece.left <= right && piece.right >= left));
