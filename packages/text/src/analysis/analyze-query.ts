import { type TokenTerms, termsOfToken, visitIndexTerms } from '#analysis/analyze';
import { guessLanguages } from '#analysis/detect-language';
import { functionWordCount } from '#analysis/function-words';
import { isShouted } from '#analysis/is-shouted';
import { FALLBACK_LANGUAGE, LATIN_LANGUAGES, type Language } from '#analysis/languages';
import { foldAccents, normalizeToken } from '#analysis/normalize-token';
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
  /**
   * The languages of the texts to search, the most frequent first. Undefined if they are not known,
   * or empty if there are no texts: the query is then analyzed in every language it may be in.
   */
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
 * If the languages of the texts are not known, shorter stems of unlikely languages are left out,
 * because they are often stems of other words: `time` is `tim` in Danish.
 */
const MIN_ALTERNATIVE_LENGTH = 4;

/** With more words, one that is a stopword in the likeliest language is only that. */
const SHORT_QUERY = 3;

const QUESTION = /[?？؟]\s*$/;

/** Less than 1, so that similar words are not searched for: `who` is not `whole`. */
const STOPWORD_WEIGHT = 0.9;

/** Query words up to this length can be abbreviations in lower case: `it support`. */
const MAX_ABBREVIATION = 4;

/**
 * Returns the terms of a query in the languages that it may be in, among those of the texts. A word
 * is left out if it is a stopword in the query's own language, unless the query consists of
 * stopwords. Stopwords that texts contain in capitals (`IT`, `WHO`) are terms if the query writes
 * them in capitals or is not a sentence.
 */
export function analyzeQuery(text: string, { languages }: QueryAnalysisOptions = {}): AnalyzedQuery {
  const readings = readingsOf(text, languages?.length === 0 ? undefined : languages);
  const terms = termsOf(text, readings);
  const { own } = readings;
  const hasWords = terms.some(({ weight }) => weight === 1);
  return { text, language: own, terms: hasWords ? terms : distinctTerms([...termsOfStopwords(text, own), ...terms]) };
}

/** Keeps each term of a token once. */
function distinctTerms(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  const seen = new Set<string>();
  return terms.filter(({ term, start }) => {
    const key = `${start} ${term}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** How a query is analyzed. */
interface Readings {
  /** Decides what is a stopword. */
  readonly own: Language;
  /** Its terms have the weight 1: the query's own language, or the texts' if that is another. */
  readonly main: Language;
  readonly alternatives: readonly Language[];
  /** The language in which a short query may be instead; its words are no stopwords then. */
  readonly rival: Language | undefined;
  /** Shorter terms of the alternatives are left out. */
  readonly minLength: number;
}

function readingsOf(text: string, languages: readonly Language[] | undefined): Readings {
  const { likely, evidence } = guessLanguages(text);
  const [likeliest] = likely;
  if (languages === undefined) {
    const rival = likely.includes(FALLBACK_LANGUAGE) ? FALLBACK_LANGUAGE : undefined;
    return {
      own: likeliest,
      main: likeliest,
      alternatives: without([...likely, FALLBACK_LANGUAGE], likeliest),
      rival,
      minLength: MIN_ALTERNATIVE_LENGTH,
    };
  }
  // Latin words in texts of other scripts are analyzed as English.
  const inLatin = languages.map((language) => (LATIN_LANGUAGES.includes(language) ? language : FALLBACK_LANGUAGE));
  const [mostFrequent = FALLBACK_LANGUAGE] = inLatin;
  const plausible = likely.filter((language) => languages.includes(language) || inLatin.includes(language));
  const rival = likely.includes(mostFrequent) ? mostFrequent : undefined;
  const [first] = evidence > 0 || rival === undefined ? plausible : [rival];
  // Texts without evidence are indexed as English, whatever they are.
  const alternatives = inLatin.filter(
    (language) => first === undefined || plausible.includes(language) || language === FALLBACK_LANGUAGE,
  );
  const main = first ?? mostFrequent;
  return { own: first ?? likeliest, main, alternatives: without(alternatives, main), rival, minLength: 1 };
}

const without = (languages: readonly Language[], one: Language) =>
  [...new Set(languages)].filter((language) => language !== one);

interface Place {
  readonly start: number;
  readonly end: number;
}

function termsOf(text: string, { own, main, alternatives, rival, minLength }: Readings): readonly QueryTerm[] {
  const found: QueryTerm[] = [];
  const isLoud = isShouted(text);
  const isSentence = QUESTION.test(text) || functionWordCount(text) > 1;
  const isShort = text.trim().split(/\s+/, SHORT_QUERY + 1).length <= SHORT_QUERY;
  let termCount = 0;
  const add = (terms: Iterable<string>, weight: number, { start, end }: Place) => {
    for (const term of terms) found.push({ term, weight, start, end });
  };
  scanTokens(text, (token, start, end) => {
    const place = { start, end };
    const { stopword, capitals } = termsOfToken(token, own);
    if (stopword !== undefined) {
      if (capitals !== undefined && !isLoud) add([capitals], 1, place);
      else if (!isSentence && token.length <= MAX_ABBREVIATION) add([token.toUpperCase()], ALTERNATIVE_WEIGHT, place);
      if (rival !== undefined && rival !== own && isShort) {
        add(termsOfToken(token, rival).searched, ALTERNATIVE_WEIGHT, place);
      }
      return;
    }
    const terms = searchedTerms(token, main, isLoud);
    termCount += terms.length;
    add(terms, 1, place);
    if (termCount > MAX_TERMS_IN_ALL_LANGUAGES || token.length > MAX_LENGTH_IN_ALL_LANGUAGES) return;
    const folded = foldAccents(normalizeToken(token));
    const further = new Set(alternatives.flatMap((other) => searchedTerms(token, other, isLoud)));
    for (const term of terms) further.delete(term);
    add(
      [...further].filter((term) => term.length >= minLength || term === folded || !LATIN_START.test(term)),
      ALTERNATIVE_WEIGHT,
      place,
    );
  });
  return found;
}

const LATIN_START = /^[a-z]/;

function searchedTerms(token: string, language: Language, isLoud: boolean): readonly string[] {
  const { searched, capitals }: TokenTerms = termsOfToken(token, language);
  return capitals === undefined || isLoud ? searched : [...searched, capitals];
}

/** Returns the terms of a query of stopwords: those that texts like it are indexed by. */
function termsOfStopwords(text: string, language: Language): readonly QueryTerm[] {
  const found: QueryTerm[] = [];
  visitIndexTerms(text, language, (term, start, end) => found.push({ term, weight: STOPWORD_WEIGHT, start, end }));
  return found;
}
