import { beforeClosest } from '@lectern/grounding';
import type { AnswerShape } from '#answer/answer-context';
import { answerLookup } from '#answer/answer-lookup';
import { bulletsOpening, composeBullets } from '#compose/compose-bullets';
import { composeList } from '#compose/compose-list';
import { contradicts } from '#contradicts';
import { selectBest } from '#select-best';
import { selectBlock } from '#select-block';

const LIMITS = { max: 6, ratio: 0.8 } as const;

/** Answers with a list from the sources, or with one bullet per sentence. */
export const answerList: AnswerShape = (context) => {
  const { question, verdict, missingFrom, scored, phrases, indexing, reply } = context;
  const block = verdict === 'none' ? undefined : selectBlock(scored, question);
  if (block && verdict === 'closest') reply.write(`${beforeClosest(phrases, indexing)} `);
  if (block) return composeList(block, phrases, reply);
  if (verdict !== 'answer') return answerLookup(context);
  const picked = selectBest(scored, missingFrom, LIMITS).map(({ candidate }) => candidate);
  if (picked.length < 2) return answerLookup(context);
  const [best, ...others] = picked;
  const differ = best !== undefined && others.some((other) => contradicts(other, best));
  composeBullets(picked, differ ? phrases.contradiction : bulletsOpening(picked, phrases), reply);
};
