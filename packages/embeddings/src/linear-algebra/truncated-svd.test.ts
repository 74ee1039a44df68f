import { describe, expect, it } from '@jest/globals';
import { orthonormalize } from '#linear-algebra/orthonormalize';
import { randomMatrix } from '#linear-algebra/random-matrix';
import type { SparseMatrix } from '#linear-algebra/sparse-matrix';
import { symmetricEigen } from '#linear-algebra/symmetric-eigen';
import { truncatedSvd } from '#linear-algebra/truncated-svd';

/** Returns random orthogonal columns. */
function orthonormal(rows: number, columns: number, seed: number): Float32Array {
  const matrix = randomMatrix(rows * columns, seed);
  orthonormalize(matrix, columns);
  return matrix;
}

/** Returns `left · diagonal · transpose(right)` as a sparse matrix with every entry. */
function compose(
  rows: number,
  columns: number,
  singular: readonly number[],
): { matrix: SparseMatrix; right: Float32Array } {
  const rank = singular.length;
  const left = orthonormal(rows, rank, 1);
  const right = orthonormal(columns, rank, 2);
  const values = Float32Array.from({ length: rows * columns }, (_, at) => {
    const [row, column] = [Math.floor(at / columns), at % columns];
    return singular.reduce((sum, value, k) => sum + value * left[row * rank + k]! * right[column * rank + k]!, 0);
  });
  const matrix = {
    rows,
    columns,
    starts: Uint32Array.from({ length: rows + 1 }, (_, row) => row * columns),
    columnOf: Uint32Array.from({ length: rows * columns }, (_, at) => at % columns),
    values,
  };
  return { matrix, right };
}

const column = (matrix: Float32Array, width: number, at: number) =>
  Array.from({ length: matrix.length / width }, (_, row) => matrix[row * width + at]!);
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

describe('truncatedSvd', () => {
  it('finds the largest singular values and their directions', () => {
    const singular = Array.from({ length: 40 }, (_, k) => 10 * 0.9 ** k);
    const { matrix, right } = compose(90, 70, singular);
    const svd = truncatedSvd(matrix, 8);
    expect(svd.rank).toBe(8);
    for (let k = 0; k < 8; k++) {
      expect(svd.singular[k]).toBeCloseTo(singular[k]!, 2);
      expect(Math.abs(dot(column(svd.right, 8, k), column(right, 40, k)))).toBeCloseTo(1, 2);
    }
  });

  it('returns fewer directions if the matrix has no more', () => {
    const { matrix } = compose(30, 20, [5, 3, 1]);
    const svd = truncatedSvd(matrix, 10);
    expect(svd.rank).toBe(3);
    expect(Array.from(svd.singular, Math.round)).toEqual([5, 3, 1]);
  });

  it('accepts an empty matrix', () => {
    const empty = new Uint32Array(0);
    const matrix = { rows: 0, columns: 0, starts: Uint32Array.of(0), columnOf: empty, values: new Float32Array(0) };
    expect(truncatedSvd(matrix, 10)).toMatchObject({ rank: 0 });
  });
});

describe('orthonormalize', () => {
  it('returns orthogonal columns of unit length, and zeros for a dependent column', () => {
    const width = 4;
    const matrix = randomMatrix(50 * width, 3);
    for (let row = 0; row < 50; row++) matrix[row * width + 2] = 2 * matrix[row * width]! - matrix[row * width + 1]!;
    const basis = Float32Array.from(matrix);
    orthonormalize(basis, width);
    for (let a = 0; a < width; a++) {
      for (let b = 0; b < width; b++) {
        const expected = a === b && a !== 2 ? 1 : 0;
        expect(dot(column(basis, width, a), column(basis, width, b))).toBeCloseTo(expected, 4);
      }
    }
  });
});

describe('symmetricEigen', () => {
  it('returns eigenvalues in descending order, with their vectors', () => {
    const { values, vectors } = symmetricEigen(Float64Array.of(2, 1, 0, 1, 2, 0, 0, 0, 5), 3);
    expect([...values].map((value) => Math.round(value * 1e9) / 1e9)).toEqual([5, 3, 1]);
    expect(Math.abs(vectors[6]!)).toBeCloseTo(1, 9);
    expect(vectors[1]! / vectors[4]!).toBeCloseTo(1, 9);
  });
});
