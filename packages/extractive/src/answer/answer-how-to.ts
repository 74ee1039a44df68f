import type { Candidate } from '@lectern/grounding';
import { addAntecedents } from '#add-antecedents';
import type { AnswerShape } from '#answer/answer-context';
import { answerLookup } from '#answer/answer-lookup';
import { composeList } from '#compose/compose-list';
import { composePassage } from '#compose/compose-passage';
import { judgeBest } from '#judge-best';
import { selectBest } from '#select-best';
import { selectBlock } from '#select-block';

const LIMITS = { max: 3, ratio: 0.8 } as const;
/** The number of sentences after the best one that are quoted as next steps. */
const FOLLOWING = 2;

/** Answers a how-to question with a list of steps, or with sentences and the ones that follow. */
export const answerHowTo: AnswerShape = (context) => {
  const { judge, scored, phrases, reply } = context;
  if (judgeBest(judge, scored[0]) !== 'answer') return answerLookup(context);
  const block = selectBlock(scored);
  if (block?.ordered) return composeList(block, phrases, reply);
  const picked = selectBest(scored, LIMITS).map(({ candidate }) => candidate);
  const [best, ...others] = picked;
  const steps = best ? [...following(best), ...others] : [];
  composePassage(addAntecedents([...new Set(steps)]), phrases, reply);
};

function following(candidate: Candidate): Candidate[] {
  const sentences = [candidate];
  for (let next = candidate.next; next && sentences.length <= FOLLOWING; next = next.next) sentences.push(next);
  return sentences;
}
