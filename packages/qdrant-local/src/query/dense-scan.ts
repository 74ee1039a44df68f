import { type Distance, isLargerBetter } from '../model/vectors.ts';
import type { Bitmap } from '../storage/bitmap.ts';
import type { DenseBlock } from '../storage/dense-block.ts';
import { scoreRows } from './score-rows.ts';
import { shortlistRows } from './shortlist-rows.ts';
import type { TopK } from './top-k.ts';

/**
 * Scores the candidates that have the vector and pushes the best to `top`. Larger is better
 * (distances are negated).
 *
 * @param query a vector of the block's size, preprocessed for its distance
 * @param minScore the exclusive lower bound of scores, on the scale of `top`
 */
export function scanDense(
  block: DenseBlock,
  query: Float32Array,
  candidates: Bitmap,
  top: TopK,
  minScore: number = Number.NEGATIVE_INFINITY,
): void {
  const rows = shortlistRows(block, query, candidates, top.limit);
  const scores = scoreRows(block, query, rows);
  for (let i = 0; i < rows.length; i++) {
    const score = scores[i] ?? 0;
    if (score > minScore && score >= top.threshold) top.push(rows[i] ?? 0, score);
  }
}

/** Converts a score of `scanDense` to the distance or similarity that Qdrant reports. */
export function reportedScore(distance: Distance, score: number): number {
  return isLargerBetter(distance) || score === 0 ? score : -score;
}
