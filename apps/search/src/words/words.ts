import { EMOJI, isEmoji, normalizeEmoji } from '@lectern/text';

/**
 * The unit of comparison: an emoji, a number with several parts (for example a version), or a run
 * of letters and digits.
 */
const WORDS = new RegExp(String.raw`${EMOJI}|(?<![\p{L}\p{N}])[vV]?\p{N}+(?:\.\p{N}+)+|[\p{L}\p{M}\p{N}]+`, 'gu');
const MARKS = /\p{M}+/gu;
const VERSION = /^v?(\p{N}+(?:\.\p{N}+)+)$/u;

/** A word in a text, folded, with its end offset. */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the words of a text in order. */
export function wordsIn(text: string): Word[] {
  return Array.from(text.matchAll(WORDS), ({ 0: word, index }) => ({
    text: word,
    start: index,
    end: index + word.length,
  }));
}

/**
 * Lowercases text and removes accents and variation selectors, in any normalization form; a version
 * loses its `v`.
 */
export function fold(text: string): string {
  if (isEmoji(text)) return normalizeEmoji(text);
  const folded = text.normalize('NFKC').toLowerCase().normalize('NFD').replace(MARKS, '');
  return VERSION.exec(folded)?.[1] ?? folded;
}

/**
 * Returns the words of texts that start with one of these folded letters: how one is spelled, by the
 * folded word. Much faster than folding all words.
 */
export function wordsStartingWith(letters: ReadonlySet<string>, texts: readonly string[]): ReadonlyMap<string, string> {
  // Folding keeps the letters of ASCII; any other one can become one of these.
  const first = String.raw`(?:[${[...letters].join('')}]|[^\x00-\x7F])(?<![\p{L}\p{M}\p{N}].)`;
  const pattern = new RegExp(String.raw`${first}[\p{L}\p{M}\p{N}]*`, 'gisu');
  const words = new Map<string, string>();
  for (const text of texts) {
    for (const [found] of text.matchAll(pattern)) {
      const word = fold(found);
      if (letters.has(firstLetter(word))) words.set(word, found);
    }
  }
  return words;
}

/** Returns the first code point of a word. */
export function firstLetter(word: string): string {
  return String.fromCodePoint(word.codePointAt(0) ?? 0);
}

/** Reports whether a word is a number with several parts, with or without a leading `v`. */
export function isVersion(word: string): boolean {
  return VERSION.test(word.toLowerCase());
}
