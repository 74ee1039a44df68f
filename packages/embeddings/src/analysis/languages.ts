/// <reference path="./snowball-stemmers.d.ts" />
import snowball from 'snowball-stemmers';
import { ENGLISH_STOPWORDS } from '#analysis/english-stopwords';

/** How words of a language become terms. */
export interface LanguageRules {
  readonly stopwords: ReadonlySet<string>;
  /** Takes a normalised word, gives its stem. Slow (about 10 µs): the analyzer keeps what it has seen. */
  readonly stem: (word: string) => string;
}

const english = snowball.newStemmer('english');

/**
 * The languages whose words are stemmed, by ISO 639-1 code. A language is added by one entry here; Snowball has stemmers for 24. What is
 * indexed depends on these rules: after changing one, documents have to be indexed anew.
 */
export const LANGUAGES = {
  en: { stopwords: ENGLISH_STOPWORDS, stem: (word) => english.stem(word) },
} as const satisfies Record<string, LanguageRules>;

export type Language = keyof typeof LANGUAGES;

/**
 * Decides the language of a text. The sparse encoder asks once for a document (on its text) and once for a query, so a detector sees all there
 * is to see; it must be quick (it runs in the query path) and should lean to the default on short texts.
 */
export type DetectLanguage = (text: string) => Language;

/** The detector in use where none is given: everything is analysed as English, other scripts by their own rules. */
export const assumeEnglish: DetectLanguage = () => 'en';
