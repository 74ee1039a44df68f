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

/** Reports whether a word is a number with several parts, with or without a leading `v`. */
export function isVersion(word: string): boolean {
  return VERSION.test(word.toLowerCase());
}
