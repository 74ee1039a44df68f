import { type AnalyzedQuery, importanceOf } from '@lectern/text';
import { type SparseVector, SparseVectorBuilder } from '#sparse/sparse-vector';
import { termDimensions } from '#sparse/term-dimensions';
import type { AnalyzedPassage } from '#words/analyze-passage';

/**
 * Returns the ids of a passage's words without duplicates: their dimensions in the sparse vector,
 * without those of character grams. A passage matches a query by keyword if it has one of the
 * query's words; grams only affect the ranking.
 */
export function documentWords({ title, heading, text }: AnalyzedPassage): readonly number[] {
  const words = new Set([...title.keys(), ...heading.keys(), ...text.keys()]);
  return Array.from(words, (word) => termDimensions(word).word);
}

/** Returns a query's words, weighted as in the sparse vector; empty for a query without terms. */
export function queryWords(query: AnalyzedQuery): SparseVector {
  const vector = new SparseVectorBuilder();
  for (const term of query.terms) {
    vector.add(termDimensions(term.term).word, term.weight * importanceOf(query, term));
  }
  return vector.build();
}

/** Returns the id of a term in a document's word list. */
export function wordId(term: string): number {
  return termDimensions(term).word;
}
