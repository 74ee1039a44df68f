import { type AnalyzedQuery, detectLanguage, visitIndexTerms } from '@lectern/text';
import type { PassageText } from '#sparse/sparse-encoder';
import { type SparseVector, SparseVectorBuilder } from '#sparse/sparse-vector';
import { termDimensions } from '#sparse/term-dimensions';

/**
 * Returns the ids of a passage's words without duplicates: their dimensions in the sparse vector,
 * without those of character grams. A passage matches a query by keyword if it has one of the
 * query's words; grams only affect the ranking.
 */
export function documentWords({ title = '', heading = '', text }: PassageText): readonly number[] {
  const language = detectLanguage(text);
  const words = new Set<string>();
  for (const field of [title, heading, text]) visitIndexTerms(field, language, (word) => words.add(word));
  return [...words].map((word) => termDimensions(word).word);
}

/** Returns a query's words, weighted as in the sparse vector; empty for a query without terms. */
export function queryWords({ terms }: AnalyzedQuery): SparseVector {
  const vector = new SparseVectorBuilder();
  for (const { term, weight } of terms) vector.add(termDimensions(term).word, weight);
  return vector.build();
}

/** Returns the id of a term in a document's word list. */
export function wordId(term: string): number {
  return termDimensions(term).word;
}
