/**
 * A sparse matrix by rows: row `i` has the values `values[starts[i] … starts[i + 1]]` in the
 * columns at the same positions.
 */
export interface SparseMatrix {
  readonly rows: number;
  readonly columns: number;
  /** One entry more than there are rows. */
  readonly starts: Uint32Array;
  readonly columnOf: Uint32Array;
  readonly values: Float32Array;
}

/**
 * Computes `product = sparse · dense`, where both dense matrices have `width` values per row
 * (row-major).
 */
export function multiply(sparse: SparseMatrix, dense: Float32Array, width: number, product: Float32Array): void {
  product.fill(0);
  visitEntries(sparse, (row, column, value) => addScaled(product, row * width, dense, column * width, value, width));
}

/** Computes `product = transpose(sparse) · dense`. */
export function multiplyTransposed(
  sparse: SparseMatrix,
  dense: Float32Array,
  width: number,
  product: Float32Array,
): void {
  product.fill(0);
  visitEntries(sparse, (row, column, value) => addScaled(product, column * width, dense, row * width, value, width));
}

function visitEntries(
  { rows, starts, columnOf, values }: SparseMatrix,
  visit: (row: number, column: number, value: number) => void,
): void {
  for (let row = 0; row < rows; row++) {
    const end = starts[row + 1] ?? 0;
    for (let at = starts[row] ?? 0; at < end; at++) visit(row, columnOf[at] ?? 0, values[at] ?? 0);
  }
}

/**
 * Computes `target[to + i] += factor · source[from + i]`. A training spends nearly all its time
 * here.
 */
export function addScaled(
  target: Float32Array,
  to: number,
  source: Float32Array,
  from: number,
  factor: number,
  length: number,
): void {
  for (let i = 0; i < length; i++) target[to + i] = (target[to + i] ?? 0) + factor * (source[from + i] ?? 0);
}
