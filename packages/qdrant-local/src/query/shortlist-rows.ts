import type { DenseBlock } from '../storage/dense-block.ts';
import { type QuantizedQuery, type QuantizedRows, rowsPerCall, type ScoreLimits } from '../storage/quantized-rows.ts';
import { TopK } from './top-k.ts';

// The rounding error of a 32-bit score, relative to the lengths of row and query.
const floatSlack = 1e-6;

/**
 * With fewer rows, or fewer than `minRowsPerHit` rows per requested hit, every row is scored
 * exactly.
 */
const minRows = 512;
const minRowsPerHit = 4;

// The first rows determine the threshold for the next ones, so calls start small.
const firstRows = 512;

/**
 * Returns the bounds for a query. With row v = s·c + e and query q = t·d + f (codes c and d,
 * rounding errors e and f), v·q = s·t·(c·d) + s·c·f + e·q. By the Cauchy–Schwarz inequality, the
 * last two terms are at most (‖v‖ + ‖e‖)·‖f‖ + ‖e‖·‖q‖.
 */
function boundsOf({ scale, norm, errorNorm }: QuantizedQuery): Omit<ScoreLimits, 'least'> {
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
  const bounds = boundsOf(query);
  const { scale, perError, perNorm } = bounds;
  let count = 0;
  for (let from = 0, step = firstRows; from < rows.length; from += step, step = Math.min(step * 2, rowsPerCall)) {
    const to = Math.min(from + step, rows.length);
    let threshold = best.threshold;
    const products = quantized.products(rows, from, to, { ...bounds, least: threshold });
    for (let i = 0; i < products.length; i += 2) {
      const row = products[i] ?? 0;
      const score = (products[i + 1] ?? 0) * quantized.scaleOf(row) * scale;
      const radius = quantized.errorNormOf(row) * perError + quantized.normOf(row) * perNorm;
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
  const bounds = boundsOf(query);
  const { scale, perError, perNorm } = bounds;
  let count = 0;
  for (let from = 0; from < rows.length; from += rowsPerCall) {
    const to = Math.min(from + rowsPerCall, rows.length);
    const products = quantized.products(rows, from, to, { ...bounds, least: Number.NEGATIVE_INFINITY });
    for (let i = 0; i < products.length; i += 2) {
      const row = products[i] ?? 0;
      const length = quantized.normOf(row);
      const score = 2 * (products[i + 1] ?? 0) * quantized.scaleOf(row) * scale - length * length;
      const radius =
        2 * (quantized.errorNormOf(row) * perError + length * perNorm) + (length + query.norm) ** 2 * 4 * floatSlack;
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
