import type { DenseBlock } from '../storage/dense-block.ts';
import { type QuantizedQuery, type QuantizedRows, rowsPerCall } from '../storage/quantized-rows.ts';
import { TopK } from './top-k.ts';

// The rounding error of a 32-bit score, relative to the lengths of row and query.
const floatSlack = 1e-6;

/**
 * With fewer rows, or fewer than `minRowsPerHit` rows per requested hit, every row is scored
 * exactly.
 */
const minRows = 512;
const minRowsPerHit = 4;

/** Factors for the lower and upper bound of a row's score, given the product of codes. */
interface Bounds {
  readonly scale: number;
  readonly perError: number;
  readonly perNorm: number;
}

/**
 * Returns the bounds for a query. With row v = s·c + e and query q = t·d + f (codes c and d,
 * rounding errors e and f), v·q = s·t·(c·d) + s·c·f + e·q. By the Cauchy–Schwarz inequality, the
 * last two terms are at most (‖v‖ + ‖e‖)·‖f‖ + ‖e‖·‖q‖.
 */
function boundsOf({ scale, norm, errorNorm }: QuantizedQuery): Bounds {
  return { scale, perError: norm + errorNorm, perNorm: errorNorm + norm * floatSlack };
}

// The remaining rows and the upper bounds of their scores.
let keptRows = new Int32Array(0);
let highest = new Float64Array(0);

/**
 * Keeps the rows whose upper bound is not below the `limit`-th largest lower bound of the rows
 * before them. Fills `keptRows` and `highest`, and `best` with lower bounds. Returns the number of
 * kept rows.
 */
function keepPossible(quantized: QuantizedRows, query: QuantizedQuery, rows: Int32Array, best: TopK): number {
  const { scales, errorNorms, norms } = quantized;
  const { scale, perError, perNorm } = boundsOf(query);
  let count = 0;
  for (let from = 0; from < rows.length; from += rowsPerCall) {
    const to = Math.min(from + rowsPerCall, rows.length);
    const products = quantized.products(rows, from, to);
    let threshold = best.threshold;
    for (let i = from; i < to; i++) {
      const row = rows[i] ?? 0;
      const score = (products[i - from] ?? 0) * (scales[row] ?? 0) * scale;
      const radius = (errorNorms[row] ?? 0) * perError + (norms[row] ?? 0) * perNorm;
      if (score + radius < threshold) continue;
      keptRows[count] = row;
      highest[count++] = score + radius;
      if (score - radius <= threshold) continue;
      best.push(row, score - radius);
      threshold = best.threshold;
    }
  }
  return count;
}

/**
 * The same for Euclid, with −‖v − q‖² = 2·v·q − ‖v‖² − ‖q‖² as the score, which has the same order.
 */
function keepPossibleByDistance(quantized: QuantizedRows, query: QuantizedQuery, rows: Int32Array, best: TopK): number {
  const { scales, errorNorms, norms } = quantized;
  const { scale, perError, perNorm } = boundsOf(query);
  let count = 0;
  for (let from = 0; from < rows.length; from += rowsPerCall) {
    const to = Math.min(from + rowsPerCall, rows.length);
    const products = quantized.products(rows, from, to);
    for (let i = from; i < to; i++) {
      const row = rows[i] ?? 0;
      const length = norms[row] ?? 0;
      const score = 2 * (products[i - from] ?? 0) * (scales[row] ?? 0) * scale - length * length;
      const radius =
        2 * ((errorNorms[row] ?? 0) * perError + length * perNorm) + (length + query.norm) ** 2 * 4 * floatSlack;
      if (score + radius < best.threshold) continue;
      keptRows[count] = row;
      highest[count++] = score + radius;
      if (score - radius > best.threshold) best.push(row, score - radius);
    }
  }
  return count;
}

/**
 * Removes rows that cannot be among the best `limit`. All rows that an exact scan would return
 * remain, including ties: at least `limit` rows score at least the `limit`-th largest lower bound,
 * so a row with a smaller upper bound scores less than all of them.
 *
 * @param query a vector of the block's size, preprocessed for its distance
 * @param rows points that have the vector; overwritten with those that remain
 */
export function shortlistRows(block: DenseBlock, query: Float32Array, rows: Int32Array, limit: number): Int32Array {
  const { quantized } = block;
  if (!quantized || rows.length < minRows || rows.length < limit * minRowsPerHit) return rows;
  const prepared = quantized.prepare(query);
  if (!prepared) return rows;
  if (keptRows.length < rows.length) {
    keptRows = new Int32Array(block.capacity);
    highest = new Float64Array(block.capacity);
  }
  const best = new TopK(limit);
  const keep = block.distance === 'Euclid' ? keepPossibleByDistance : keepPossible;
  const count = keep(quantized, prepared, rows, best);
  let remaining = 0;
  for (let i = 0; i < count; i++) if ((highest[i] ?? 0) >= best.threshold) rows[remaining++] = keptRows[i] ?? 0;
  return rows.subarray(0, remaining);
}
