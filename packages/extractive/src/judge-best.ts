import { type Judge, MIN_ANSWER_PROBABILITY, type ScoredCandidate } from '@lectern/grounding';

/**
 * `answer`: quote it as the answer; `closest`: quote it as the closest passage; `none`: quote
 * nothing.
 */
export type Verdict = 'answer' | 'closest' | 'none';

/** A unit with less support has another subject. */
const CLOSEST = 0.01;
/** If the sources do not mention more than this share of the question, no passage is close. */
const MAX_ABSENT = 0.75;

/** Decides how to use the best unit. */
export function judgeBest(judge: Judge, best: ScoredCandidate | undefined): Verdict {
  const support = best ? judge(best) : 0;
  if (support >= MIN_ANSWER_PROBABILITY) return 'answer';
  return best && support >= CLOSEST && best.absent <= MAX_ABSENT ? 'closest' : 'none';
}
