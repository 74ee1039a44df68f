import type { Pausable } from '@lectern/resilience';
import type { Question } from '#evidence/question';
import type { ScoredCandidate } from '#evidence/score-candidates';
import { createFeatureReader } from '#evidence/support-features';
import { SUPPORT_FEATURES, SUPPORT_WEIGHTS } from '#evidence/support-weights';

/**
 * Returns the probability that a unit answers the question, assuming that half of all questions
 * have an answer.
 */
export type Judge = (entry: ScoredCandidate) => number;

/**
 * Creates a judge for the units of `scored`, which contains all units for the question, best first.
 */
export function* createJudge(question: Question, scored: readonly ScoredCandidate[]): Pausable<Judge> {
  const readFeatures = yield* createFeatureReader(question, scored);
  const known = new Map<ScoredCandidate, number>();
  const judge: Judge = (entry) => {
    if (question.terms.length === 0) return 0;
    const features = readFeatures(entry);
    const logit = SUPPORT_FEATURES.reduce(
      (sum, name) => sum + SUPPORT_WEIGHTS.features[name] * features[name],
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
