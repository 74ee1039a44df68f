import { beforeClosest, type ScoredCandidate } from '@lectern/grounding';
import { addAntecedents } from '#add-antecedents';
import { addNeighbors } from '#add-neighbors';
import type { AnswerShape } from '#answer/answer-context';
import { composeList } from '#compose/compose-list';
import { composeNoAnswer } from '#compose/compose-no-answer';
import { composePassage } from '#compose/compose-passage';
import { selectBest } from '#select-best';
import { LEAD_IN, selectBlock } from '#select-block';

const LIMITS = { max: 3, ratio: 0.84 } as const;
/**
 * If the best unit has exactly the form of the answer, other units need at least this much evidence
 * of it.
 */
const MIN_EVIDENCE = 0.5;

/** The lowest score of the closest unit of a second document, as a share of the best one. */
const CLOSEST_RATIO = 0.6;

/**
 * Answers with a fact: the best sentence, the neighbors that complete it, and up to two similar
 * ones.
 */
export const answerLookup: AnswerShape = (context) => {
  const { question, verdict, missingFrom, scored, phrases, indexing, reply } = context;
  if (verdict === 'none') return composeNoAnswer(context);
  const complete = scored[0]?.evidence === 1;
  const fitting = complete ? scored.filter(({ evidence }) => evidence >= MIN_EVIDENCE) : scored;
  const [best, ...others] = verdict === 'answer' ? selectBest(fitting, missingFrom, LIMITS) : closestOf(fitting);
  if (best === undefined) return composeNoAnswer(context);
  if (verdict === 'closest') reply.write(`${beforeClosest(phrases, indexing)} `);
  const announced = LEAD_IN.test(best.candidate.unit.text) ? selectBlock([best, ...scored], question) : undefined;
  if (announced) return composeList(announced, phrases, reply);
  const picked = new Set([...addNeighbors(best, scored, question), ...others.map(({ candidate }) => candidate)]);
  composePassage(addAntecedents([...picked]), context);
};

/** Returns the best unit, and the best one of another document: retrieval alone decides here. */
function closestOf(scored: readonly ScoredCandidate[]): ScoredCandidate[] {
  const [best] = scored;
  if (!best) return [];
  const other = scored.find(({ candidate }) => candidate.source.id !== best.candidate.source.id);
  return other && other.score >= best.score * CLOSEST_RATIO ? [best, other] : [best];
}
