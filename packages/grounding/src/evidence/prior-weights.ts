import type { QuestionTerm } from '#evidence/question';

const GENERIC = 0.5;
const SPECIFIC = 1.6;
/**
 * The general frequency of words is unknown here, but a long word is usually rarer than a short
 * one.
 */
const LENGTH = { min: 0.4, perLetter: 1 / 8, max: 1.5 } as const;

/** Returns the weight of each term of a question independent of the sources. The sum is 1. */
export function priorWeights(terms: readonly QuestionTerm[]): number[] {
  const raw = terms.map(({ term, specific, generic }) => {
    const kind = (generic ? GENERIC : 1) * (specific ? SPECIFIC : 1);
    return kind * Math.min(LENGTH.max, LENGTH.min + term.length * LENGTH.perLetter);
  });
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  return raw.map((weight) => weight / total);
}
