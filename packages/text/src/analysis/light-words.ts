import type { AnalyzedQuery, QueryTerm } from '#analysis/analyze-query';
import type { Language } from '#analysis/languages';
import { ENGLISH_LIGHT_WORDS, GERMAN_LIGHT_WORDS } from '#analysis/stopwords/light-words';

/**
 * The weight of a word of general meaning. It is not a stopword, because it can be what a person
 * looks for. Measured on questions in sentences; between .2 and .6 the difference is small.
 */
const LIGHT_WEIGHT = 0.4;

/** In a longer query, no single word decides, and each contributes to the meaning. */
const MAX_TERMS = 24;

const toSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));
const LIGHT_WORDS: Partial<Record<Language, ReadonlySet<string>>> = {
  en: toSet(ENGLISH_LIGHT_WORDS),
  de: toSet(GERMAN_LIGHT_WORDS),
};

/**
 * Returns how strongly a term of a query indicates its subject: 1, or less for a word of general
 * meaning in a query of up to 24 terms.
 */
export function importanceOf(
  { text, language, terms = [] }: Pick<AnalyzedQuery, 'text' | 'language'> & Partial<Pick<AnalyzedQuery, 'terms'>>,
  { start, end }: Pick<QueryTerm, 'start' | 'end'>,
): number {
  if (terms.length > MAX_TERMS) return 1;
  const words = LIGHT_WORDS[language];
  return words?.has(text.slice(start, end).toLowerCase()) ? LIGHT_WEIGHT : 1;
}
