import { isEmoji } from '#analysis/emoji';
import { foldAccents } from '#analysis/normalize-token';
import { hasUnspacedScript, unspacedGrams } from '#analysis/unspaced-scripts';

const GRAM_LENGTH = 4;

/** Longer terms are joined forms, whose parts have their own grams, or encoded data. */
const MAX_TERM_LENGTH = 24;
const NONE: readonly string[] = [];

/**
 * Returns what a term shares with its misspellings, unknown inflections and compounds: overlapping
 * runs of four characters without accents, with `_` before the first (`polici` returns `_pol`,
 * `poli`, `olic`, `lici`). In unspaced scripts: the parts of the term.
 */
export function characterGrams(term: string): readonly string[] {
  if (term.length > MAX_TERM_LENGTH || isEmoji(term)) return NONE;
  return hasUnspacedScript(term) ? unspacedGrams(term) : gramsOfWord(foldAccents(term));
}

function gramsOfWord(word: string): readonly string[] {
  if (word.length < GRAM_LENGTH - 1) return NONE;
  const marked = `_${word}`;
  return Array.from({ length: marked.length - GRAM_LENGTH + 1 }, (_, at) => marked.slice(at, at + GRAM_LENGTH));
}
