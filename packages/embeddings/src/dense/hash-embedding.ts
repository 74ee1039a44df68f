import { createMemo } from '@lectern/resilience';
import { characterGrams, detectLanguage, visitTerms } from '@lectern/text';
import { hashTerm } from '#hash-term';
import { toUnitLength } from '#unit-length';

const WORD_SEED = 2;
const GRAM_SEED = 3;
const CACHE_CAPACITY = 40_000;

/** The hashes of a word and of its grams. */
interface WordFeatures {
  readonly word: number;
  readonly grams: readonly number[];
}

const cache = createMemo<string, WordFeatures>({ maxEntries: CACHE_CAPACITY });

/**
 * Encodes a text by signed feature hashing (Weinberger et al., Feature Hashing for Large Scale
 * Multitask Learning, 2009) of word stems and character 4-grams, both weighted `1 + ln(tf)`, scaled
 * to unit length. It matches spelling, not synonyms. Unlike a term index it also ranks misspelled
 * queries, without training or downloads.
 */
export function hashEmbedding(text: string, dimensions: number): Float32Array {
  const words = new Map<string, number>();
  visitTerms(text, detectLanguage(text), (word) => words.set(word, (words.get(word) ?? 0) + 1));
  const vector = new Float32Array(dimensions);
  const grams = new Map<number, number>();
  for (const [text, frequency] of words) {
    const features = featuresOf(text);
    addFeature(vector, features.word, frequency);
    for (const gram of features.grams) grams.set(gram, (grams.get(gram) ?? 0) + frequency);
  }
  for (const [gram, frequency] of grams) addFeature(vector, gram, frequency);
  return toUnitLength(vector);
}

function featuresOf(word: string): WordFeatures {
  let known = cache.get(word);
  if (known === undefined) {
    const grams = characterGrams(word).map((gram) => hashTerm(gram, GRAM_SEED));
    known = { word: hashTerm(word, WORD_SEED), grams };
    cache.set(word, known);
  }
  return known;
}

/** Adds a feature. The lowest bit of its hash is the sign, the rest the dimension. */
function addFeature(vector: Float32Array, hash: number, frequency: number): void {
  const at = (hash >>> 1) % vector.length;
  const weight = 1 + Math.log(frequency);
  vector[at] = (vector[at] ?? 0) + (hash & 1 ? weight : -weight);
}
