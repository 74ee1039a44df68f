import { hasUnspacedScript } from '#analysis/unspaced-scripts';

/** In a word up to this length, a wrong letter in the middle changes every 4-gram. */
const SHORT = 6;
/**
 * Shorter words are too similar to each other; longer ones share enough grams with their
 * misspellings.
 */
const MISSPELLED = { from: 4, to: 12 } as const;
const ONLY_LETTERS = /^[\p{L}\p{M}]+$/u;
const NONE: readonly string[] = [];

/**
 * Returns what a short word shares with its misspellings: the word without one letter, for each
 * letter except the first (Garbe's symmetric delete). Two words that differ by one letter share one
 * of these forms, or one word is a form of the other. Empty for longer words, numbers and unspaced
 * scripts.
 */
export function shortenings(term: string): readonly string[] {
  if (term.length > SHORT || !isWord(term)) return NONE;
  return lessOneLetter(term).slice(1);
}

/**
 * Returns the words that a query's term may be a misspelling of: without one extra letter, or with
 * two neighboring letters swapped.
 */
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
    term.length >= MISSPELLED.from &&
    term.length <= MISSPELLED.to &&
    ONLY_LETTERS.test(term) &&
    !hasUnspacedScript(term)
  );
}

function lessOneLetter(term: string): string[] {
  return Array.from(term, (_, at) => term.slice(0, at) + term.slice(at + 1));
}
