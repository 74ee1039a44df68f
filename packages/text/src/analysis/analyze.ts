import { createMemo, type Memo } from '@lectern/resilience';
import { camelCaseWords, isCamelCase } from '#analysis/camel-case';
import { isEmoji, normalizeEmoji, withoutSkinTone } from '#analysis/emoji';
import { isShouted } from '#analysis/is-shouted';
import { LANGUAGES, LATIN_LANGUAGES, type Language, type LanguageRules } from '#analysis/languages';
import { foldAccents } from '#analysis/normalize-token';
import type { SkipWord } from '#analysis/plain-words';
import { readQuantity } from '#analysis/quantities';
import { scanTokens } from '#analysis/scan-tokens';
import { scriptLanguage } from '#analysis/script-language';
import { splitToken, type TokenPart } from '#analysis/split-token';

/** Longer tokens are encoded data or a script without spaces: rarely repeated. */
const MAX_CACHED_LENGTH = 32;
/** The number of cached tokens per language. All languages can be in use at the same time. */
const CACHE_CAPACITY = 60_000;

/**
 * From this length on, V8 returns a view into the whole text; as a key it would keep the text in
 * memory.
 */
const FIRST_SLICED_LENGTH = 13;

/**
 * The version of the rules that turn text into terms. Each document records the version it was
 * indexed with, and is re-indexed in the background after a change. Increment it with every change
 * of the content of `TokenTerms`.
 */
export const ANALYSIS_VERSION = 3;

/** The terms of one token. */
export interface TokenTerms {
  /** The terms for phrases, in text order. Empty for a stopword. */
  readonly terms: readonly string[];
  /** The terms that a query searches for, exact forms included. */
  readonly searched: readonly string[];
  /**
   * All terms under which the token is indexed. They include parts that a query for the whole does
   * not search for (the words of `getUserById`, 👍 of 👍🏽).
   */
  readonly indexed: readonly string[];
  /** The word as a term of its own, if it is a stopword. */
  readonly stopword?: string;
  /**
   * The token itself if it is a stopword in capitals (`IT`, `WHO`): a term of its own, unless the
   * whole text is in capitals.
   */
  readonly capitals?: string;
}

const caches = new Map<Language, Memo<string, TokenTerms>>();

/**
 * Visits the terms of `text` in order. Several terms can share one position (the parts of
 * `e-mail`); `start` and `end` are the token's UTF-16 offsets in `text`. Stopwords produce no
 * terms. Words in a script used by a single language follow that language's rules; Latin words
 * follow those of `language`.
 */
export function visitTerms(
  text: string,
  language: Language,
  visit: (term: string, start: number, end: number) => void,
): void {
  visitTokenTerms(text, language, ({ terms }, start, end) => {
    for (const term of terms) visit(term, start, end);
  });
}

/**
 * Visits the terms that `text` is indexed by: those of `visitTerms`, those for parts of a token,
 * and those of stopwords (`visitTokenTerms`).
 */
export function visitIndexTerms(
  text: string,
  language: Language,
  visit: (term: string, start: number, end: number) => void,
): void {
  visitTokenTerms(text, language, ({ indexed }, start, end) => {
    for (const term of indexed) visit(term, start, end);
  });
}

/** A text of so many stopwords at most, for example the title `Who we are`, is indexed by them. */
const MAX_LONE_STOPWORDS = 12;

const single = (term: string): TokenTerms => ({ terms: [], searched: [term], indexed: [term] });

/**
 * Visits the tokens of a text with their terms. Stopwords have terms in two cases: one in capitals,
 * in a text that is not all in capitals, and those of a short text that consists of stopwords.
 * `isSkipped` can leave out plain words without terms of interest.
 */
export function visitTokenTerms(
  text: string,
  language: Language,
  visit: (terms: TokenTerms, start: number, end: number) => void,
  isSkipped?: SkipWord,
): void {
  const cache = cacheOf(language);
  let isLoud: boolean | undefined;
  let alone: { readonly word: string; readonly start: number; readonly end: number }[] | undefined = [];
  const visitToken = (token: string, start: number, end: number): void => {
    const terms = cachedTerms(token, language, cache);
    if (terms.stopword === undefined) {
      alone = undefined;
      visit(terms, start, end);
      return;
    }
    if (terms.capitals !== undefined) {
      isLoud ??= isShouted(text);
      if (!isLoud) visit(single(terms.capitals), start, end);
    }
    alone?.push({ word: terms.stopword, start, end });
    if (alone !== undefined && alone.length > MAX_LONE_STOPWORDS) alone = undefined;
  };
  const skip: SkipWord | undefined =
    isSkipped &&
    ((...word) => {
      if (!isSkipped(...word)) return false;
      alone = undefined;
      return true;
    });
  scanTokens(text, visitToken, skip);
  for (const { word, start, end } of alone ?? []) visit(single(word), start, end);
}

