import { gramMatrix } from '#linear-algebra/dense-matrix';

/**
 * A column counts as dependent if its part outside the previous columns is below this share of the
 * largest (squared).
 */
const DEPENDENT = 1e-10;

/**
 * Makes the matrix's columns an orthonormal basis of their span, in place, by Cholesky QR: `Q = Y ·
 * inverse(R)` with `transpose(R) · R = transpose(Y) · Y`. Dependent columns become zero.
 */
export function orthonormalize(matrix: Float32Array, width: number): void {
  const inverse = invertUpper(choleskyUpper(gramMatrix(matrix, width), width), width);
  const row = new Float64Array(width);
  for (let from = 0; from < matrix.length; from += width) {
    row.fill(0);
    for (let k = 0; k < width; k++) {
      const value = matrix[from + k] ?? 0;
      const line = k * width;
      for (let j = k; j < width; j++) row[j] = (row[j] ?? 0) + value * (inverse[line + j] ?? 0);
    }
    matrix.set(row, from);
  }
}

/**
 * Returns the upper triangular R with `transpose(R) · R = gram`; a zero on its diagonal marks a
 * dependent column.
 */
function choleskyUpper(gram: Float64Array, width: number): Float64Array {
  const upper = new Float64Array(width * width);
  let largest = 0;
  for (let i = 0; i < width; i++) largest = Math.max(largest, gram[i * width + i] ?? 0);
  for (let i = 0; i < width; i++) {
    const pivot = (gram[i * width + i] ?? 0) - dotOfColumns(upper, width, i, i, i);
    if (pivot <= largest * DEPENDENT) continue;
    const root = Math.sqrt(pivot);
    upper[i * width + i] = root;
    for (let j = i + 1; j < width; j++) {
      upper[i * width + j] = ((gram[i * width + j] ?? 0) - dotOfColumns(upper, width, i, j, i)) / root;
    }
  }
  return upper;
}

/** Returns the dot product of the first `length` values of two columns. */
function dotOfColumns(matrix: Float64Array, width: number, a: number, b: number, length: number): number {
  let sum = 0;
  for (let row = 0; row < length; row++) sum += (matrix[row * width + a] ?? 0) * (matrix[row * width + b] ?? 0);
  return sum;
}

/**
 * Returns the inverse of an upper triangular matrix; columns with a zero on the diagonal are zero
 * in it.
 */
function invertUpper(upper: Float64Array, width: number): Float64Array {
  const inverse = new Float64Array(width * width);
  for (let column = 0; column < width; column++) {
    const diagonal = upper[column * width + column] ?? 0;
    if (diagonal === 0) continue;
    inverse[column * width + column] = 1 / diagonal;
    for (let row = column - 1; row >= 0; row--) {
      const pivot = upper[row * width + row] ?? 0;
      if (pivot === 0) continue;
      let sum = 0;
      for (let k = row + 1; k <= column; k++) {
        sum += (upper[row * width + k] ?? 0) * (inverse[k * width + column] ?? 0);
      }
      inverse[row * width + column] = -sum / pivot;
    }
  }
  return inverse;
}
