/// <reference path="./snowball-stemmers.d.ts" />
import snowball from 'snowball-stemmers';
import { ENGLISH_START_CHANGES, englishBase, type StartChange } from '#analysis/english-forms';
import { foldAccents, normalizeToken, normalizeTurkishToken } from '#analysis/normalize-token';
import { foldGreekAccents, respellRomanian, respellRussian } from '#analysis/respell';
import { ARABIC_STOPWORDS } from '#analysis/stopwords/arabic';
import { CATALAN_STOPWORDS } from '#analysis/stopwords/catalan';
import { CZECH_STOPWORDS } from '#analysis/stopwords/czech';
import { DANISH_STOPWORDS } from '#analysis/stopwords/danish';
import { DUTCH_STOPWORDS } from '#analysis/stopwords/dutch';
import { ENGLISH_STOPWORDS } from '#analysis/stopwords/english';
import { FINNISH_STOPWORDS } from '#analysis/stopwords/finnish';
import { FRENCH_STOPWORDS } from '#analysis/stopwords/french';
import { GERMAN_STOPWORDS } from '#analysis/stopwords/german';
import { GREEK_STOPWORDS } from '#analysis/stopwords/greek';
import { HINDI_STOPWORDS } from '#analysis/stopwords/hindi';
import { HUNGARIAN_STOPWORDS } from '#analysis/stopwords/hungarian';
import { ITALIAN_STOPWORDS } from '#analysis/stopwords/italian';
import { NORWEGIAN_STOPWORDS } from '#analysis/stopwords/norwegian';
import { POLISH_STOPWORDS } from '#analysis/stopwords/polish';
import { PORTUGUESE_STOPWORDS } from '#analysis/stopwords/portuguese';
import { ROMANIAN_STOPWORDS } from '#analysis/stopwords/romanian';
import { RUSSIAN_STOPWORDS } from '#analysis/stopwords/russian';
import { SPANISH_STOPWORDS } from '#analysis/stopwords/spanish';
import { SWEDISH_STOPWORDS } from '#analysis/stopwords/swedish';
import { TURKISH_STOPWORDS } from '#analysis/stopwords/turkish';
import { VIETNAMESE_STOPWORDS } from '#analysis/stopwords/vietnamese';

/** How words of a language become terms. */
export interface LanguageRules {
  readonly stopwords: ReadonlySet<string>;
  /** Unifies upper case, full width and composed letters; receives whole tokens. */
  readonly normalize: (token: string) => string;
  /** Unifies spellings of this language; receives a normalized word. */
  readonly respell: (word: string) => string;
  /** Returns the stem of a respelled word. Slow (about 10 µs): the analyzer caches the results. */
  readonly stem: (word: string) => string;
  /** Where `stem` changes the first two letters of a word, apart from `y` and two equal ones. */
  readonly startChanges: readonly StartChange[];
  /**
   * Whether Latin accents distinguish words so often that removing them loses more than it finds.
   */
  readonly keepsAccents: boolean;
  /** The weight of a query's character grams relative to its words. */
  readonly gramWeight: number;
}

/**
 * Grams weigh more if inflection, compounds or a missing stemmer make words less reliable. Measured
 * without a stemmer on German and English, and in a hybrid search with one on English.
 */
const GRAM_WEIGHT = { english: 0.18, other: 0.3 } as const;

const same = (word: string): string => word;

/** Makes rules from a list of stopwords and the name of a Snowball stemmer, if there is one. */
function rules(stopwords: string, stemmer?: string, special: Partial<LanguageRules> = {}): LanguageRules {
  const { normalize = normalizeToken, respell = same } = special;
  const snowballStemmer = stemmer === undefined ? undefined : snowball.newStemmer(stemmer);
  return {
    stopwords: new Set(stopwords.trim().split(/\s+/).map(normalize).map(respell)),
    normalize,
    respell,
    stem: snowballStemmer ? (word) => snowballStemmer.stem(word) : same,
    startChanges: [],
    keepsAccents: false,
    gramWeight: GRAM_WEIGHT.other,
    ...special,
  };
}

const englishStemmer = snowball.newStemmer('english');

/** Accents are optional in English words: `résumé` has the stem of `resume`. */
const english = rules(ENGLISH_STOPWORDS, undefined, {
  respell: foldAccents,
  stem: (word) => englishStemmer.stem(englishBase(word)),
  startChanges: ENGLISH_START_CHANGES,
  gramWeight: GRAM_WEIGHT.english,
});

/**
 * Languages whose own script is split into n-grams; Latin words in between are analyzed as English.
 */
const unspaced: LanguageRules = { ...english, gramWeight: GRAM_WEIGHT.other };

/**
 * The detected languages by ISO 639-1 code; `und` is any other language that is not written in
 * Latin letters. To add a language, add an entry here and its letters in `language-letters.ts`. The
 * index depends on these rules: documents must be indexed again after a change.
 */
export const LANGUAGES = {
  en: english,
  de: rules(GERMAN_STOPWORDS, 'german'),
  fr: rules(FRENCH_STOPWORDS, 'french'),
  es: rules(SPANISH_STOPWORDS, 'spanish'),
  it: rules(ITALIAN_STOPWORDS, 'italian'),
  pt: rules(PORTUGUESE_STOPWORDS, 'portuguese'),
  nl: rules(DUTCH_STOPWORDS, 'dutch'),
  sv: rules(SWEDISH_STOPWORDS, 'swedish'),
  da: rules(DANISH_STOPWORDS, 'danish'),
  no: rules(NORWEGIAN_STOPWORDS, 'norwegian'),
  fi: rules(FINNISH_STOPWORDS, 'finnish'),
  hu: rules(HUNGARIAN_STOPWORDS, 'hungarian'),
  ro: rules(ROMANIAN_STOPWORDS, 'romanian', { respell: respellRomanian }),
  tr: rules(TURKISH_STOPWORDS, 'turkish', { normalize: normalizeTurkishToken }),
  pl: rules(POLISH_STOPWORDS),
  cs: rules(CZECH_STOPWORDS, 'czech'),
  ca: rules(CATALAN_STOPWORDS, 'catalan'),
  vi: rules(VIETNAMESE_STOPWORDS, undefined, { keepsAccents: true }),
  ru: rules(RUSSIAN_STOPWORDS, 'russian', { respell: respellRussian }),
  el: rules(GREEK_STOPWORDS, undefined, { respell: foldGreekAccents }),
  ar: rules(ARABIC_STOPWORDS, 'arabic'),
  hi: rules(HINDI_STOPWORDS),
  zh: unspaced,
  ja: unspaced,
  ko: unspaced,
  th: unspaced,
  und: unspaced,
} as const satisfies Record<string, LanguageRules>;

export type Language = keyof typeof LANGUAGES;

export function isLanguage(code: string): code is Language {
  return Object.hasOwn(LANGUAGES, code);
}

/** Languages in Latin script, which are distinguished by words and letters. */
export const LATIN_LANGUAGES: readonly Language[] = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'sv',
  'da',
  'no',
  'fi',
  'hu',
  'ro',
  'tr',
  'pl',
  'cs',
  'ca',
  'vi',
];

/**
 * The language of texts without evidence. Every query is also analyzed in this language, so that it
 * finds all texts indexed in it.
 */
export const FALLBACK_LANGUAGE = 'en' satisfies Language;
