import type { QuestionTerm } from '#evidence/question';

const GENERIC = 0.5;
const SPECIFIC = 1.6;
/** A long word is rarer than a short one, so it tells more; how often words occur at large is not known here. */
const LENGTH = { least: 0.4, perLetter: 1 / 8, most: 1.5 } as const;

/** How much each term of a question tells by itself, adding up to 1, whatever the sources are. */
export function tellingWeights(terms: readonly QuestionTerm[]): number[] {
  const raw = terms.map(({ term, specific, generic }) => {
    const kind = (generic ? GENERIC : 1) * (specific ? SPECIFIC : 1);
    return kind * Math.min(LENGTH.most, LENGTH.least + term.length * LENGTH.perLetter);
  });
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  return raw.map((weight) => weight / total);
}
