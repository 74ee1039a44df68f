import type { Pausable } from '#evidence/pausable';
import type { Question } from '#evidence/question';
import type { ScoredCandidate } from '#evidence/score-candidates';
import { createSignReader } from '#evidence/support-signs';
import { SUPPORT_SIGNS, SUPPORT_WEIGHTS } from '#evidence/support-weights';

/** Probability that a unit answers the question, 0 to 1, where as many questions have an answer as have none. */
export type Judge = (entry: ScoredCandidate) => number;

/** A judge of the units of `scored`: all the units that a question was compared with, best first. It works from the texts alone. */
export function* createJudge(question: Question, scored: readonly ScoredCandidate[]): Pausable<Judge> {
  const readSigns = yield* createSignReader(question, scored);
  const known = new Map<ScoredCandidate, number>();
  const judge: Judge = (entry) => {
    if (question.terms.length === 0) return 0;
    const signs = readSigns(entry);
    const logit = SUPPORT_SIGNS.reduce(
      (sum, sign) => sum + SUPPORT_WEIGHTS.signs[sign] * signs[sign],
      SUPPORT_WEIGHTS.bias,
    );
    return 1 / (1 + Math.exp(-logit));
  };
  return (entry) => {
    const support = known.get(entry) ?? judge(entry);
    known.set(entry, support);
    return support;
  };
}
