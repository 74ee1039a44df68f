import type { Question } from '#builtin/question';
import type { ScoredCandidate } from '#builtin/score-candidates';

/** The least share of a question that the best units must speak of for the reply to quote them. */
const LEAST_COVERAGE = 0.5;

/** Whether the units hold an answer: the best one and its surroundings speak of enough of the question. */
export function isAnswerable(_question: Question, scored: readonly ScoredCandidate[]): boolean {
  return (scored[0]?.coverage ?? 0) >= LEAST_COVERAGE;
}
