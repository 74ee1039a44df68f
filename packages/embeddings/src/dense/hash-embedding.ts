import { characterGrams, detectLanguage, visitTerms } from '@lectern/text';
import { hashTerm } from '#hash-term';
import { toUnitLength } from '#unit-length';

const WORD_SEED = 2;
const GRAM_SEED = 3;

/**
 * Encodes a text by signed feature hashing (Weinberger et al., Feature Hashing for Large Scale
 * Multitask Learning, 2009) of word stems and character 4-grams, both weighted `1 + ln(tf)`, scaled
 * to unit length. It matches spelling, not synonyms. Unlike a term index it also ranks misspelled
 * queries, without training or downloads.
 */
export function hashEmbedding(text: string, dimensions: number): Float32Array {
  const words = new Map<string, number>();
  visitTerms(text, detectLanguage(text), (word) => words.set(word, (words.get(word) ?? 0) + 1));
  const grams = new Map<string, number>();
  for (const [word, frequency] of words) {
    for (const gram of characterGrams(word)) grams.set(gram, (grams.get(gram) ?? 0) + frequency);
  }
  const vector = new Float32Array(dimensions);
  addFeatures(vector, words, WORD_SEED);
  addFeatures(vector, grams, GRAM_SEED);
  return toUnitLength(vector);
}

/** Adds features. The lowest bit of a feature's hash is its sign, the rest its dimension. */
function addFeatures(vector: Float32Array, frequencies: ReadonlyMap<string, number>, seed: number): void {
  for (const [feature, frequency] of frequencies) {
    const hash = hashTerm(feature, seed);
    const at = (hash >>> 1) % vector.length;
    const weight = 1 + Math.log(frequency);
    vector[at] = (vector[at] ?? 0) + (hash & 1 ? weight : -weight);
  }
}
