import { GenerationCache } from '#analysis/generation-cache';
import { LANGUAGES, LATIN_LANGUAGES, type Language, type LanguageRules } from '#analysis/languages';
import { foldAccents } from '#analysis/normalize-token';
import { scanTokens } from '#analysis/scan-tokens';
import { scriptLanguage } from '#analysis/script-language';
import { splitToken, type TokenPart } from '#analysis/split-token';

/** Longer tokens are encoded data or a script without spaces: rarely seen twice. */
const MAX_CACHED_LENGTH = 32;
/** Tokens a language and generation: all languages can be in use at once. */
const CACHE_CAPACITY = 30_000;

/** V8 gives a view into the whole text for parts from this length on; as a key it would keep the text alive. */
const FIRST_SLICED_LENGTH = 13;

const caches = new Map<Language, GenerationCache<readonly string[]>>();

/**
 * Walks the index terms of `text` in order: the one analysis that documents and queries go through. Several terms can share one place (the parts
 * of `e-mail`); `start` and `end` are the token's UTF-16 offsets in `text`. Stopwords give nothing. Words in a script that stands for a language
 * go by the rules of that one, Latin words by those of `language`.
 */
export function visitTerms(
  text: string,
  language: Language,
  visit: (term: string, start: number, end: number) => void,
): void {
  const cache = cacheOf(language);
  scanTokens(text, (token, start, end) => {
    for (const term of cachedTerms(token, language, cache)) visit(term, start, end);
  });
}

/** The index terms of `text` in order, with repetitions. */
export function extractTerms(text: string, language: Language): string[] {
  const terms: string[] = [];
  visitTerms(text, language, (term) => terms.push(term));
  return terms;
}

/** The index terms of one token as `scanTokens` gives it; none for a stopword. */
export function termsOfToken(token: string, language: Language): readonly string[] {
  return cachedTerms(token, language, cacheOf(language));
}

function cachedTerms(token: string, language: Language, cache: GenerationCache<readonly string[]>): readonly string[] {
  let terms = cache.get(token);
  if (terms === undefined) {
    terms = toTerms(token, language);
    if (token.length <= MAX_CACHED_LENGTH) cache.set(ownCopy(token), terms);
  }
  return terms;
}

function toTerms(token: string, language: Language): readonly string[] {
  return splitToken(LANGUAGES[language].normalize(token)).flatMap((part) =>
    toTerm(part, rulesFor(part.text, language)),
  );
}

function rulesFor(word: string, language: Language): LanguageRules {
  const byScript = scriptLanguage(word.codePointAt(0) ?? 0);
  return LANGUAGES[byScript ?? (LATIN_LANGUAGES.includes(language) ? language : 'en')];
}

function toTerm(part: TokenPart, { stopwords, respell, stem, keepsAccents }: LanguageRules): string[] {
  const word = respell(part.text);
  if (part.kind === 'word' && stopwords.has(word)) return [];
  const term = part.kind === 'word' ? stem(word) : word;
  return [keepsAccents ? term : foldAccents(term)];
}

function cacheOf(language: Language): GenerationCache<readonly string[]> {
  let cache = caches.get(language);
  if (!cache) {
    cache = new GenerationCache(CACHE_CAPACITY);
    caches.set(language, cache);
  }
  return cache;
}

function ownCopy(token: string): string {
  return token.length < FIRST_SLICED_LENGTH ? token : Buffer.from(token).toString();
}
