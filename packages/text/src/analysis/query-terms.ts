import { termsOfToken } from '#analysis/analyze';
import { likelyLanguages } from '#analysis/detect-language';
import { FALLBACK_LANGUAGE, type Language } from '#analysis/languages';
import { scanTokens } from '#analysis/scan-tokens';

/** A possible term of a query's token. */
export interface QueryTerm {
  readonly term: string;
  /**
   * Whether it is a term in the query's likeliest language; otherwise only in another possible
   * language.
   */
  readonly likeliest: boolean;
  /** UTF-16 offsets of the token in the query. */
  readonly start: number;
  readonly end: number;
}

/**
 * The number of query terms that are also analyzed in other languages than the likeliest one.
 * Analysis in sixteen languages is slow, and the language of a longer text is clear.
 */
const MAX_TERMS_IN_ALL_LANGUAGES = 32;
/**
 * Longer tokens are not cached after analysis; long names and addresses are the same in every
 * language.
 */
const MAX_LENGTH_IN_ALL_LANGUAGES = 32;

/**
 * Visits the terms of a query in every language it may be in, and returns the likeliest of them.
 * Queries are short: if the language is unclear or detected wrongly, this still includes the terms
 * that documents in the right language are indexed by. Each term of a token is visited once;
 * stopwords of the likeliest language are left out.
 */
export function visitQueryTerms(query: string, visit: (term: QueryTerm) => void): Language {
  const [language, ...others] = likelyLanguages(query);
  const alternatives = language === FALLBACK_LANGUAGE ? others : [...new Set<Language>([...others, FALLBACK_LANGUAGE])];
  let termCount = 0;
  scanTokens(query, (token, start, end) => {
    const terms = termsOfToken(token, language).searched;
    if (terms.length === 0) return;
    termCount += terms.length;
    for (const term of terms) visit({ term, likeliest: true, start, end });
    if (termCount > MAX_TERMS_IN_ALL_LANGUAGES || token.length > MAX_LENGTH_IN_ALL_LANGUAGES) return;
    const further = new Set(alternatives.flatMap((other) => termsOfToken(token, other).searched));
    for (const term of terms) further.delete(term);
    for (const term of further) visit({ term, likeliest: false, start, end });
  });
  return language;
}
