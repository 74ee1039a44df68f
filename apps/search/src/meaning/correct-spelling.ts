import { wordId } from '@lectern/embeddings';
import { mapInSlices } from '@lectern/resilience';
import type { Logger } from '@lectern/service-kit';
import { type AnalyzedQuery, analyzeQuery, hasUnspacedScript, type QueryTerm } from '@lectern/text';
import type { DocumentHit } from '@lectern/vector-store';
import type { TermScores } from '#search/relevance';
import type { SearchDeps } from '#search/search-model';
import type { SearchQuery } from '#search/search-query';
import { isMisspelling } from '#words/is-misspelling';
import { firstLetter, fold, wordsIn, wordsStartingWith } from '#words/words';

/** Limits of the lookup for misspelled words. */
const LIMITS = {
  /** The first words of a query that are looked up. */
  words: 16,
  /** Principals and collections in all lookups: the lookup of each term names all of them. */
  names: 100_000,
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
const WORD = /^\p{L}[\p{L}\p{M}]{3,63}$/u;

/** A word of a query and its terms. */
interface QueryWord {
  readonly text: string;
  readonly terms: readonly QueryTerm[];
}

/** Other spellings of words, by the folded word. */
export type Corrections = ReadonlyMap<string, string>;

/** A query with other spellings. */
interface Corrected {
  readonly query: SearchQuery;
  readonly corrections: Corrections;
}

interface Deps extends Pick<SearchDeps, 'store' | 'sparse'> {
  readonly log: Logger;
}

/**
 * Returns the query with other spellings of the words that no document contains that the caller can
 * read, or undefined if there are none. The spellings come from texts that the caller can read, so
 * they reveal nothing. A failure is logged; the search then uses the words as written.
 * @param termScores what a search of the query found out, per embedding model, so that most terms
 *   need no lookup
 */
export async function correctSpelling(
  deps: Deps,
  query: SearchQuery,
  termScores: readonly TermScores[],
  signal: AbortSignal,
): Promise<Corrected | undefined> {
  try {
    return await withCorrections(deps, query, await unknownWords(deps, query, termScores, signal), signal);
  } catch (err) {
    signal.throwIfAborted();
    deps.log.warn({ err }, 'could not look up misspelled words; they are searched as written');
    return undefined;
  }
}

/**
 * Returns the words of a query that no document contains that the caller can read. Quoted words are
 * left out: they are as written.
 */
async function unknownWords(
  { store }: Deps,
  query: SearchQuery,
  termScores: readonly TermScores[],
  signal: AbortSignal,
): Promise<readonly QueryWord[]> {
  const scopes = scopesOf(query, signal);
  const known = new Set(termScores.flatMap((scores) => [...scores].flatMap(([id, score]) => (score > 0 ? id : []))));
  const isKnown = ({ terms }: QueryWord) => terms.some(({ term }) => known.has(wordId(term)));
  const words = withinLimit(correctableWords(query), scopes).filter((word) => !isKnown(word));
  const isMissing = (id: number) => termScores.length === scopes.length && termScores.every((scores) => scores.has(id));
  const ids = [...new Set(words.flatMap(({ terms }) => terms.map(({ term }) => wordId(term))))];
  const unclear = ids.filter((id) => !isMissing(id));
  if (unclear.length > 0) {
    const lookups = scopes.map(({ model, scope }) => store.wordsWithin(model, { ...scope, words: unclear }));
    for (const found of await Promise.all(lookups)) for (const id of found) known.add(id);
  }
  return words.filter((word) => !isKnown(word)).slice(0, LIMITS.unknown);
}

async function withCorrections(
  { store, sparse }: Deps,
  query: SearchQuery,
  unknown: readonly QueryWord[],
  signal: AbortSignal,
): Promise<Corrected | undefined> {
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
  const words = new Map<string, FoundWord>();
  const hits = found.flatMap((result) => result.hits);
  const letters = new Set(unknown.map(({ text }) => firstLetter(fold(text))));
  await mapInSlices(hits, (hit) => countWords(hit, letters, words), signal);
  const corrections = unknown.map((word) => ({ word, similar: similarWords(word, words) }));
  const terms = corrections.flatMap(({ word, similar }) => similar.flatMap((text) => termsOf(word, text, languages)));
  if (terms.length === 0) return undefined;
  return {
    query: { ...query, query: { ...query.query, analyzed: withTerms(analyzed, terms) } },
    corrections: new Map(
      corrections.flatMap(({ word, similar: [best] }) => (best === undefined ? [] : [[fold(word.text), best]])),
    ),
  };
}

function scopesOf({ team, principals, required, collections }: SearchQuery, signal: AbortSignal) {
  return [...Map.groupBy(collections, ({ embeddingModel }) => embeddingModel)].map(([model, members]) => ({
    model,
    scope: { team, collections: members.map(({ id }) => id), principals, required, signal },
  }));
}

function correctableWords({ query }: SearchQuery): readonly QueryWord[] {
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
    .filter((word) => WORD.test(word.text) && !hasUnspacedScript(word.text) && !asWritten.has(fold(word.text)))
    .slice(0, LIMITS.words);
}

/** Returns the first words, as many as can be looked up in these scopes, one lookup per term. */
function withinLimit(words: readonly QueryWord[], scopes: ReturnType<typeof scopesOf>): readonly QueryWord[] {
  const perTerm = scopes.reduce(
    (sum, { scope: { principals = [], collections } }) => sum + principals.length + collections.length,
    0,
  );
  let names = 0;
  return words.filter(({ terms }) => {
    names += terms.length * perTerm;
    return names <= LIMITS.names;
  });
}

/** A word of the texts found. */
interface FoundWord {
  /** The number of documents. */
  readonly count: number;
  /** As the first document spells it, in lower case. */
  readonly text: string;
}

/** Counts the words that start like a misspelled one: a misspelling has the same first letter. */
function countWords(
  { payload, passages }: DocumentHit,
  letters: ReadonlySet<string>,
  counts: Map<string, FoundWord>,
): void {
  const texts = [payload.title, ...passages.flatMap(({ heading, text }) => [heading, text])];
  for (const [word, text] of wordsStartingWith(letters, texts)) {
    const known = counts.get(word);
    counts.set(word, { count: (known?.count ?? 0) + 1, text: known?.text ?? text.toLowerCase() });
  }
}

/** Returns the words that a word may be a misspelling of, the most frequent ones. */
function similarWords({ text }: QueryWord, words: ReadonlyMap<string, FoundWord>): readonly string[] {
  const typed = fold(text);
  return [...words]
    .filter(([word]) => isMisspelling(typed, word))
    .sort(([a, { count: m }], [b, { count: n }]) => n - m || (a < b ? -1 : 1))
    .slice(0, LIMITS.corrections)
    .map(([, { text: spelled }]) => spelled);
}

/** Returns the terms of another spelling, in the place of the word. */
function termsOf(
  { terms: [first] }: QueryWord,
  spelled: string,
  languages: SearchQuery['query']['languages'],
): readonly QueryTerm[] {
  if (first === undefined) return [];
  const { start, end } = first;
  return analyzeQuery(spelled, { languages }).terms.map(({ term, weight }) => {
    return { term, weight: Math.min(1, weight) * CORRECTION_WEIGHT, start, end };
  });
}

function withTerms(query: AnalyzedQuery, added: readonly QueryTerm[]): AnalyzedQuery {
  const terms = [...query.terms, ...added].toSorted((a, b) => a.start - b.start);
  return { ...query, terms };
}
