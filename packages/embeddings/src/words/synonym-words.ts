import type { AnalyzedQuery } from '@lectern/text';
import { termDimensions } from '#words/term-dimensions';

/**
 * Returns the words of a query's synonyms that are not words of the query, with their weights. The
 * words of a synonym share its weight. A word of several synonyms counts once, by the heaviest:
 * otherwise a word that all of them contain would outweigh the query.
 */
export function synonymWords({ terms, expansions = [] }: AnalyzedQuery): ReadonlyMap<number, number> {
  const own = new Set(terms.map(({ term }) => term));
  const weights = new Map<number, number>();
  for (const expansion of expansions) {
    for (const term of expansion.terms) {
      if (own.has(term)) continue;
      const { word } = termDimensions(term);
      weights.set(word, Math.max(weights.get(word) ?? 0, expansion.weight / expansion.terms.length));
    }
  }
  return weights;
}
