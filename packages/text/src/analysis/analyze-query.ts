import { termsOfToken } from '#analysis/analyze';
import { likelyLanguages } from '#analysis/detect-language';
import { FALLBACK_LANGUAGE, type Language } from '#analysis/languages';
import { scanTokens } from '#analysis/scan-tokens';

/** A possible term of a query's token. */
export interface QueryTerm {
  readonly term: string;
  /** 1 for a term in the query's likeliest language, less for a term in another possible one. */
  readonly weight: number;
  /** UTF-16 offsets of the token in the query. */
  readonly start: number;
  readonly end: number;
}

/** Terms that texts may contain instead of words of a query. */
export interface QueryExpansion {
  /** A text matches if it contains all of them. */
  readonly terms: readonly string[];
  /** The weight of all terms together, relative to a word of the query (1). */
  readonly weight: number;
  /** The words as the query and the synonym have them. */
  readonly synonym: { readonly from: string; readonly to: string };
}

/** A query and its terms. */
export interface AnalyzedQuery {
  readonly text: string;
  /** The likeliest language. */
  readonly language: Language;
  /** In text order; each term of a token once. */
  readonly terms: readonly QueryTerm[];
  /** The synonyms of its words, if there are any (`expandQuery`). */
  readonly expansions?: readonly QueryExpansion[];
}

export interface QueryAnalysisOptions {
  /** The languages of the texts to search. By default all languages. */
  readonly languages?: readonly Language[] | undefined;
}

/** The weight of a term that is a term only in a less likely language. */
const ALTERNATIVE_WEIGHT = 0.5;

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
 * Returns the terms of a query in every language it may be in. Queries are short: if the language
 * is unclear or detected wrongly, this still includes the terms that documents in the right
 * language are indexed by. Stopwords of the likeliest language are left out.
 */
export function analyzeQuery(text: string, _options: QueryAnalysisOptions = {}): AnalyzedQuery {
  const [language, ...others] = likelyLanguages(text);
  const alternatives = language === FALLBACK_LANGUAGE ? others : [...new Set<Language>([...others, FALLBACK_LANGUAGE])];
  const found: QueryTerm[] = [];
  let termCount = 0;
  scanTokens(text, (token, start, end) => {
    const terms = termsOfToken(token, language).searched;
    if (terms.length === 0) return;
    termCount += terms.length;
    for (const term of terms) found.push({ term, weight: 1, start, end });
    if (termCount > MAX_TERMS_IN_ALL_LANGUAGES || token.length > MAX_LENGTH_IN_ALL_LANGUAGES) return;
    const further = new Set(alternatives.flatMap((other) => termsOfToken(token, other).searched));
    for (const term of terms) further.delete(term);
    for (const term of further) found.push({ term, weight: ALTERNATIVE_WEIGHT, start, end });
  });
  return { text, language, terms: found };
}
