import { visitTerms } from '#analysis/analyze';
import { characterGrams } from '#analysis/character-grams';
import { assumeEnglish, type DetectLanguage, type Language } from '#analysis/languages';
import { hashTerm } from '#hash-term';
import { AVERAGE_LENGTH, GRAM_WEIGHT, TITLE_WEIGHT, termWeight } from '#sparse/bm25';
import { type SparseVector, SparseVectorBuilder } from '#sparse/sparse-vector';
import { TermCounts } from '#sparse/term-counts';

/** A passage to be indexed. `heading` is the path of headings above it, joined in any way. */
export interface PassageText {
  readonly title?: string | undefined;
  readonly heading?: string | undefined;
  readonly text: string;
}

export interface SparseEncoder {
  /** BM25 weights of the passage's terms, without the IDF factor; title counted twice, heading once. */
  encodeDocument(passage: PassageText): SparseVector;
  /** How often each term stands in the query. Empty where the query holds nothing but stopwords. */
  encodeQuery(text: string): SparseVector;
}

export interface SparseEncoderOptions {
  /** Decides the language of each document and query; without it all is analysed as English. */
  readonly detectLanguage?: DetectLanguage;
}

/** Words and grams are hashed with a seed each, so that a word of four letters and the same gram are two dimensions. */
const SEED = { words: 0, grams: 1 } as const;

/**
 * Makes the encoder of the lexical leg: words, and their character 4-grams with a small weight. The dimension of a term is its `hashTerm`; terms
 * that share one add up. Pure and deterministic, also across machines.
 */
export function createSparseEncoder({ detectLanguage = assumeEnglish }: SparseEncoderOptions = {}): SparseEncoder {
  return {
    encodeDocument({ title = '', heading = '', text }) {
      const language = detectLanguage(text);
      const { words, grams } = countTerms(language, [title, TITLE_WEIGHT], [heading, 1], [text, 1]);
      const vector = new SparseVectorBuilder();
      for (const [word, frequency] of words.frequencies) {
        vector.add(hashTerm(word, SEED.words), termWeight(frequency, words.length, AVERAGE_LENGTH.words));
      }
      for (const [gram, frequency] of grams.frequencies) {
        vector.add(hashTerm(gram, SEED.grams), termWeight(frequency, grams.length, AVERAGE_LENGTH.grams));
      }
      return vector.build();
    },
    encodeQuery(text) {
      const { words, grams } = countTerms(detectLanguage(text), [text, 1]);
      const vector = new SparseVectorBuilder();
      for (const [word, frequency] of words.frequencies) vector.add(hashTerm(word, SEED.words), frequency);
      for (const [gram, frequency] of grams.frequencies)
        vector.add(hashTerm(gram, SEED.grams), frequency * GRAM_WEIGHT);
      return vector.build();
    },
  };
}

/** Counts the words and grams of several fields as one text; a field's weight is how often each of its words counts. */
function countTerms(language: Language, ...fields: readonly (readonly [text: string, weight: number])[]) {
  const words = new TermCounts();
  for (const [text, weight] of fields) visitTerms(text, language, (word) => words.add(word, weight));
  const grams = new TermCounts();
  for (const [word, frequency] of words.frequencies) {
    for (const gram of characterGrams(word)) grams.add(gram, frequency);
  }
  return { words, grams };
}
