import type { AnswerShape } from '#answer/answer-context';
import { composePassage } from '#compose/compose-passage';
import { judgeBest } from '#judge-best';
import { selectBest } from '#select-best';
import { withAntecedents } from '#with-antecedents';
import { withNeighbours } from '#with-neighbours';

const LIMITS = { most: 3, ratio: 0.77 } as const;
/** Once the best unit has all the signs of the answer, others need at least this much of them. */
const SIGNS_WANTED = 0.5;

/** A fact: the sentence that holds it, with what completes it beside it, and up to two that come close to it. */
export const answerLookup: AnswerShape = ({ judge, scored, phrases, reply }) => {
  const verdict = judgeBest(judge, scored[0]);
  if (verdict === 'none') return reply.say(phrases.notFound);
  const most = verdict === 'closest' ? 2 : LIMITS.most;
  const complete = scored[0]?.evidence === 1;
  const fitting = complete ? scored.filter(({ evidence }) => evidence >= SIGNS_WANTED) : scored;
  const [best, ...others] = selectBest(fitting, { ...LIMITS, most });
  if (best === undefined) return reply.say(phrases.notFound);
  const picked = new Set([...withNeighbours(best, scored), ...others.map(({ candidate }) => candidate)]);
  if (verdict === 'closest') reply.say(`${phrases.notFound} ${phrases.closest} `);
  composePassage(withAntecedents([...picked]), phrases, reply);
};
