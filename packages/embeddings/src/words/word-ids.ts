import { type AnalyzedQuery, importanceOf } from '@lectern/text';
import type { AnalyzedPassage } from '#words/analyze-passage';
import { type SparseVector, SparseVectorBuilder } from '#words/sparse-vector';
import { synonymWords } from '#words/synonym-words';
import { termDimensions } from '#words/term-dimensions';

/**
 * Returns the ids of a passage's words without duplicates: their dimensions in the sparse vector,
 * without those of character grams. A passage matches a query by keyword if it has one of the
 * query's words; grams only affect the ranking.
 */
export function documentWords({ title, heading, text }: AnalyzedPassage): readonly number[] {
  const words = new Set([...title.keys(), ...heading.keys(), ...text.keys()]);
  return Array.from(words, (word) => termDimensions(word).word);
}

/**
 * Returns a query's words and those of its synonyms, weighted as in the sparse vector; empty for a
 * query without terms.
 */
export function queryWords(query: AnalyzedQuery): SparseVector {
  const vector = new SparseVectorBuilder();
  for (const term of query.terms) {
    vector.add(termDimensions(term.term).word, term.weight * importanceOf(query, term));
  }
  for (const [word, weight] of synonymWords(query)) vector.add(word, weight);
  return vector.build();
}

/**
 * Returns what a document needs one of to match a query by keyword: a word of the query, or all
 * words of a synonym.
 */
export function queryAlternatives({ terms, expansions = [] }: AnalyzedQuery): (number | number[])[] {
  const single = new Set(terms.map(({ term }) => wordId(term)));
  const several = new Map<string, number[]>();
  for (const { terms: synonym } of expansions) {
    const ids = [...new Set(synonym.map(wordId))];
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) single.add(only);
    // With a word of the query, a document matches anyway.
    else if (!ids.some((id) => single.has(id))) several.set(ids.join(), ids);
  }
  return [...single, ...several.values()];
}

/** Returns the id of a term in a document's word list. */
export function wordId(term: string): number {
  return termDimensions(term).word;
}
