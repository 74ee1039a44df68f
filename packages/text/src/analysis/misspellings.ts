import { createCache } from '@lectern/resilience';
import { hasUnspacedScript } from '#analysis/unspaced-scripts';

/** In a word up to this length a wrong letter in the middle leaves no 4-gram as it was. */
const SHORT = 6;
/** Shorter words are too near to one another, longer ones keep grams enough. */
const MISSPELT = { from: 4, to: 12 } as const;
const CACHE_CAPACITY = 50_000;
const ONLY_LETTERS = /^[\p{L}\p{M}]+$/u;
const NONE: readonly string[] = [];

const cache = createCache<string, readonly string[]>({ maxEntries: CACHE_CAPACITY });

/**
 * What a short word has in common with a misspelling of it: the word less one letter, each but the first in turn (Garbe's symmetric delete). Two
 * words one letter apart share one of these, or one is among the other's. None for longer words, numbers and unspaced scripts.
 */
export function shortenings(term: string): readonly string[] {
  if (term.length > SHORT || !isWord(term)) return NONE;
  let known = cache.get(term);
  if (known === undefined) {
    known = lessOneLetter(term).slice(1);
    cache.set(term, known);
  }
  return known;
}

/** The words that a query's term may have been meant for: less a letter typed too many, or with two letters in their right order. */
export function intendedWords(term: string): readonly string[] {
  if (!isWord(term)) return NONE;
  const swapped = Array.from(
    { length: term.length - 1 },
    (_, at) => term.slice(0, at) + term.charAt(at + 1) + term.charAt(at) + term.slice(at + 2),
  );
  const words = new Set([...lessOneLetter(term), ...swapped]);
  words.delete(term);
  return [...words];
}

function isWord(term: string): boolean {
  return (
    term.length >= MISSPELT.from && term.length <= MISSPELT.to && ONLY_LETTERS.test(term) && !hasUnspacedScript(term)
  );
}

function lessOneLetter(term: string): string[] {
  return Array.from(term, (_, at) => term.slice(0, at) + term.slice(at + 1));
}
