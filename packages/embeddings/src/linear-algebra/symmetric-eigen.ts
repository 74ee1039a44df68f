/**
 * Eigenvalues of a symmetric matrix, largest first, and its eigenvectors as columns in the same
 * order.
 */
export interface Eigen {
  readonly values: Float64Array;
  /** `width × width`, row-major. */
  readonly vectors: Float64Array;
}

const MAX_SWEEPS = 30;

/** The rotations end when the values off the diagonal are below this share of the whole. */
const TOLERANCE = 1e-12;

/**
 * Computes the eigenvalues by cyclic Jacobi rotations (Golub and Van Loan, Matrix Computations,
 * 8.5). Slower than tridiagonal methods, but fast enough for a few hundred columns: short,
 * accurate, and the same on every machine.
 */
export function symmetricEigen(matrix: Float64Array, width: number): Eigen {
  const a = Float64Array.from(matrix);
  // Eigenvectors are rows here, so that a rotation reads memory in order.
  const basis = new Float64Array(width * width);
  for (let i = 0; i < width; i++) basis[i * width + i] = 1;
  const whole = Math.hypot(...diagonalOf(a, width)) || 1;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let largest = 0;
    for (let p = 0; p < width; p++) {
      for (let q = p + 1; q < width; q++) {
        const offDiagonal = a[p * width + q] ?? 0;
        largest = Math.max(largest, Math.abs(offDiagonal));
        if (Math.abs(offDiagonal) > whole * TOLERANCE) rotate(a, basis, width, p, q);
      }
    }
    if (largest <= whole * TOLERANCE) break;
  }
  return sorted(diagonalOf(a, width), basis, width);
}

/** Applies the rotation that makes `a[p][q]` zero to both sides of `a` and to the basis. */
function rotate(a: Float64Array, basis: Float64Array, width: number, p: number, q: number): void {
  const theta = ((a[q * width + q] ?? 0) - (a[p * width + p] ?? 0)) / (2 * (a[p * width + q] ?? 0));
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cos = 1 / Math.sqrt(t * t + 1);
  const sin = t * cos;
  rotatePair(a, p, q, width, width, 1, cos, sin);
  rotatePair(a, p, q, 1, width, width, cos, sin);
  rotatePair(basis, p, q, width, width, 1, cos, sin);
}

/**
 * Rotates two lines of a matrix: rows with `line = width, step = 1`, columns with `line = 1, step =
 * width`.
 */
function rotatePair(
  matrix: Float64Array,
  p: number,
  q: number,
  line: number,
  length: number,
  step: number,
  cos: number,
  sin: number,
): void {
  let atP = p * line;
  let atQ = q * line;
  for (let i = 0; i < length; i++) {
    const x = matrix[atP] ?? 0;
    const y = matrix[atQ] ?? 0;
    matrix[atP] = cos * x - sin * y;
    matrix[atQ] = sin * x + cos * y;
    atP += step;
    atQ += step;
  }
}

function diagonalOf(matrix: Float64Array, width: number): Float64Array {
  return Float64Array.from({ length: width }, (_, i) => matrix[i * width + i] ?? 0);
}

function sorted(values: Float64Array, basis: Float64Array, width: number): Eigen {
  const order = [...values.keys()].sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
  const vectors = new Float64Array(width * width);
  for (const [column, from] of order.entries()) {
    for (let row = 0; row < width; row++) vectors[row * width + column] = basis[from * width + row] ?? 0;
  }
  return { values: Float64Array.from(order, (from) => values[from] ?? 0), vectors };
}
