import { type Distance, isLargerBetter } from '../model/vectors.ts';
import type { Bitmap } from '../storage/bitmap.ts';
import type { DenseBlock } from '../storage/dense-block.ts';
import { scoreRows } from './score-rows.ts';
import { shortlistRows } from './shortlist-rows.ts';
import type { TopK } from './top-k.ts';

// A list of a hundred thousand rows for each query would keep the garbage collector busy.
let scratch = new Int32Array(0);

/**
 * Scores the candidates that have the vector and offers the best to `top`: larger is better (distances negated).
 *
 * @param query preprocessed for the block's distance, of the block's size
 * @param minScore only better scores are offered; on the same scale as the offered ones
 */
export function scanDense(
  block: DenseBlock,
  query: Float32Array,
  candidates: Bitmap,
  top: TopK,
  minScore: number = Number.NEGATIVE_INFINITY,
): void {
  if (scratch.length < block.capacity) scratch = new Int32Array(block.capacity);
  const found = candidates.clone().and(block.present).toArray(scratch);
  const rows = shortlistRows(block, query, found, top.limit);
  const scores = scoreRows(block, query, rows);
  for (let i = 0; i < rows.length; i++) {
    const score = scores[i] ?? 0;
    if (score > minScore && score >= top.threshold) top.push(rows[i] ?? 0, score);
  }
}

/** The distance or similarity that Qdrant reports for a score of `scanDense`. */
export function reportedScore(distance: Distance, score: number): number {
  return isLargerBetter(distance) || score === 0 ? score : -score;
}
