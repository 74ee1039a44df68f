import { EMOJI, isEmoji, normalizeEmoji } from '@lectern/embeddings';

/** What is compared one by one: an emoji, a number of several parts such as a version, or a run of letters and digits. */
const WORDS = new RegExp(String.raw`${EMOJI}|(?<![\p{L}\p{N}])[vV]?\p{N}+(?:\.\p{N}+)+|[\p{L}\p{M}\p{N}]+`, 'gu');
const MARKS = /\p{M}+/gu;
const VERSION = /^v?(\p{N}+(?:\.\p{N}+)+)$/u;

/** A word in a text, folded, and where it ends. */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a text in order, as they stand in it. */
export function wordsIn(text: string): Word[] {
  return Array.from(text.matchAll(WORDS), ({ 0: word, index }) => ({
    text: word,
    start: index,
    end: index + word.length,
  }));
}

/** Small letters without accents and variation selectors, whatever the form they came in; a version without its `v`. */
export function fold(text: string): string {
  if (isEmoji(text)) return normalizeEmoji(text);
  const folded = text.normalize('NFKC').toLowerCase().normalize('NFD').replace(MARKS, '');
  return VERSION.exec(folded)?.[1] ?? folded;
}

/** Whether a word is a number of several parts, with a `v` before it or without. */
export function isVersion(word: string): boolean {
  return VERSION.test(word.toLowerCase());
}
