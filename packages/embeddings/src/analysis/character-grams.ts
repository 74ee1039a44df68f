import { GenerationCache } from '#analysis/generation-cache';

const GRAM_LENGTH = 4;

/** Longer terms are joined forms, whose parts have their own grams, or encoded data. */
const MAX_TERM_LENGTH = 24;
const CACHE_CAPACITY = 50_000;
const NONE: readonly string[] = [];

const cache = new GenerationCache<readonly string[]>(CACHE_CAPACITY);

/**
 * The overlapping runs of four characters in a term, its beginning marked by `_` (`polici` gives `_pol`, `poli`, `olic`, `lici`): what a typo, an
 * unknown inflection or a compound still has in common with the word that was meant. Character bigrams of unspaced scripts give none.
 */
export function characterGrams(term: string): readonly string[] {
  if (term.length < GRAM_LENGTH - 1 || term.length > MAX_TERM_LENGTH) return NONE;
  let grams = cache.get(term);
  if (grams === undefined) {
    const marked = `_${term}`;
    grams = Array.from({ length: marked.length - GRAM_LENGTH + 1 }, (_, at) => marked.slice(at, at + GRAM_LENGTH));
    cache.set(term, grams);
  }
  return grams;
}
