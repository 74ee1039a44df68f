import { badInput } from '../errors.ts';
import type { Hit } from './types.ts';

// Each step is rounded to 32 bits like in Qdrant, so that scores are identical.
function rankScore(rank: number, k: number, weight: number): number {
  if (weight <= 0) return 0;
  return Math.fround(1 / Math.fround(Math.fround(Math.fround((rank + 1) / Math.fround(weight)) + k) - 1));
}

function bestFirst(scores: ReadonlyMap<number, number>): Hit[] {
  // Sorting is stable, so equal scores keep the order of the lists.
  return [...scores].map(([offset, score]) => ({ offset, score })).sort((a, b) => b.score - a.score);
}

/**
 * Fuses lists by reciprocal rank, like Qdrant: a point at rank r (from 0) in a list of weight w
 * gets 1 / ((r + 1) / w + k − 1), which is 1 / (r + k) without weights. Uses 32-bit floats.
 *
 * @throws QdrantError 400 if the numbers of weights and lists differ
 */
export function fuseByRank(lists: readonly (readonly Hit[])[], k: number, weights?: readonly number[]): Hit[] {
  if (weights && weights.length !== lists.length)
    throw badInput(
      `Validation failed: Number of weights in RRF should match number of pre-fetches: got ${weights.length}, expected ${lists.length}`,
    );
  const scores = new Map<number, number>();
  lists.forEach((list, i) => {
    const weight = weights?.[i] ?? 1;
    list.forEach((hit, rank) => {
      scores.set(hit.offset, Math.fround((scores.get(hit.offset) ?? 0) + rankScore(rank, k, weight)));
    });
  });
  return bestFirst(scores);
}

// Mean and sample deviation in one pass (Welford), in 32-bit floats like Qdrant.
function meanAndDeviation(list: readonly Hit[]): { mean: number; deviation: number } {
  let mean = 0;
  let aggregate = 0;
  list.forEach((hit, i) => {
    const before = Math.fround(hit.score - mean);
    mean = Math.fround(mean + Math.fround(before / (i + 1)));
    aggregate = Math.fround(aggregate + Math.fround(before * Math.fround(hit.score - mean)));
  });
  return { mean, deviation: Math.fround(Math.sqrt(Math.fround(aggregate / (list.length - 1)))) };
}

function normalize(list: readonly Hit[]): readonly Hit[] {
  if (list.length < 2) return list.map((hit) => ({ ...hit, score: 0.5 }));
  const { mean, deviation } = meanAndDeviation(list);
  const low = Math.fround(mean - Math.fround(3 * deviation));
  const high = Math.fround(mean + Math.fround(3 * deviation));
  if (low === high) return list.map((hit) => ({ ...hit, score: 0.5 }));
  return list.map((hit) => ({ ...hit, score: Math.fround(Math.fround(hit.score - low) / Math.fround(high - low)) }));
}

/**
 * Fuses lists by score distribution: scales mean ± 3 deviations of each list to 0 and 1, then adds.
 */
export function fuseByDistribution(lists: readonly (readonly Hit[])[]): Hit[] {
  const scores = new Map<number, number>();
  for (const list of lists)
    for (const hit of normalize(list)) scores.set(hit.offset, Math.fround((scores.get(hit.offset) ?? 0) + hit.score));
  return bestFirst(scores);
}
