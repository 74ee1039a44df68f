import { beforeClosest, type Candidate } from '@lectern/grounding';
import { addAntecedents } from '#add-antecedents';
import type { AnswerShape } from '#answer/answer-context';
import { answerLookup } from '#answer/answer-lookup';
import { composePassage } from '#compose/compose-passage';
import { composeSection } from '#compose/compose-section';
import { selectBest } from '#select-best';
import { selectInstructions } from '#select-section';

const LIMITS = { max: 3, ratio: 0.86 } as const;
/** The number of sentences after the best one that are quoted as next steps. */
const FOLLOWING = 2;
/** The share of a reply for a quoted section. The rest is for its introduction and its marker. */
const SECTION_SHARE = 0.8;

/**
 * Answers a how-to question with the section that has the steps or the code, or with sentences and
 * the ones that follow.
 */
export const answerHowTo: AnswerShape = (context) => {
  const { verdict, missingFrom, scored, phrases, indexing, reply, maxTokens } = context;
  const instructions = verdict === 'none' ? undefined : selectInstructions(scored, maxTokens * SECTION_SHARE);
  if (instructions) {
    if (verdict === 'closest') reply.write(`${beforeClosest(phrases, indexing)} `);
    return composeSection(instructions, phrases, reply);
  }
  if (verdict !== 'answer') return answerLookup(context);
  const picked = selectBest(scored, missingFrom, LIMITS).map(({ candidate }) => candidate);
  const [best, ...others] = picked;
  const steps = best ? [...following(best), ...others] : [];
  composePassage(addAntecedents([...new Set(steps)]), context);
};

function following(candidate: Candidate): Candidate[] {
  const sentences = [candidate];
  for (let next = candidate.next; next && sentences.length <= FOLLOWING; next = next.next) sentences.push(next);
  return sentences;
}
