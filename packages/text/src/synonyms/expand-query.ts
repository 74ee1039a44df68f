import { createCache } from '@lectern/resilience';
import { termsOfToken } from '#analysis/analyze';
import type { AnalyzedQuery, QueryExpansion } from '#analysis/analyze-query';
import { likelyLanguages } from '#analysis/detect-language';
import { FALLBACK_LANGUAGE, type Language } from '#analysis/languages';
import { scanTokens } from '#analysis/scan-tokens';
import type { Span } from '#span';
import type { SynonymIndex, SynonymMatch } from '#synonyms/synonym-index';
import type { SynonymRule } from '#synonyms/synonym-rule';
import { type WordKey, wordKeys } from '#synonyms/word-keys';

/** Synonyms that apply to a query. */
export interface SynonymLayer {
  /** The language of its words. Undefined: that of the query. */
  readonly language: Language | undefined;
  /** Returns the longest match that begins at a word. */
  readonly matchAt: (words: readonly WordKey[], at: number, language: Language) => SynonymMatch | undefined;
}

/** Returns the rules of an index that `applies` accepts. */
export function synonymLayer<Rule extends SynonymRule>(
  index: SynonymIndex<Rule>,
  applies: (rule: Rule) => boolean = () => true,
  language?: Language,
): SynonymLayer {
  return { language, matchAt: (words, at, inLanguage) => index.matchAt(words, at, inLanguage, applies) };
}

export interface ExpansionOptions {
  /** The languages of the texts to search. Undefined: not known. */
  readonly languages?: readonly Language[] | undefined;
  /** Parts of the text that are searched as written. */
  readonly verbatim?: readonly Span[] | undefined;
}

/**
 * The weight of a synonym relative to the word itself. With less than one, a document with the word
 * of the query comes before an equal one with a synonym. With less than about a third, a document
 * that only has the synonym comes after documents that only have an unimportant word of the query.
 */
const SYNONYM_WEIGHT = 0.5;

/** The weight of a synonym's terms in a less likely language. */
const ALTERNATIVE_WEIGHT = 0.5;

/** The maximum number of synonyms of a query. Words at its beginning have priority. */
const MAX_SYNONYMS = 32;

/** The maximum number of synonyms that are considered, also those that add nothing to the query. */
const MAX_CONSIDERED = 128;

/** The maximum number of words that are compared with synonyms, from the beginning of the query. */
const MAX_WORDS = 64;

/** The languages of the texts in which custom synonyms are analyzed. */
const MAX_LANGUAGES = 3;

/** A place in the query with its replacements, best match of all layers. */
interface Found {
  readonly span: Span;
  readonly to: ReadonlyMap<string, readonly Language[]>;
}

/**
 * Adds the synonyms of a query's words to it. The words themselves stay. Terms of several words
 * match before parts of them, and a word is part of one match only.
 */
export function expandQuery(
  query: AnalyzedQuery,
  layers: readonly SynonymLayer[],
  { languages, verbatim = [] }: ExpansionOptions = {},
): AnalyzedQuery {
  const searchedTerms = new Set(query.terms.map(({ term }) => term));
  const expansions: QueryExpansion[] = [];
  let count = 0;
  let considered = 0;
  for (const { span, to } of matchesIn(query, layers, languages, verbatim)) {
    const from = query.text.slice(span.start, span.end);
    for (const [text, inLanguages] of to) {
      if (++considered > MAX_CONSIDERED) return withExpansions(query, expansions);
      const readings = readingsOf(text, inLanguages);
      // A synonym whose words are all in the query adds nothing.
      if (readings.length === 0 || readings.some((terms) => terms.every((term) => searchedTerms.has(term)))) continue;
      if (++count > MAX_SYNONYMS) return withExpansions(query, expansions);
      for (const [at, terms] of readings.entries()) {
        const weight = at === 0 ? SYNONYM_WEIGHT : SYNONYM_WEIGHT * ALTERNATIVE_WEIGHT;
        expansions.push({ terms, weight, synonym: { from, to: text } });
      }
    }
  }
  return withExpansions(query, expansions);
}

const withExpansions = (query: AnalyzedQuery, expansions: readonly QueryExpansion[]): AnalyzedQuery =>
  expansions.length === 0 ? query : { ...query, expansions };

/** Returns the languages in which the synonyms of a layer without a language are compared. */
export function synonymLanguages(query: AnalyzedQuery, languages: readonly Language[] = []): readonly Language[] {
  return [...new Set<Language>([query.language, ...languages.slice(0, MAX_LANGUAGES), FALLBACK_LANGUAGE])];
}

