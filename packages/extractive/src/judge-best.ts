import { ANSWER_FROM, type Judge, type ScoredCandidate } from '@lectern/grounding';

/** `answer`: quote it as the answer; `closest`: quote it, saying that it is no answer; `none`: say that nothing was found. */
export type Verdict = 'answer' | 'closest' | 'none';

/** A reader is better served with the closest passage, called that, than with nothing; below this it is about something else. */
const CLOSEST = 0.06;
/** Where more than this share of the question is spoken of nowhere, nothing is close to it. */
const MOST_ABSENT = 0.5;

/** What the best unit found is good for. */
export function judgeBest(judge: Judge, best: ScoredCandidate | undefined): Verdict {
  const support = best ? judge(best) : 0;
  if (support >= ANSWER_FROM) return 'answer';
  return best && support >= CLOSEST && best.absent <= MOST_ABSENT ? 'closest' : 'none';
}
