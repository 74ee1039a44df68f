import { addScaled } from '#linear-algebra/sparse-matrix';

/**
 * Returns `transpose(matrix) · matrix` in double precision: symmetric, `width × width`, row-major.
 */
export function gramMatrix(matrix: Float32Array, width: number): Float64Array {
  const gram = new Float64Array(width * width);
  for (let row = 0; row < matrix.length; row += width) {
    for (let a = 0; a < width; a++) {
      const value = matrix[row + a] ?? 0;
      if (value === 0) continue;
      const to = a * width;
      for (let b = a; b < width; b++) gram[to + b] = (gram[to + b] ?? 0) + value * (matrix[row + b] ?? 0);
    }
  }
  for (let a = 0; a < width; a++) {
    for (let b = 0; b < a; b++) gram[a * width + b] = gram[b * width + a] ?? 0;
  }
  return gram;
}

/**
 * Returns `matrix · factor`, where `matrix` has `width` columns and `factor` is `width × outWidth`.
 */
export function multiplyDense(
  matrix: Float32Array,
  width: number,
  factor: Float32Array,
  outWidth: number,
): Float32Array {
  const rows = matrix.length / width;
  const product = new Float32Array(rows * outWidth);
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < width; k++) {
      const value = matrix[row * width + k] ?? 0;
      if (value !== 0) addScaled(product, row * outWidth, factor, k * outWidth, value, outWidth);
    }
  }
  return product;
}
