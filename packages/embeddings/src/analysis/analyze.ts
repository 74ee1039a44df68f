import { GenerationCache } from '#analysis/generation-cache';
import { LANGUAGES, type Language, type LanguageRules } from '#analysis/languages';
import { foldAccents, normalizeToken } from '#analysis/normalize-token';
import { scanTokens } from '#analysis/scan-tokens';
import { splitToken, type TokenPart } from '#analysis/split-token';

/** Longer tokens are encoded data or a script without spaces: rarely seen twice. */
const MAX_CACHED_LENGTH = 32;
const CACHE_CAPACITY = 100_000;

/** V8 gives a view into the whole text for parts from this length on; as a key it would keep the text alive. */
const FIRST_SLICED_LENGTH = 13;

const caches = new Map<Language, GenerationCache<readonly string[]>>();

/**
 * Walks the index terms of `text` in order: the one analysis that documents and queries go through. Several terms can share one place (the parts
 * of `e-mail`); `start` and `end` are the token's UTF-16 offsets in `text`. Stopwords give nothing.
 */
export function visitTerms(
  text: string,
  language: Language,
  visit: (term: string, start: number, end: number) => void,
): void {
  const rules = LANGUAGES[language];
  const cache = cacheOf(language);
  scanTokens(text, (token, start, end) => {
    let terms = cache.get(token);
    if (terms === undefined) {
      terms = toTerms(token, rules);
      if (token.length <= MAX_CACHED_LENGTH) cache.set(ownCopy(token), terms);
    }
    for (const term of terms) visit(term, start, end);
  });
}

/** The index terms of `text` in order, with repetitions. */
export function extractTerms(text: string, language: Language = 'en'): string[] {
  const terms: string[] = [];
  visitTerms(text, language, (term) => terms.push(term));
  return terms;
}

function toTerms(token: string, rules: LanguageRules): readonly string[] {
  return splitToken(normalizeToken(token)).flatMap((part) => toTerm(part, rules));
}

function toTerm(part: TokenPart, rules: LanguageRules): string[] {
  if (part.kind === 'exact') return [foldAccents(part.text)];
  if (rules.stopwords.has(part.text)) return [];
  return [foldAccents(rules.stem(part.text))];
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
