import type { Question } from '#evidence/question';
import type { TermMatch } from '#evidence/term-match';

/** The least a term weighs against the rarest one: a word in every sentence still belongs to the question. */
const FLOOR = 0.35;
/** Names and numbers weigh this much more: an answer about another name is no answer. */
const SPECIFIC = 1.6;
const GENERIC = 0.5;

/**
 * How much each term of the question counts, adding up to 1. Inverse document frequency as in BM25 (Robertson and Spärck Jones) with the units
 * given as the documents, scaled to [FLOOR, 1]; a term that no unit has weighs the most. `units` holds each unit's match by its own words.
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
