import type { ScoredCandidate } from '#evidence/score-candidates';
import type { Judge } from '#evidence/support';

/** Units that come this close to the best, and at most so many, are told apart by their support. */
const CLOSE = 0.8;
const MOST = 12;
/** What support counts against a score; scores are about 0 to 1 too. */
const WEIGHT = 0.15;

/**
 * Puts first, of the units that answer about equally well by their words, those that the judge believes: it knows the whole passage and the rival
 * documents. `scored` is best first; so is the result, scores as they were.
 */
export function preferSupported(scored: readonly ScoredCandidate[], judge: Judge): ScoredCandidate[] {
  const floor = (scored[0]?.score ?? 0) * CLOSE;
  const close = scored.filter(({ score }, at) => at < MOST && score >= floor);
  const lifted = close
    .map((entry) => ({ entry, rank: entry.score + WEIGHT * judge(entry) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ entry }) => entry);
  return [...lifted, ...scored.slice(close.length)];
}
