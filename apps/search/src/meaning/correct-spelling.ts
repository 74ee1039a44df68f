import { queryWords, wordId } from '@lectern/embeddings';
import { mapInSlices } from '@lectern/resilience';
import { type AnalyzedQuery, analyzeQuery, detectLanguage, type QueryTerm, visitTermsAmong } from '@lectern/text';
import type { DocumentHit, VectorStore } from '@lectern/vector-store';
import type { SearchDeps } from '#search/search-model';
import type { SearchQuery } from '#search/search-query';
import { isMisspelling } from '#words/is-misspelling';
import { fold, wordsIn } from '#words/words';

/** Limits of the lookup for misspelled words. */
const LIMITS = {
  /** Unknown words to correct. */
  words: 4,
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
interface Word {
  readonly text: string;
  readonly terms: readonly QueryTerm[];
}

/**
 * Returns the query with other spellings of its unknown words, or undefined if there are none. A
 * word is unknown if no document that the caller can read contains it. Its other spellings come
 * from the texts of such documents, so that they reveal nothing. `found` are documents that the
 * query found: their words are known without a lookup.
 */
export async function correctSpelling(
  deps: Pick<SearchDeps, 'store' | 'sparse'>,
  query: SearchQuery,
  found: readonly DocumentHit[],
  signal: AbortSignal,
): Promise<SearchQuery | undefined> {
  const { analyzed, languages } = query.query;
  const unseen = unseenWords(query, found);
  if (unseen.length === 0) return undefined;
  const groups = [...Map.groupBy(query.collections, ({ embeddingModel }) => embeddingModel)].map(([model, members]) => {
    const { team, principals } = query;
    return { model, scope: { team, collections: members.map(({ id }) => id), principals, signal } };
  });
  const known = await Promise.all(groups.map(({ model, scope }) => knownTerms(deps.store, model, scope, unseen)));
  const unknown = unseen.filter(({ terms }) => !terms.some(({ term }) => known.some((ids) => ids.has(wordId(term)))));
  if (unknown.length === 0) return undefined;
  const similar = { ...analyzed, terms: unknown.flatMap(({ terms }) => terms) };
  const hits = await Promise.all(
    groups.map(({ model, scope }) =>
      deps.store.search(model, {
        ...scope,
        mode: 'keyword',
        sparse: deps.sparse.encodeQuery(similar),
        offset: 0,
        limit: LIMITS.documents,
        passagesPerDocument: LIMITS.passages,
        candidates: LIMITS.documents * LIMITS.passages,
      }),
    ),
  );
  const words = new Map<string, number>();
  await mapInSlices(
    hits.flatMap((result) => result.hits),
    (hit) => countWords(hit, words),
    signal,
  );
  const corrections = unknown.flatMap((word) => correctionsOf(word, words, languages));
  if (corrections.length === 0) return undefined;
  return { ...query, query: { ...query.query, analyzed: withTerms(analyzed, corrections) } };
}

/** Returns the words of a query that none of the found documents shows. Quoted words are as written. */
function unseenWords({ query }: SearchQuery, found: readonly DocumentHit[]): readonly Word[] {
  // A word with synonyms is spelled correctly.
  const synonyms = (query.analyzed.expansions ?? []).map(({ synonym }) => synonym.from);
  const quoted = new Set(
    [...query.phrases, ...query.boosted, ...synonyms].flatMap((phrase) =>
      wordsIn(phrase).map(({ text }) => fold(text)),
    ),
  );
  const { text, terms } = query.analyzed;
  const words = [...Map.groupBy(terms, ({ start }) => start).values()]
    .map((ofToken): Word => ({ text: text.slice(ofToken[0]?.start, ofToken[0]?.end), terms: ofToken }))
    .filter((word) => WORD.test(word.text) && !UNSPACED.test(word.text) && !quoted.has(fold(word.text)));
  if (words.length === 0) return words;
  const seen = new Set<string>();
  const wanted = new Set(words.flatMap((word) => word.terms.map(({ term }) => term)));
  for (const { payload, passages } of found) {
    for (const shown of [payload.title, ...passages.flatMap((passage) => [passage.heading, passage.text])]) {
      if (seen.size === wanted.size) break;
      visitTermsAmong(shown, detectLanguage(shown), wanted, (term) => seen.add(term));
    }
  }
  return words.filter((word) => !word.terms.some(({ term }) => seen.has(term))).slice(0, LIMITS.words);
}

function knownTerms(
  store: VectorStore,
  model: string,
  scope: Omit<Parameters<VectorStore['wordsWithin']>[1], 'words'>,
  words: readonly Word[],
): Promise<ReadonlySet<number>> {
  const terms = words.flatMap((word) => word.terms);
  return store.wordsWithin(model, { ...scope, words: queryWords({ text: '', language: 'en', terms }).indices });
}

function countWords({ payload, passages }: DocumentHit, counts: Map<string, number>): void {
  const texts = [payload.title, ...passages.flatMap(({ heading, text }) => [heading, text])];
  for (const word of new Set(texts.flatMap((text) => wordsIn(text).map((found) => fold(found.text))))) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
}

/** Returns the terms of the words that a word may be a misspelling of, the most frequent ones. */
function correctionsOf(
  { text, terms: [first] }: Word,
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
