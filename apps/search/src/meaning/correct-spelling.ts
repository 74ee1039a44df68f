import { wordId } from '@lectern/embeddings';
import { createCache, mapInSlices } from '@lectern/resilience';
import { type AnalyzedQuery, analyzeQuery, type QueryTerm } from '@lectern/text';
import type { DocumentHit } from '@lectern/vector-store';
import type { SearchDeps } from '#search/search-model';
import type { SearchQuery } from '#search/search-query';
import { isMisspelling } from '#words/is-misspelling';
import { fold, wordsIn } from '#words/words';

/** Limits of the lookup for misspelled words. */
const LIMITS = {
  /** The first words of a query that are looked up. */
  words: 16,
  /** Principals in all lookups: each names all of them. */
  principals: 100_000,
  /** Unknown words to correct. */
  unknown: 4,
  /** Documents to read for each embedding model, and passages of each. */
  documents: 40,
  passages: 2,
  /** Corrections of each word. */
  corrections: 3,
} as const;

/** The weight of a word that a query's unknown word may be a misspelling of. */
const CORRECTION_WEIGHT = 0.6;

/** Words that can be misspelled: numbers, identifiers and abbreviations are as written. */
const WORD = /^\p{L}[\p{L}\p{M}]{3,}$/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** A word of a query and its terms. */
export interface QueryWord {
  readonly text: string;
  readonly terms: readonly QueryTerm[];
}

/**
 * The words that occur in a scope, as far as they were looked up. A word that has disappeared since
 * is only not corrected.
 */
const knownByScope = createCache<string, Set<number>>({ maxEntries: 1_000, ttlMs: 10 * 60_000 });
const MAX_KNOWN_WORDS = 10_000;

type Deps = Pick<SearchDeps, 'store' | 'sparse'>;
type Scope = Omit<Parameters<Deps['store']['wordsWithin']>[1], 'words'>;

/**
 * Returns the words of a query that no document contains that the caller can read. Quoted words are
 * left out: they are as written.
 */
export async function unknownWords(deps: Deps, query: SearchQuery, signal: AbortSignal): Promise<readonly QueryWord[]> {
  const words = correctableWords(query);
  if (words.length === 0) return words;
  const known = await Promise.all(
    scopesOf(query, signal).map(({ model, scope }) => knownWords(deps, model, scope, words)),
  );
  return words
    .filter(({ terms }) => !terms.some(({ term }) => known.some((ids) => ids.has(wordId(term)))))
    .slice(0, LIMITS.unknown);
}

/**
 * Returns the query with other spellings of its unknown words, or undefined if there are none. The
 * spellings come from texts that the caller can read, so they reveal nothing.
 */
export async function correctSpelling(
  { store, sparse }: Deps,
  query: SearchQuery,
  unknown: readonly QueryWord[],
  signal: AbortSignal,
): Promise<SearchQuery | undefined> {
  if (unknown.length === 0) return undefined;
  const { analyzed, languages } = query.query;
  const similar = sparse.encodeQuery({ ...analyzed, terms: unknown.flatMap(({ terms }) => terms) });
  const found = await Promise.all(
    scopesOf(query, signal).map(({ model, scope }) =>
      store.search(model, {
        ...scope,
        mode: 'keyword',
        sparse: similar,
        offset: 0,
        limit: LIMITS.documents,
        passagesPerDocument: LIMITS.passages,
        candidates: LIMITS.documents * LIMITS.passages,
      }),
    ),
  );
  const words = new Map<string, number>();
  const hits = found.flatMap((result) => result.hits);
  await mapInSlices(hits, (hit) => countWords(hit, words), signal);
  const corrections = unknown.flatMap((word) => correctionsOf(word, words, languages));
  if (corrections.length === 0) return undefined;
  return { ...query, query: { ...query.query, analyzed: withTerms(analyzed, corrections) } };
}

function scopesOf({ team, principals, collections }: SearchQuery, signal: AbortSignal) {
  return [...Map.groupBy(collections, ({ embeddingModel }) => embeddingModel)].map(([model, members]) => {
    const scope: Scope = { team, collections: members.map(({ id }) => id), principals, signal };
    return { model, scope };
  });
}

function correctableWords({ query, principals = [] }: SearchQuery): readonly QueryWord[] {
  // A word with synonyms is spelled correctly.
  const synonyms = (query.analyzed.expansions ?? []).map(({ synonym }) => synonym.from);
  const asWritten = new Set(
    [...query.phrases, ...query.boosted, ...synonyms].flatMap((phrase) =>
      wordsIn(phrase).map(({ text }) => fold(text)),
    ),
  );
  const { text, terms } = query.analyzed;
  return [...Map.groupBy(terms, ({ start }) => start).values()]
    .map((ofToken): QueryWord => ({ text: text.slice(ofToken[0]?.start, ofToken[0]?.end), terms: ofToken }))
    .filter((word) => WORD.test(word.text) && !UNSPACED.test(word.text) && !asWritten.has(fold(word.text)))
    .slice(0, Math.min(LIMITS.words, Math.floor(LIMITS.principals / Math.max(1, principals.length))));
}

/** Returns the ids of those words that occur in a scope. Only words that are not cached cost a lookup. */
async function knownWords(
  { store }: Deps,
  model: string,
  { signal, ...scope }: Scope,
  words: readonly QueryWord[],
): Promise<ReadonlySet<number>> {
  const key = JSON.stringify([model, scope]);
  const known = knownByScope.get(key) ?? new Set();
  const open = words.filter(({ terms }) => !terms.some(({ term }) => known.has(wordId(term))));
  if (open.length === 0) return known;
  const ids = open.flatMap(({ terms }) => terms.map(({ term }) => wordId(term)));
  const found = await store.wordsWithin(model, { ...scope, words: [...new Set(ids)], signal });
  const all = new Set([...known, ...found]);
  knownByScope.set(key, all.size > MAX_KNOWN_WORDS ? new Set(found) : all);
  return all;
}

function countWords({ payload, passages }: DocumentHit, counts: Map<string, number>): void {
  const texts = [payload.title, ...passages.flatMap(({ heading, text }) => [heading, text])];
  for (const word of new Set(texts.flatMap((text) => wordsIn(text).map((found) => fold(found.text))))) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
}

/** Returns the terms of the words that a word may be a misspelling of, the most frequent ones. */
function correctionsOf(
  { text, terms: [first] }: QueryWord,
  words: ReadonlyMap<string, number>,
  languages: SearchQuery['query']['languages'],
): readonly QueryTerm[] {
  if (first === undefined) return [];
  const { start, end } = first;
  const typed = fold(text);
  return [...words]
    .filter(([word]) => isMisspelling(typed, word))
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, LIMITS.corrections)
    .flatMap(([word]) => analyzeQuery(word, { languages }).terms)
    .map(({ term, weight }) => ({ term, weight: Math.min(1, weight) * CORRECTION_WEIGHT, start, end }));
}

function withTerms(query: AnalyzedQuery, added: readonly QueryTerm[]): AnalyzedQuery {
  const terms = [...query.terms, ...added].toSorted((a, b) => a.start - b.start);
  return { ...query, terms };
}
