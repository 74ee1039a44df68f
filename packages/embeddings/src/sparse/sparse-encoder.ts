import { type AnalyzedQuery, importanceOf, LANGUAGES } from '@lectern/text';
import { AVERAGE_LENGTH, MISSPELLING_WEIGHT, storedWeight, TITLE_WEIGHT, termWeight } from '#sparse/bm25';
import { Counts } from '#sparse/counts';
import type { AnalyzedPassage, TermCounts } from '#words/analyze-passage';
import { type SparseVector, SparseVectorBuilder } from '#words/sparse-vector';
import { synonymWords } from '#words/synonym-words';
import { misspellingDimensions, termDimensions } from '#words/term-dimensions';

export interface SparseEncoder {
  /**
   * BM25 weights of the passage's terms, without the IDF factor; title counted twice, heading once.
   */
  encodeDocument(passage: AnalyzedPassage): SparseVector;
  /**
   * Returns the weight of each term in the query, added over its occurrences. Empty for a query
   * without terms.
   */
  encodeQuery(query: AnalyzedQuery): SparseVector;
}

/**
 * Creates the encoder of the keyword leg: words, and with a small weight their character grams and
 * similar spellings. Dimensions are hashes (`termDimensions`); features with the same dimension are
 * added. Deterministic on all machines.
 */
export function createSparseEncoder(): SparseEncoder {
  return { encodeDocument, encodeQuery };
}

function addAll(counts: Counts<string>, terms: TermCounts, weight: number): void {
  for (const [term, occurrences] of terms) counts.add(term, occurrences * weight);
}

function encodeDocument({ title, heading, text }: AnalyzedPassage): SparseVector {
  const words = new Counts<string>();
  addAll(words, title, TITLE_WEIGHT);
  addAll(words, heading, 1);
  addAll(words, text, 1);
  const grams = new Counts<number>();
  const vector = new SparseVectorBuilder();
  for (const [word, frequency] of words.frequencies) {
    const dimensions = termDimensions(word);
    const weight = termWeight(frequency, words.length, AVERAGE_LENGTH.words);
    vector.add(dimensions.word, weight);
    for (const dimension of dimensions.shortenings) vector.add(dimension, weight);
    for (const dimension of dimensions.grams) grams.add(dimension, frequency);
  }
  for (const [dimension, frequency] of grams.frequencies) {
    vector.add(dimension, termWeight(frequency, grams.length, AVERAGE_LENGTH.grams));
  }
  return vector.build(storedWeight);
}

/**
 * The maximum number of distinct query words whose similar spellings and character grams are
 * searched. Each word has about twenty spellings and five grams; in long queries they do not affect
 * the result, and without a limit a query of 2,000 characters would cost a hundred times as much as
 * a question.
 */
const MAX_WORDS = { spellings: 32, cut: 64 } as const;

function encodeQuery(query: AnalyzedQuery): SparseVector {
  const { language, terms } = query;
  const words = new Counts<string>();
  const alternatives = new Counts<string>();
  for (const term of terms) {
    const counts = term.weight < 1 ? alternatives : words;
    counts.add(term.term, term.weight * importanceOf(query, term));
  }
  const { gramWeight } = LANGUAGES[language];
  const vector = new SparseVectorBuilder();
  const { size } = words.frequencies;
  for (const [word, frequency] of words.frequencies) {
    const dimensions = termDimensions(word);
    vector.add(dimensions.word, frequency);
    const grams = size <= MAX_WORDS.cut ? dimensions.grams : [];
    for (const dimension of grams) vector.add(dimension, frequency * gramWeight);
    const spellings = size <= MAX_WORDS.spellings ? misspellingDimensions(word) : [];
    for (const dimension of spellings) vector.add(dimension, frequency * MISSPELLING_WEIGHT);
  }
  for (const [word, weight] of alternatives.frequencies) vector.add(termDimensions(word).word, weight);
  for (const [dimension, weight] of synonymWords(query)) vector.add(dimension, weight);
  return vector.build();
}
