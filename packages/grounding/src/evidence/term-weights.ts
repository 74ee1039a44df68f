import type { Question } from '#evidence/question';
import type { TermMatch } from '#evidence/term-match';

/** The minimum weight relative to the rarest term, for words in every sentence. */
const FLOOR = 0.35;
/** The factor for names and numbers, because an answer about another name is wrong. */
const SPECIFIC = 1.6;
const GENERIC = 0.5;

/**
 * Returns the weight of each term of the question. The sum is 1. Inverse document frequency as in
 * BM25 (Robertson and Spärck Jones) with units as documents, scaled to [FLOOR, 1]. `units` contains
 * the match of each unit's own words.
 */
export function termWeights(question: Question, units: readonly TermMatch[]): number[] {
  const idf = (count: number): number => Math.log(1 + (units.length - count + 0.5) / (count + 0.5));
  const highest = idf(0);
  const raw = question.terms.map(({ specific, generic }, at) => {
    const count = units.filter((match) => (match[at] ?? 0) >= 1).length;
    return (FLOOR + (1 - FLOOR) * (idf(count) / highest)) * (specific ? SPECIFIC : generic ? GENERIC : 1);
  });
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  return raw.map((weight) => (total === 0 ? 0 : weight / total));
}
