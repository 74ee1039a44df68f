import type { Bitmap } from '../storage/bitmap.ts';
import type { DenseBlock } from '../storage/dense-block.ts';
import {
  type PreparedQuery,
  type QuantizedQuery,
  type QuantizedRows,
  rowsPerCall,
  type ScoreLimits,
} from '../storage/quantized-rows.ts';
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

// The coarse kernel reads all rows of a block. Its sums are 32-bit floats, whose rounding errors are
// relative to the lengths too.
const minCandidateShare = 0.25;
const coarseSlack = 4e-6;

/**
 * Returns the bounds for a query. With row v = s·c + e and query q = t·d + f (codes c and d,
 * rounding errors e and f), v·q = s·t·(c·d) + s·c·f + e·q. By the Cauchy–Schwarz inequality, the
 * last two terms are at most (‖v‖ + ‖e‖)·‖f‖ + ‖e‖·‖q‖.
 */
function boundsOf({ scale, norm, errorNorm }: QuantizedQuery, slack = floatSlack): Omit<ScoreLimits, 'least'> {
  return { scale, perError: norm + errorNorm, perNorm: errorNorm + norm * slack };
}

// The remaining rows and the upper bounds of their scores.
let keptRows = new Int32Array(0);
let highest = new Float64Array(0);

/** Sets the next rows for `products`, given the least possible score. Returns their number. */
type SelectRows = (least: number) => number;

/**
 * Keeps the rows whose upper bound is not below the `limit`-th largest lower bound of the rows
 * before them. Fills `keptRows` and `highest` from `count` on, and `best` with lower bounds. Returns
 * the number of kept rows.
 */
function keepSelected(
  quantized: QuantizedRows,
  { scale, perError, perNorm }: Omit<ScoreLimits, 'least'>,
  select: SelectRows,
  best: TopK,
  keptBefore: number,
): number {
  let count = keptBefore;
  let threshold = best.threshold;
  const products = quantized.products(select(threshold), { scale, perError, perNorm, least: threshold });
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
  return count;
}

function keepPossible(quantized: QuantizedRows, query: PreparedQuery, rows: Int32Array, best: TopK): number {
  const bounds = boundsOf(query);
  let count = 0;
  for (let from = 0, step = firstRows; from < rows.length; from += step, step = Math.min(step * 2, rowsPerCall)) {
    const to = Math.min(from + step, rows.length);
    count = keepSelected(quantized, bounds, () => quantized.select(rows, from, to), best, count);
  }
  return count;
}

/** The same for most rows of a block: a coarse comparison leaves out most of them. */
function keepPossibleOfMost(
  quantized: QuantizedRows,
  query: PreparedQuery & { readonly coarse: QuantizedQuery },
  candidates: Bitmap,
  capacity: number,
  best: TopK,
): number {
  const bounds = boundsOf(query);
  const coarse = boundsOf(query.coarse, coarseSlack);
  let count = 0;
  for (let from = 0, step = firstRows; from < capacity; from += step, step = Math.min(step * 2, rowsPerCall)) {
    const to = Math.min(from + step, capacity);
    const select = (least: number): number => quantized.selectRange(candidates, from, to, { ...coarse, least });
    count = keepSelected(quantized, bounds, select, best, count);
  }
  return count;
}

/**
 * The same for Euclid, with −‖v − q‖² = 2·v·q − ‖v‖² − ‖q‖² as the score, which has the same order.
 */
function keepPossibleByDistance(quantized: QuantizedRows, query: PreparedQuery, rows: Int32Array, best: TopK): number {
  const bounds = boundsOf(query);
  const { scale, perError, perNorm } = bounds;
  let count = 0;
  for (let from = 0; from < rows.length; from += rowsPerCall) {
    const to = Math.min(from + rowsPerCall, rows.length);
    const products = quantized.products(quantized.select(rows, from, to), {
      ...bounds,
      least: Number.NEGATIVE_INFINITY,
    });
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

// Reused, because allocating a list of a hundred thousand rows per query would burden the garbage
// collector.
let scratch = new Int32Array(0);

/**
 * Returns candidates that have the vector, without those that cannot be among the best `limit`. All rows that an
 * exact scan would return remain, including ties: at least `limit` rows score at least the `limit`-th
 * largest lower bound, so a row with a smaller upper bound scores less than all of them. The result is
 * valid until the next call.
 *
 * @param query a vector of the block's size, preprocessed for its distance
 */
export function shortlistRows(block: DenseBlock, query: Float32Array, candidates: Bitmap, limit: number): Int32Array {
  const { quantized, capacity } = block;
  if (scratch.length < capacity) {
    scratch = new Int32Array(capacity);
    keptRows = new Int32Array(capacity);
    highest = new Float64Array(capacity);
  }
  const present = candidates.clone().and(block.present);
  const rowCount = present.count();
  const prepared = rowCount < minRows || rowCount < limit * minRowsPerHit ? undefined : quantized?.prepare(query);
  if (!quantized || !prepared) return present.toArray(scratch);
  const best = new TopK(limit);
  const { coarse } = prepared;
  let count = 0;
  if (block.distance === 'Euclid') {
    count = keepPossibleByDistance(quantized, prepared, present.toArray(scratch), best);
  } else if (coarse && rowCount >= capacity * minCandidateShare) {
    count = keepPossibleOfMost(quantized, { ...prepared, coarse }, present, capacity, best);
  } else {
    count = keepPossible(quantized, prepared, present.toArray(scratch), best);
  }
  let remaining = 0;
  for (let i = 0; i < count; i++) if ((highest[i] ?? 0) >= best.threshold) scratch[remaining++] = keptRows[i] ?? 0;
  return scratch.subarray(0, remaining);
}
