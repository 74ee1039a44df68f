import { visitTerms } from '#analysis/analyze';
import { assumeEnglish, type DetectLanguage, type Language } from '#analysis/languages';
import { hashTerm } from '#hash-term';
import { TITLE_WEIGHT, termWeight } from '#sparse/bm25';
import { type SparseVector, toSparseVector } from '#sparse/sparse-vector';

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

/** Makes the encoder of the lexical leg. Dimension of a term: its `hashTerm`; terms that share one share their weight. Pure, deterministic. */
export function createSparseEncoder({ detectLanguage = assumeEnglish }: SparseEncoderOptions = {}): SparseEncoder {
  return {
    encodeDocument({ title = '', heading = '', text }) {
      const language = detectLanguage(text);
      const counts = new Map<string, number>();
      const length =
        countTerms(counts, title, language, TITLE_WEIGHT) +
        countTerms(counts, heading, language, 1) +
        countTerms(counts, text, language, 1);
      return hashWeights(counts, (frequency) => termWeight(frequency, length));
    },
    encodeQuery(text) {
      const counts = new Map<string, number>();
      countTerms(counts, text, detectLanguage(text), 1);
      return hashWeights(counts, (frequency) => frequency);
    },
  };
}

/** Adds the terms of `text` to `counts`, each as `weight` occurrences; gives what that adds to the length. */
function countTerms(counts: Map<string, number>, text: string, language: Language, weight: number): number {
  let length = 0;
  visitTerms(text, language, (term) => {
    counts.set(term, (counts.get(term) ?? 0) + weight);
    length += weight;
  });
  return length;
}

function hashWeights(counts: ReadonlyMap<string, number>, weigh: (frequency: number) => number): SparseVector {
  const weights = new Map<number, number>();
  for (const [term, frequency] of counts) {
    const id = hashTerm(term);
    weights.set(id, (weights.get(id) ?? 0) + weigh(frequency));
  }
  return toSparseVector(weights);
}
