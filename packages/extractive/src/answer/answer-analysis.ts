import type { AnswerShape } from '#answer/answer-context';
import { answerLookup } from '#answer/answer-lookup';
import { composePassage } from '#compose/compose-passage';
import { judgeBest } from '#judge-best';
import { selectBest } from '#select-best';
import { withAntecedents } from '#with-antecedents';

const LIMITS = { most: 5, ratio: 0.7 } as const;

/** A why or a weighing-up: more of what the documents say, for the reader to weigh. */
export const answerAnalysis: AnswerShape = (context) => {
  const { judge, scored, phrases, reply } = context;
  if (judgeBest(judge, scored[0]) !== 'answer') return answerLookup(context);
  const picked = selectBest(scored, LIMITS).map(({ candidate }) => candidate);
  composePassage(withAntecedents(picked), phrases, reply);
};
