import { createCache } from '@lectern/resilience';
import { isEmoji } from '#analysis/emoji';
import { foldAccents } from '#analysis/normalize-token';
import { hasUnspacedScript, unspacedGrams } from '#analysis/unspaced-scripts';

const GRAM_LENGTH = 4;

/** Longer terms are joined forms, whose parts have their own grams, or encoded data. */
const MAX_TERM_LENGTH = 24;
const CACHE_CAPACITY = 50_000;
const NONE: readonly string[] = [];

const cache = createCache<string, readonly string[]>({ maxEntries: CACHE_CAPACITY });

/**
 * Returns what a term shares with its misspellings, unknown inflections and compounds: overlapping
 * runs of four characters without accents, with `_` before the first (`polici` returns `_pol`,
 * `poli`, `olic`, `lici`). In unspaced scripts: the parts of the term.
 */
export function characterGrams(term: string): readonly string[] {
  if (term.length > MAX_TERM_LENGTH || isEmoji(term)) return NONE;
  let grams = cache.get(term);
  if (grams === undefined) {
    grams = hasUnspacedScript(term) ? unspacedGrams(term) : gramsOfWord(foldAccents(term));
    cache.set(term, grams);
  }
  return grams;
}

function gramsOfWord(word: string): readonly string[] {
  if (word.length < GRAM_LENGTH - 1) return NONE;
  const marked = `_${word}`;
  return Array.from({ length: marked.length - GRAM_LENGTH + 1 }, (_, at) => marked.slice(at, at + GRAM_LENGTH));
}