/** Returns the terms of `text` in order, with repetitions. */
export function extractTerms(text: string, language: Language): string[] {
  const terms: string[] = [];
  visitTerms(text, language, (term) => terms.push(term));
  return terms;
}

/** Returns the terms of one token from `scanTokens`. */
export function termsOfToken(token: string, language: Language): TokenTerms {
  return cachedTerms(token, language, cacheOf(language));
}

function cachedTerms(token: string, language: Language, cache: Memo<string, TokenTerms>): TokenTerms {
  let terms = cache.get(token);
  if (terms === undefined) {
    terms = toTokenTerms(token, language);
    if (token.length <= MAX_CACHED_LENGTH) cache.set(ownCopy(token), terms);
  }
  return terms;
}

function toTokenTerms(token: string, language: Language): TokenTerms {
  if (isEmoji(token)) {
    const emoji = normalizeEmoji(token);
    const terms = [emoji];
    return { terms, searched: terms, indexed: distinct([emoji, withoutSkinTone(emoji)]) };
  }
  return quantityTerms(token, language) ?? wordTerms(token, language);
}

function quantityTerms(token: string, language: Language): TokenTerms | undefined {
  const quantity = readQuantity(token);
  if (quantity === undefined) return undefined;
  const { whole, numbers, unit, isNumberSearched } = quantity;
  const unitTerms = unit === undefined ? [] : wordTerms(unit, language).terms;
  return {
    terms: [...numbers, ...unitTerms, ...whole],
    searched: distinct([...whole, ...unitTerms, ...(isNumberSearched ? numbers : [])]),
    indexed: distinct([...whole, ...unitTerms, ...numbers]),
  };
}

function wordTerms(token: string, language: Language): TokenTerms {
  const { normalize } = LANGUAGES[language];
  const parts = splitToken(normalize(token));
  const searchedParts = parts.filter(({ isIndexedOnly }) => isIndexedOnly !== true);
  const terms = toTerms(searchedParts, language);
  const [only] = parts;
  if (terms.length === 0 && only !== undefined && parts.length === 1) {
    return { terms, searched: terms, indexed: terms, ...stopwordOf(token, only.text, language) };
  }
  const all = searchedParts.length === parts.length ? terms : distinct([...terms, ...toTerms(parts, language)]);
  if (!isCamelCase(token)) return { terms, searched: terms, indexed: all };
  // Stemmers differ by language. Without its exact form, an identifier would not be found if the
  // query's language is detected differently from the text's.
  const exact = searchedParts.map(({ text }): TokenPart => ({ kind: 'exact', text }));
  const searched = distinct([...terms, ...toTerms(exact, language)]);
  const words = camelCaseWords(token).flatMap((word) => toTerms(splitToken(normalize(word)), language));
  return { terms, searched, indexed: distinct([...searched, ...all, ...words]) };
}

/** An abbreviation: longer words in capitals are words with emphasis. */
const CAPITALS = /^\p{Lu}{2,4}$/u;

function stopwordOf(token: string, word: string, language: Language): Pick<TokenTerms, 'stopword' | 'capitals'> {
  const [stopword = word] = toTerms([{ kind: 'exact', text: word }], language);
  return CAPITALS.test(token) ? { stopword, capitals: token } : { stopword };
}

const distinct = (terms: readonly string[]): readonly string[] => [...new Set(terms)];

function toTerms(parts: readonly TokenPart[], language: Language): readonly string[] {
  return parts.flatMap((part) => toTerm(part, rulesFor(part.text, language)));
}

/** Returns the rules for a word, or the term of one, in a text of `language`. */
export function rulesFor(word: string, language: Language): LanguageRules {
  const byScript = scriptLanguage(word.codePointAt(0) ?? 0);
  return LANGUAGES[byScript ?? (LATIN_LANGUAGES.includes(language) ? language : 'en')];
}

function toTerm(part: TokenPart, { stopwords, respell, stem, keepsAccents }: LanguageRules): string[] {
  const word = respell(part.text);
  if (part.kind === 'word' && stopwords.has(word)) return [];
  // A stemmer can leave nothing of a short word.
  const term = part.kind === 'word' ? stem(word) || word : word;
  return [keepsAccents ? term : foldAccents(term)];
}

function cacheOf(language: Language): Memo<string, TokenTerms> {
  let cache = caches.get(language);
  if (!cache) {
    cache = createMemo({ maxEntries: CACHE_CAPACITY });
    caches.set(language, cache);
  }
  return cache;
}

function ownCopy(token: string): string {
  return token.length < FIRST_SLICED_LENGTH ? token : Buffer.from(token).toString();
}
