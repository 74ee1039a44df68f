import type { Candidate } from '@lectern/grounding';
import type { AnswerShape } from '#answer/answer-context';
import { answerLookup } from '#answer/answer-lookup';
import { composeList } from '#compose/compose-list';
import { composePassage } from '#compose/compose-passage';
import { judgeBest } from '#judge-best';
import { selectBest } from '#select-best';
import { selectBlock } from '#select-block';
import { withAntecedents } from '#with-antecedents';

const LIMITS = { most: 3, ratio: 0.8 } as const;
/** Prose tells the next step in the next sentence. */
const FOLLOWING = 2;

/** A way to do something: steps as they were listed, or the sentences that tell it with what follows them. */
export const answerHowTo: AnswerShape = (context) => {
  const { judge, scored, phrases, reply } = context;
  if (judgeBest(judge, scored[0]) !== 'answer') return answerLookup(context);
  const block = selectBlock(scored);
  if (block?.ordered) return composeList(block, phrases, reply);
  const picked = selectBest(scored, LIMITS).map(({ candidate }) => candidate);
  const [best, ...others] = picked;
  const told = best ? [...following(best), ...others] : [];
  composePassage(withAntecedents([...new Set(told)]), phrases, reply);
};

function following(candidate: Candidate): Candidate[] {
  const told = [candidate];
  for (let next = candidate.next; next && told.length <= FOLLOWING; next = next.next) told.push(next);
  return told;
}
