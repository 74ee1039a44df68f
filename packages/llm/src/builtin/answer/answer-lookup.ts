import type { AnswerShape } from '#builtin/answer/answer-context';
import { composePassage } from '#builtin/compose/compose-passage';
import { judgeBest } from '#builtin/judge-best';
import { selectBest } from '#builtin/select-best';
import { withAntecedents } from '#builtin/with-antecedents';

const LIMITS = { most: 3, ratio: 0.8 } as const;

/** A fact: the sentence that holds it, and up to two that come close to it. */
export const answerLookup: AnswerShape = ({ question, scored, phrases, reply }) => {
  const verdict = judgeBest(question, scored[0]);
  if (verdict === 'none') return reply.say(phrases.notFound);
  const most = verdict === 'closest' ? 2 : LIMITS.most;
  const picked = selectBest(scored, { ...LIMITS, most }).map(({ candidate }) => candidate);
  if (verdict === 'closest') reply.say(`${phrases.notFound} ${phrases.closest} `);
  composePassage(withAntecedents(picked), phrases, reply);
};
