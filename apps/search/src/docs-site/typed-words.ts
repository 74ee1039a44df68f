import { visitQueryTerms } from '@lectern/embeddings';
import { fold, isVersion, wordsIn } from '#docs-site/words';

/** A word of a query as typed so far. */
export interface TypedWord {
  /** Folded: small letters without accents. */
  readonly word: string;
  /** The terms it stands for in the index; none for a stopword. */
  readonly terms: ReadonlySet<string>;
  /** Whether more of it may follow. */
  readonly unfinished: boolean;
}

/** Words that are compared; of a longer query the first ones. Each is compared with every word of some eighty passages. */
export const MAX_TYPED_WORDS = 32;

/**
 * The words to look for: the first 31 different ones and the last. The last one is unfinished unless a blank follows it. Stopwords are left
 * out, except for an unfinished one, and where there is nothing else.
 */
export function typedWords(query: string): readonly TypedWord[] {
  const words = wordsIn(query).map(({ text, end }) => ({ text, word: fold(text), unfinished: end === query.length }));
  // Analysis costs far more than folding, so it comes after the cut.
  const found = firstOf(words).map(({ text, ...rest }) => ({ ...rest, terms: termsOf(text, rest.word) }));
  const telling = found.filter(({ terms, unfinished }) => terms.size > 0 || unfinished);
  return telling.length > 0 ? telling : found;
}

/** The terms that stand for a word. A version is its number alone: its parts are in many others. */
function termsOf(text: string, folded: string): ReadonlySet<string> {
  if (isVersion(text)) return new Set([folded]);
  const terms = new Set<string>();
  visitQueryTerms(text, ({ term }) => terms.add(term));
  return terms;
}

/** Each word once, where it stands last, and of very many the first; the last one, which is still being typed, is always among them. */
function firstOf<W extends Pick<TypedWord, 'word'>>(words: readonly W[]): readonly W[] {
  const seen = new Set<string>();
  const once = words
    .toReversed()
    .filter(({ word }) => !seen.has(word) && seen.add(word))
    .toReversed();
  return once.length <= MAX_TYPED_WORDS ? once : [...once.slice(0, MAX_TYPED_WORDS - 1), ...once.slice(-1)];
}
