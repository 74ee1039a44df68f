import { createMemo } from '@lectern/resilience';
import { characterGrams, intendedWords, shortenings } from '@lectern/text';
import { hashTerm } from '#hash-term';

/**
 * Each kind of feature has its own hash seed, so that a word of four letters and the same gram are
 * two dimensions.
 */
const SEED = { words: 0, grams: 1, shortenings: 2 } as const;

const CACHE_CAPACITY = 60_000;
/** Queries have far fewer distinct terms than passages. */
const QUERY_CACHE_CAPACITY = 10_000;

/** The dimensions of a term and of its parts. Never change them: stored ids depend on them. */
export interface TermDimensions {
  readonly word: number;
  readonly grams: readonly number[];
  readonly shortenings: readonly number[];
}

const cache = createMemo<string, TermDimensions>({ maxEntries: CACHE_CAPACITY });

/**
 * Returns the dimensions of a passage's term. Cached for recent terms: hashing is most of the work
 * of encoding.
 */
export function termDimensions(term: string): TermDimensions {
  let known = cache.get(term);
  if (known === undefined) {
    known = {
      word: hashTerm(term, SEED.words),
      grams: characterGrams(term).map((gram) => hashTerm(gram, SEED.grams)),
      shortenings: shortenings(term).map((shortening) => hashTerm(shortening, SEED.shortenings)),
    };
    cache.set(term, known);
  }
  return known;
}

const misspellings = createMemo<string, readonly number[]>({ maxEntries: QUERY_CACHE_CAPACITY });

/** Returns the dimensions of the words that a query's term may be a misspelling of. */
export function misspellingDimensions(term: string): readonly number[] {
  let known = misspellings.get(term);
  if (known === undefined) {
    known = [
      ...intendedWords(term).map((word) => hashTerm(word, SEED.words)),
      hashTerm(term, SEED.shortenings),
      ...termDimensions(term).shortenings,
    ];
    misspellings.set(term, known);
  }
  return known;
}
