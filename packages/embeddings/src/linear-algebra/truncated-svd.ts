import { gramMatrix, multiplyDense } from '#linear-algebra/dense-matrix';
import { orthonormalize } from '#linear-algebra/orthonormalize';
import { randomMatrix } from '#linear-algebra/random-matrix';
import { multiply, multiplyTransposed, type SparseMatrix } from '#linear-algebra/sparse-matrix';
import { symmetricEigen } from '#linear-algebra/symmetric-eigen';

/** The strongest directions of a matrix's rows. */
export interface TruncatedSvd {
  /** The number of directions, at most the requested one. */
  readonly rank: number;
  /** Right singular vectors as columns: `columns × rank`, row-major. */
  readonly right: Float32Array;
  /** Singular values, largest first. */
  readonly singular: Float64Array;
}

/** Additional directions to compute: they carry most of the error. */
const OVERSAMPLING = 16;

/** Power iterations; a third one does not improve the result. */
const ITERATIONS = 2;

const SEED = 0x1ec7;

/** Singular values below this share of the largest are noise. */
const NEGLIGIBLE = 1e-4;

/**
 * Computes the directions by randomized subspace iteration (Halko, Martinsson and Tropp, Finding
 * structure with randomness, 2011, algorithm 4.4). Deterministic. Time grows with `entries · rank`
 * and `(rows + columns) · rank²`, memory with `(rows + 2 · columns) · rank` floats.
 */
export function truncatedSvd(matrix: SparseMatrix, rank: number): TruncatedSvd {
  const width = Math.min(rank + OVERSAMPLING, matrix.rows, matrix.columns);
  const right = randomMatrix(matrix.columns * width, SEED);
  const left = new Float32Array(matrix.rows * width);
  for (let round = 0; round <= ITERATIONS; round++) {
    multiply(matrix, right, width, left);
    multiplyTransposed(matrix, left, width, right);
    orthonormalize(right, width);
  }
  multiply(matrix, right, width, left);
  const { values, vectors } = symmetricEigen(gramMatrix(left, width), width);
  const largest = Math.sqrt(Math.max(0, values[0] ?? 0));
  const singular = Float64Array.from(values, (value) => Math.sqrt(Math.max(0, value)))
    .slice(0, rank)
    .filter((value) => value > largest * NEGLIGIBLE);
  const rotation = firstColumns(vectors, width, singular.length);
  return { rank: singular.length, right: multiplyDense(right, width, rotation, singular.length), singular };
}

function firstColumns(matrix: Float64Array, width: number, columns: number): Float32Array {
  const first = new Float32Array(width * columns);
  for (let row = 0; row < width; row++) {
    for (let column = 0; column < columns; column++) first[row * columns + column] = matrix[row * width + column] ?? 0;
  }
  return first;
}
