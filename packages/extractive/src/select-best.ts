import { overlap, type ScoredCandidate } from '@lectern/grounding';

export interface SelectionLimits {
  /** At most this many units. */
  readonly most: number;
  /** Units scoring less than this share of the best one stay out. */
  readonly ratio: number;
}

/** Weight of relevance against novelty in maximal marginal relevance (Carbonell and Goldstein, 1998). */
const LAMBDA = 0.75;
/** Two units that share more of their terms than this say the same. */
const SAME = 0.8;

/** Picks the best units that do not repeat each other, best first. `scored` is best first. */
export function selectBest(scored: readonly ScoredCandidate[], { most, ratio }: SelectionLimits): ScoredCandidate[] {
  const best = scored[0];
  if (!best) return [];
  const picked = [best];
  let pool = scored.filter((entry) => entry !== best && entry.score >= best.score * ratio);
  while (picked.length < most && pool.length > 0) {
    const ranked = pool
      .map((entry) => ({ entry, same: Math.max(...picked.map((other) => overlap(entry.candidate, other.candidate))) }))
      .filter(({ same }) => same < SAME)
      .map(({ entry, same }) => ({ entry, value: LAMBDA * entry.score - (1 - LAMBDA) * same * best.score }))
      .sort((a, b) => b.value - a.value);
    const next = ranked[0]?.entry;
    if (!next) break;
    picked.push(next);
    pool = ranked.slice(1).map(({ entry }) => entry);
  }
  return picked;
}
