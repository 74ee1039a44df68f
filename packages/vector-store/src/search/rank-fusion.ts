import type { Leg } from '#search/legs';

/**
 * The constant of reciprocal rank fusion (Cormack et al., 2009). 2 is Qdrant's default and measured better than larger ones where the legs differ
 * in strength: with 60 the weaker leg's first places outrun most of the stronger one's.
 */
export const RRF_K = 2;

/**
 * The fused score of a passage that is first in every leg, by Qdrant's formula for weighted legs: the sum of `1 / (rank / weight + k − 1)`, ranks
 * from 1. Fused scores are divided by it to run from 0 to 1.
 */
export function bestFusedScore(legs: readonly Leg[]): number {
  return legs.reduce((sum, { weight }) => sum + 1 / (1 / weight + RRF_K - 1), 0);
}
