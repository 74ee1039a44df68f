import { type QueryExpansion, visitTermsAmong } from '@lectern/text';
import type { TextInLanguage } from '#words/hit-texts';

/** Returns the synonyms of a query whose words all occur in the texts of a result. */
export function matchedSynonyms(
  expansions: readonly QueryExpansion[],
  texts: readonly TextInLanguage[],
): readonly QueryExpansion[] {
  const terms = new Set(expansions.flatMap((expansion) => expansion.terms));
  const found = new Set<string>();
  for (const { text, language } of texts) {
    if (found.size === terms.size) break;
    visitTermsAmong(text, language, terms, (term) => found.add(term));
  }
  return expansions.filter((expansion) => expansion.terms.every((term) => found.has(term)));
}

/** Returns each pair of words once, as results name them. */
export function synonymPairs(expansions: readonly QueryExpansion[]): { from: string; to: string }[] {
  const pairs = new Map(expansions.map(({ synonym: { from, to } }) => [JSON.stringify([from, to]), { from, to }]));
  return [...pairs.values()];
}
