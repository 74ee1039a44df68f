import type { DenseBlock } from '../storage/dense-block.ts';
import { type QuantizedQuery, type QuantizedRows, rowsPerCall } from '../storage/quantized-rows.ts';
import { TopK } from './top-k.ts';

// Room for what rounding to 32 bits changes of a score, as a share of the lengths of row and query.
const floatSlack = 1e-6;

/** Below this many rows, or with fewer than `minRowsPerHit` rows for each wanted hit, every row is scored exactly. */
const minRows = 512;
const minRowsPerHit = 4;

/** Approximate scores of rows, each with how far from the exact score it may be. */
class Approximation {
  readonly #quantized: QuantizedRows;
  readonly #query: QuantizedQuery;
  readonly #isEuclid: boolean;

  constructor(quantized: QuantizedRows, query: QuantizedQuery, isEuclid: boolean) {
    this.#quantized = quantized;
    this.#query = query;
    this.#isEuclid = isEuclid;
  }

  /**
   * Fills in the least and the largest that each row may score. With row v = s·c + e and query q = t·d + f (c, d the codes, e, f what
   * rounding left out), v·q = s·t·(c·d) + s·c·f + e·q, and by Cauchy and Schwarz the last two terms are at most
   * (‖v‖ + ‖e‖)·‖f‖ + ‖e‖·‖q‖. For Euclid the score is taken as −‖v − q‖² = 2·v·q − ‖v‖² − ‖q‖², in the same order.
   */
  bound(rows: Int32Array, lowest: Float64Array, highest: Float64Array): void {
    const { scales, errorNorms, norms } = this.#quantized;
    const { scale, norm, errorNorm } = this.#query;
    const perError = norm + errorNorm;
    const perNorm = errorNorm + norm * floatSlack;
    const isEuclid = this.#isEuclid;
    for (let from = 0; from < rows.length; from += rowsPerCall) {
      const to = Math.min(from + rowsPerCall, rows.length);
      const products = this.#quantized.products(rows, from, to);
      for (let i = from; i < to; i++) {
        const row = rows[i] ?? 0;
        const length = norms[row] ?? 0;
        let score = (products[i - from] ?? 0) * (scales[row] ?? 0) * scale;
        let radius = (errorNorms[row] ?? 0) * perError + length * perNorm;
        if (isEuclid) {
          score = 2 * score - length * length;
          radius = 2 * radius + (length + norm) ** 2 * 4 * floatSlack;
        }
        lowest[i] = score - radius;
        highest[i] = score + radius;
      }
    }
  }
}

let lowest = new Float64Array(0);
let highest = new Float64Array(0);

/**
 * Leaves out rows that cannot be among the best `limit`: what remains holds every row that an exact scan would choose,
 * rows of equal score included. At least `limit` rows score no less than the `limit`-th largest lower bound, so a row
 * whose upper bound is below it scores less than all of them.
 *
 * @param query preprocessed for the block's distance, of the block's size
 * @param rows points that have the vector; overwritten with those that remain
 */
export function shortlistRows(block: DenseBlock, query: Float32Array, rows: Int32Array, limit: number): Int32Array {
  const { quantized } = block;
  if (!quantized || rows.length < minRows || rows.length < limit * minRowsPerHit) return rows;
  const prepared = quantized.prepare(query);
  if (!prepared) return rows;
  if (lowest.length < rows.length) {
    lowest = new Float64Array(block.capacity);
    highest = new Float64Array(block.capacity);
  }
  new Approximation(quantized, prepared, block.distance === 'Euclid').bound(rows, lowest, highest);
  const bounds = new TopK(limit);
  for (let i = 0; i < rows.length; i++) if ((lowest[i] ?? 0) > bounds.threshold) bounds.push(i, lowest[i] ?? 0);
  let kept = 0;
  for (let i = 0; i < rows.length; i++) if ((highest[i] ?? 0) >= bounds.threshold) rows[kept++] = rows[i] ?? 0;
  return rows.subarray(0, kept);
}
