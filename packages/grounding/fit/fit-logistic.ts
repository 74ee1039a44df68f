/** A row of features, with its label and weight. */
export interface Row {
  readonly features: readonly number[];
  readonly answers: boolean;
  readonly weight: number;
}

/** The bias and the weight of each feature, in log-odds. */
export interface Fitted {
  readonly bias: number;
  readonly weights: readonly number[];
}

const STEPS = 40;
const CLOSE_ENOUGH = 1e-7;

/**
 * Fits a logistic regression with an L2 penalty on the weights of standardized features, by
 * Newton's method (iteratively reweighted least squares; Hastie, Tibshirani and Friedman, The
 * Elements of Statistical Learning, 2009, 4.4.1). Returns the weights of the features before
 * standardization.
 */
export function fitLogistic(rows: readonly Row[], penalty: number): Fitted {
  const size = rows[0]?.features.length ?? 0;
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const columns = Array.from({ length: size }, (_, at) => at);
  const mean = columns.map(
    (at) => rows.reduce((sum, { features, weight }) => sum + weight * (features[at] ?? 0), 0) / total,
  );
  const spread = columns.map((at) => {
    const variance = rows.reduce(
      (sum, { features, weight }) => sum + weight * ((features[at] ?? 0) - (mean[at] ?? 0)) ** 2,
      0,
    );
    return Math.sqrt(variance / total) || 1;
  });
  const width = size + 1;
  const scaled = Float64Array.from({ length: rows.length * width }, (_, at) => {
    const column = at % width;
    const value = rows[Math.floor(at / width)]?.features[column] ?? 0;
    return column === size ? 1 : (value - (mean[column] ?? 0)) / (spread[column] ?? 1);
  });
  let beta: number[] = Array.from({ length: width }, () => 0);
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = Float64Array.from(beta, (value, at) => (at < size ? penalty * value : 0));
    const upper = new Float64Array(width * width);
    for (const [at, row] of rows.entries()) {
      const x = scaled.subarray(at * width, (at + 1) * width);
      const chance = 1 / (1 + Math.exp(-dot(x, beta)));
      const error = row.weight * (chance - Number(row.answers));
      const curve = row.weight * chance * (1 - chance);
      for (let i = 0; i < width; i += 1) {
        const value = x[i] ?? 0;
        gradient[i] = (gradient[i] ?? 0) + error * value;
        for (let j = i; j < width; j += 1) {
          upper[i * width + j] = (upper[i * width + j] ?? 0) + curve * value * (x[j] ?? 0);
        }
      }
    }
    const hessian = beta.map((_, i) =>
      beta.map((__, j) => (upper[Math.min(i, j) * width + Math.max(i, j)] ?? 0) + (i === j && i < size ? penalty : 0)),
    );
    const move = solve(hessian, [...gradient]);
    beta = beta.map((value, at) => value - (move[at] ?? 0));
    if (Math.max(...move.map(Math.abs)) < CLOSE_ENOUGH) break;
  }
  const weights = columns.map((at) => (beta[at] ?? 0) / (spread[at] ?? 1));
  return { weights, bias: (beta[size] ?? 0) - dot(weights, mean) };
}

/** Solves a small positive definite system by Gaussian elimination with partial pivoting. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  const size = rows.length;
  for (let column = 0; column < size; column += 1) {
    const rest = rows.slice(column);
    const best = rest.reduce((a, b) => (Math.abs(b[column] ?? 0) > Math.abs(a[column] ?? 0) ? b : a));
    rows.splice(rows.indexOf(best, column), 1);
    rows.splice(column, 0, best);
    const pivot = best[column] ?? 1;
    for (const [at, row] of rows.entries()) {
      if (at === column) continue;
      const factor = (row[column] ?? 0) / pivot;
      for (let k = column; k <= size; k += 1) row[k] = (row[k] ?? 0) - factor * (best[k] ?? 0);
    }
  }
  return rows.map((row, at) => (row[size] ?? 0) / (row[at] ?? 1));
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
