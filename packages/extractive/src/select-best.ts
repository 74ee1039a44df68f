import { type ConstraintCheck, overlap, type ScoredCandidate } from '@lectern/grounding';
import { contradicts } from '#contradicts';

export interface SelectionLimits {
  /** The maximum number of units. */
  readonly max: number;
  /** The lowest score, as a share of the best one. */
  readonly ratio: number;
}

/**
 * Weight of relevance against novelty in maximal marginal relevance (Carbonell and Goldstein,
 * 1998).
 */
const LAMBDA = 0.75;
/** Units that share more of their terms repeat each other. */
const REPEATED = 0.8;

/**
 * Selects the best units that do not repeat each other, best first: first those of other documents
 * that contradict the best one and lack nothing that the question names. `scored` is best first.
 */
export function selectBest(
  scored: readonly ScoredCandidate[],
  missingFrom: ConstraintCheck['missingFrom'],
  { max, ratio }: SelectionLimits,
): ScoredCandidate[] {
  const best = scored[0];
  if (!best) return [];
  const contrary = new Set(scored.filter(({ candidate }) => contradicts(candidate, best.candidate)));
  const complete = [...contrary].filter(({ candidate }) => missingFrom(candidate).length === 0);
  const picked = [best, ...complete.slice(0, max - 1)];
  let pool = scored.filter((entry) => entry !== best && !contrary.has(entry) && entry.score >= best.score * ratio);
  while (picked.length < max && pool.length > 0) {
    const ranked = pool
      .map((entry) => ({ entry, same: Math.max(...picked.map((other) => overlap(entry.candidate, other.candidate))) }))
      .filter(({ same }) => same < REPEATED)
      .map(({ entry, same }) => ({ entry, value: LAMBDA * entry.score - (1 - LAMBDA) * same * best.score }))
      .sort((a, b) => b.value - a.value);
    const next = ranked[0]?.entry;
    if (!next) break;
    picked.push(next);
    pool = ranked.slice(1).map(({ entry }) => entry);
  }
  return picked;
}
