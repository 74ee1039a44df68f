import { type Distance, isLargerBetter } from '../model/vectors.ts';
import type { Bitmap } from '../storage/bitmap.ts';
import type { DenseBlock } from '../storage/dense-block.ts';
import { scoreRows } from './score-rows.ts';
import type { TopK } from './top-k.ts';

function scoresWithMemo(
  block: DenseBlock,
  query: Float32Array,
  offsets: Int32Array,
  memo: Float32Array | undefined,
): Float32Array {
  if (!memo) return scoreRows(block, query, offsets);
  const missing = offsets.filter((offset) => Number.isNaN(memo[offset]));
  scoreRows(block, query, missing).forEach((score, i) => {
    memo[missing[i] ?? 0] = score;
  });
  return Float32Array.from(offsets, (offset) => memo[offset] ?? 0);
}

/**
 * Scores the candidates that have the vector and offers them to `top`: larger is better (distances negated).
 *
 * @param query preprocessed for the block's distance, of the block's size
 * @param minScore only better scores are offered; on the same scale as the offered ones
 * @param memo scores of an earlier scan with the same query by offset, NaN where there is none; filled in
 */
export function scanDense(
  block: DenseBlock,
  query: Float32Array,
  candidates: Bitmap,
  top: TopK,
  minScore: number = Number.NEGATIVE_INFINITY,
  memo?: Float32Array,
): void {
  const offsets = candidates.clone().and(block.present).toArray();
  const scores = scoresWithMemo(block, query, offsets, memo);
  for (let i = 0; i < offsets.length; i++) {
    const score = scores[i] ?? 0;
    if (score > minScore && score >= top.threshold) top.push(offsets[i] ?? 0, score);
  }
}

/** The distance or similarity that Qdrant reports for a score of `scanDense`. */
export function reportedScore(distance: Distance, score: number): number {
  return isLargerBetter(distance) || score === 0 ? score : -score;
}
