import type { Pausable } from '@lectern/resilience';
import type { ConstraintCheck } from '#constraints/check-constraints';
import type { Question } from '#evidence/question';
import type { ScoredCandidate } from '#evidence/score-candidates';
import { createFeatureReader } from '#evidence/support-features';
import { SUPPORT_FEATURES, SUPPORT_WEIGHTS } from '#evidence/support-weights';

/**
 * Returns the probability that a unit answers the question, assuming that half of all questions
 * have an answer.
 */
export type Judge = (entry: ScoredCandidate) => number;

/** The highest probability of a unit that lacks a year, number or name of the question. */
const MAX_INCOMPLETE = 0.2;

/**
 * Creates a judge for the units of `scored`, which contains all units for the question, best first.
 */
export function* createJudge(
  question: Question,
  scored: readonly ScoredCandidate[],
  constraints: ConstraintCheck,
): Pausable<Judge> {
  const readFeatures = yield* createFeatureReader(question, scored);
  const weights = SUPPORT_WEIGHTS[question.isClaim ? 'claim' : 'question'];
  const known = new Map<ScoredCandidate, number>();
  const judge: Judge = (entry) => {
    if (question.terms.length === 0) return 0;
    const features = readFeatures(entry);
    const logit = SUPPORT_FEATURES.reduce((sum, name) => sum + weights.features[name] * features[name], weights.bias);
    const support = 1 / (1 + Math.exp(-logit));
    return constraints.missingFrom(entry.candidate).length === 0 ? support : Math.min(support, MAX_INCOMPLETE);
  };
  return (entry) => {
    const support = known.get(entry) ?? judge(entry);
    known.set(entry, support);
    return support;
  };
}