function* matchesIn(
  query: AnalyzedQuery,
  layers: readonly SynonymLayer[],
  languages: readonly Language[] | undefined,
  verbatim: readonly Span[],
): Generator<Found> {
  const likely = new Set<Language>(likelyLanguages(query.text));
  const texts = languages === undefined || languages.length === 0 ? undefined : languages;
  const ownLanguages = synonymLanguages(query, languages);
  const active = layers.flatMap((layer) => {
    const { language } = layer;
    if (language === undefined)
      return ownLanguages.map((inLanguage) => ({ layer, language: inLanguage, to: ownLanguages }));
    // Texts without evidence of their language are indexed as English.
    const isUsed = likely.has(language) && (texts === undefined || texts.includes(language));
    return isUsed ? [{ layer, language, to: [...new Set<Language>([language, FALLBACK_LANGUAGE])] }] : [];
  });
  const wordsIn = (language: Language) =>
    wordKeys(query.text, language, MAX_WORDS).map((word) => (isIn(word, verbatim) ? hidden(word) : word));
  const keysByLanguage = new Map(active.map(({ language }) => [language, wordsIn(language)]));
  const [words = []] = keysByLanguage.values();
  for (let at = 0; at < words.length; ) {
    const start = words[at]?.start ?? 0;
    let length = 1;
    let to = new Map<string, readonly Language[]>();
    for (const { layer, language, to: targetLanguages } of active) {
      const match = layer.matchAt(keysByLanguage.get(language) ?? [], at, language);
      if (match === undefined || match.length < length) continue;
      if (match.length > length) to = new Map();
      length = match.length;
      for (const text of match.replacements) if (!to.has(text)) to.set(text, targetLanguages);
    }
    if (to.size > 0) yield { span: { start, end: words[at + length - 1]?.end ?? start }, to };
    at += length;
  }
}

const isIn = ({ start, end }: Span, parts: readonly Span[]) =>
  parts.some((part) => part.start < end && start < part.end);

/** A word that no synonym has, in the place of one that is searched as written. */
const hidden = (word: WordKey): WordKey => ({ ...word, key: '', capitals: undefined });

const HYPHENS = /[-‑]/g;
const HYPHEN = /[-‑]/;

/** Synonyms whose terms are kept. The words of both packs in one language are about 8,000. */
const CACHE_CAPACITY = 20_000;

type Readings = readonly (readonly string[])[];

const cache = createCache<string, Readings>({ maxEntries: CACHE_CAPACITY });

/**
 * Returns the terms of a synonym in each language that texts with it may be indexed in, the
 * likeliest first. A text matches if it has all terms of one reading. Stopwords are left out.
 */
function readingsOf(text: string, languages: readonly Language[]): Readings {
  const key = `${languages.join()} ${text}`;
  let readings = cache.get(key);
  if (readings === undefined) {
    readings = analyzeSynonym(text, languages);
    cache.set(key, readings);
  }
  return readings;
}

function analyzeSynonym(text: string, languages: readonly Language[]): Readings {
  const spellings = [...new Set([text.replaceAll(HYPHENS, ' '), text])];
  const readings = new Map<string, readonly string[]>();
  for (const language of languages) {
    for (const spelling of spellings) {
      const terms = termsOf(spelling, language);
      if (terms.length > 0) readings.set(terms.join('\n'), terms);
    }
  }
  return [...readings.values()];
}

/**
 * Returns the terms that stand for a synonym; none if they would match much more than it: one word
 * of `time off`, or an abbreviation with the stem of another word (`PAYE`, `pay`). Of a word with
 * hyphens, only the whole is a term, because the parts are another spelling.
 */
function termsOf(text: string, language: Language): readonly string[] {
  const found = new Set<string>();
  let words = 0;
  let isAmbiguous = false;
  scanTokens(text, (token) => {
    words += 1;
    const { terms, capitals } = termsOfToken(token, language);
    if (capitals !== undefined) found.add(capitals);
    if (ABBREVIATION.test(token) && terms.length === 1 && terms[0] !== token.toLowerCase()) isAmbiguous = true;
    for (const term of HYPHEN.test(token) ? terms.slice(-1) : terms) found.add(term);
  });
  return isAmbiguous || (words > 1 && found.size === 1) ? [] : [...found];
}

const ABBREVIATION = /^\p{Lu}{2,}$/u;
