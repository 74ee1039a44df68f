import type { Question } from '#evidence/question';
import type { ScoredCandidate } from '#evidence/score-candidates';
import { supportOf } from '#evidence/support';

/** `answer`: quote it as the answer; `closest`: quote it, saying that it is no answer; `none`: say that nothing was found. */
export type Verdict = 'answer' | 'closest' | 'none';

const ANSWER = 0.52;
const CLOSEST = 0.38;
/** Where more than this share of the question is spoken of nowhere, nothing is close to it. */
const MOST_ABSENT = 0.3;

/** What the best unit found is good for. */
export function judgeBest(question: Question, best: ScoredCandidate | undefined): Verdict {
  const support = best ? supportOf(question, best) : 0;
  if (support >= ANSWER) return 'answer';
  return best && support >= CLOSEST && best.absent <= MOST_ABSENT ? 'closest' : 'none';
}
