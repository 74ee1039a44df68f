/// <reference path="./snowball-stemmers.d.ts" />
import snowball from 'snowball-stemmers';
import { normalizeToken, normalizeTurkishToken } from '#analysis/normalize-token';
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
  /** Makes upper case, full width and composed letters one form; sees whole tokens. */
  readonly normalize: (token: string) => string;
  /** Brings together spellings of this language; sees a normalised word. */
  readonly respell: (word: string) => string;
  /** Takes a respelt word, gives its stem. Slow (about 10 µs): the analyzer keeps what it has seen. */
  readonly stem: (word: string) => string;
  /** Whether Latin accents tell words apart so often that leaving them out loses more than it finds. */
  readonly keepsAccents: boolean;
  /** What a query's character grams weigh beside its words. */
  readonly gramWeight: number;
}

/**
 * Grams weigh more where inflection, compounds or the lack of a stemmer leave words less to rely on: measured without a stemmer on German and
 * English, with one on English.
 */
const GRAM_WEIGHT = { english: 0.12, other: 0.3 } as const;

const same = (word: string): string => word;

/** Rules from a list of stopwords parted by white space and the name of a Snowball stemmer, where there is one. */
function rules(stopwords: string, stemmer?: string, special: Partial<LanguageRules> = {}): LanguageRules {
  const { normalize = normalizeToken, respell = same } = special;
  const snowballStemmer = stemmer === undefined ? undefined : snowball.newStemmer(stemmer);
  return {
    stopwords: new Set(stopwords.trim().split(/\s+/).map(normalize).map(respell)),
    normalize,
    respell,
    stem: snowballStemmer ? (word) => snowballStemmer.stem(word) : same,
    keepsAccents: false,
    gramWeight: GRAM_WEIGHT.other,
    ...special,
  };
}

const english = rules(ENGLISH_STOPWORDS, 'english', { gramWeight: GRAM_WEIGHT.english });

/** Languages whose own script is cut into n-grams; the Latin words between are analysed as English. */
const unspaced: LanguageRules = { ...english, gramWeight: GRAM_WEIGHT.other };

/**
 * The languages that are told apart, by ISO 639-1 code; `und` is any other that is not written in Latin letters. A language is added by one entry here, and by its letters in `language-letters.ts`. What
 * is indexed depends on these rules: after changing one, documents have to be indexed anew.
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

/** Those written in Latin letters, which words and letters have to tell apart. */
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

/** The language of what gives no sign of any. Every query is analysed under it too, so that nothing indexed under it is lost to a query. */
export const FALLBACK_LANGUAGE = 'en' satisfies Language;
