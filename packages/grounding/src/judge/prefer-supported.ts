import type { ConstraintCheck } from '#constraints/check-constraints';
import type { ScoredCandidate } from '#evidence/score-candidates';
import { MIN_ANSWER_PROBABILITY } from '#evidence/support-weights';
import type { Judge } from '#judge/support';

/** Units with at least this share of the best score are ordered by support. */
const CLOSE = 0.8;
const MAX_REORDERED = 12;
/** The weight of support relative to the score. Both are about 0 to 1. */
const WEIGHT = 0.15;

/**
 * Orders units with similar scores by their support, which also considers the whole passage and the
 * other documents. Units that lack a year or number of the question come after those that have it,
 * if one of these answers. `scored` and the result are best first; scores do not change.
 */
export function preferSupported(
  scored: readonly ScoredCandidate[],
  judge: Judge,
  { missingFrom }: ConstraintCheck,
): ScoredCandidate[] {
  const complete = scored.filter(({ candidate }) => missingFrom(candidate).length === 0);
  const ordered = bySupport(complete, judge);
  const [best] = ordered;
  if (complete.length === scored.length) return ordered;
  if (best === undefined || judge(best) < MIN_ANSWER_PROBABILITY) return bySupport(scored, judge);
  return [...ordered, ...scored.filter((entry) => !complete.includes(entry))];
}

function bySupport(scored: readonly ScoredCandidate[], judge: Judge): ScoredCandidate[] {
  const floor = (scored[0]?.score ?? 0) * CLOSE;
  const close = scored.filter(({ score }, at) => at < MAX_REORDERED && score >= floor);
  const reordered = close
    .map((entry) => ({ entry, rank: entry.score + WEIGHT * judge(entry) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ entry }) => entry);
  return [...reordered, ...scored.slice(close.length)];
}
