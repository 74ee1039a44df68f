import { addAntecedents } from '#add-antecedents';
import type { AnswerShape } from '#answer/answer-context';
import { answerLookup } from '#answer/answer-lookup';
import { composePassage } from '#compose/compose-passage';
import { selectBest } from '#select-best';

const LIMITS = { max: 5, ratio: 0.79 } as const;

/** Answers a "why" question or an assessment with several quotes. */
export const answerAnalysis: AnswerShape = (context) => {
  const { verdict, missingFrom, scored } = context;
  if (verdict !== 'answer') return answerLookup(context);
  const picked = selectBest(scored, missingFrom, LIMITS).map(({ candidate }) => candidate);
  composePassage(addAntecedents(picked), context);
};
