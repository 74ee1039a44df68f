import { detectLanguage, visitIndexTerms, visitQueryTerms } from '@lectern/text';
import { ALTERNATIVE_WEIGHT } from '#sparse/bm25';
import type { PassageText } from '#sparse/sparse-encoder';
import { type SparseVector, SparseVectorBuilder } from '#sparse/sparse-vector';
import { termDimensions } from '#sparse/term-dimensions';

/**
 * The ids of a passage's words, each once: the dimensions that the sparse encoder gives them, without those of character grams. A passage matches
 * a query by keyword when it has one of the query's words; grams only help to rank.
 */
export function documentWords({ title = '', heading = '', text }: PassageText): readonly number[] {
  const language = detectLanguage(text);
  const words = new Set<string>();
  for (const field of [title, heading, text]) visitIndexTerms(field, language, (word) => words.add(word));
  return [...words].map((word) => termDimensions(word).word);
}

/** A query's words in the languages it may be in, weighed as the sparse encoder weighs them; empty for a query of stopwords. */
export function queryWords(text: string): SparseVector {
  const vector = new SparseVectorBuilder();
  visitQueryTerms(text, ({ term, likeliest }) => {
    vector.add(termDimensions(term).word, likeliest ? 1 : ALTERNATIVE_WEIGHT);
  });
  return vector.build();
}

/** The id of a term in a document's word list. */
export function wordId(term: string): number {
  return termDimensions(term).word;
}
