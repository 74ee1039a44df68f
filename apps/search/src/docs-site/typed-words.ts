import { analyzeQuery, type Language } from '@lectern/text';
import { queryTerms } from '#excerpt/matches';
import { fold, isVersion, wordsIn } from '#words/words';

/** A word of a query as typed so far. */
export interface TypedWord {
  /** Lower case without accents. */
  readonly word: string;
  /** The index terms of the word; none for a stopword. */
  readonly terms: ReadonlySet<string>;
  /** Whether the user may still be typing it. */
  readonly unfinished: boolean;
}

/**
 * The maximum number of words to compare; later words are ignored. Each is compared with every word
 * of about eighty passages.
 */
const MAX_TYPED_WORDS = 32;

/**
 * Returns the words to look for: the first 31 distinct words and the last one. The last word is
 * unfinished unless a space follows it. Stopwords are left out, except for an unfinished one, or if
 * there are no other words.
 */
export function typedWords(query: string, languages?: readonly Language[]): readonly TypedWord[] {
  const words = wordsIn(query).map(({ text, end }) => ({ text, word: fold(text), unfinished: end === query.length }));
  // Analysis costs far more than folding, so it runs after the limit.
  const found = firstOf(words).map(({ text, ...rest }) => ({ ...rest, terms: termsOf(text, rest.word, languages) }));
  const meaningful = found.filter(({ terms, unfinished }) => terms.size > 0 || unfinished);
  return meaningful.length > 0 ? meaningful : found;
}

/**
 * Returns the terms of a word. A version is a single term: its parts occur in many other versions.
 */
function termsOf(text: string, folded: string, languages: readonly Language[] | undefined): ReadonlySet<string> {
  if (isVersion(text)) return new Set([folded]);
  return queryTerms(analyzeQuery(text, { languages }));
}

/**
 * Keeps each word once, at its last position, and limits the number of words. Always keeps the last
 * word, which is still being typed.
 */
function firstOf<W extends Pick<TypedWord, 'word'>>(words: readonly W[]): readonly W[] {
  const seen = new Set<string>();
  const once = words
    .toReversed()
    .filter(({ word }) => !seen.has(word) && seen.add(word))
    .toReversed();
  return once.length <= MAX_TYPED_WORDS ? once : [...once.slice(0, MAX_TYPED_WORDS - 1), ...once.slice(-1)];
}
