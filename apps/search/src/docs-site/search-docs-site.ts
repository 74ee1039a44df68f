import type { Filter } from '@lectern/contracts';
import { mapInSlices } from '@lectern/resilience';
import { type AnalyzedQuery, analyzeQuery, type Language } from '@lectern/text';
import type { DocumentHit } from '@lectern/vector-store';
import { type TypedWord, typedWords } from '#docs-site/typed-words';
import { WordEvidence } from '#docs-site/word-evidence';
import { keywordScore, withNormalizedScores } from '#search/scores';
import type { FoundHit, SearchDeps } from '#search/search-model';
import type { SearchableCollection } from '#search/search-query';

/** A checked search of a documentation site within the caller's scope. */
export interface DocsSiteQuery {
  readonly team: string;
  readonly collections: readonly SearchableCollection[];
  readonly principals: readonly string[] | undefined;
  /** Only documents that match it: the filter of the caller. */
  readonly required?: Filter | undefined;
  /** Documents that do not match. */
  readonly except?: readonly string[] | undefined;
  /** As typed, with trailing spaces. */
  readonly text: string;
  readonly limit: number;
  /** The languages of the documents, if they are known. */
  readonly languages?: readonly Language[] | undefined;
}

/** Documents, best first, and the index terms that their excerpts highlight. */
export interface FoundPages {
  readonly hits: readonly FoundHit[];
  readonly terms: ReadonlySet<string>;
}

/** The weight of a word by where it occurs. */
const PLACES = { title: 1, heading: 0.8, text: 0.6 } as const;

/**
 * The share of the score that depends on the frequency and rarity of words. The rest depends on
 * which words occur where.
 */
const LEXICAL_SHARE = 0.1;

/** Documents to compare in detail, and passages of each. */
const CANDIDATES = { documents: 40, passages: 2, legPassages: 150 } as const;

/**
 * A prefix this short has no character grams, or is a word of another language: it is looked up
 * among the prefixes of title words.
 */
const SHORT = 3;

/**
 * Finds documents while their name is being typed. Character grams find similar spellings; then the
 * words of these documents are compared with the typed words, as equal, prefix or misspelling, in
 * title, heading and text. Documents without any of them are left out.
 */
export async function searchDocsSite(
  deps: Pick<SearchDeps, 'store' | 'sparse'>,
  query: DocsSiteQuery,
  signal: AbortSignal,
): Promise<FoundPages> {
  const words = typedWords(query.text, query.languages);
  const analyzed = analyzeQuery(query.text, { languages: query.languages });
  const evidence = new WordEvidence(words);
  const groups = Map.groupBy(query.collections, ({ embeddingModel }) => embeddingModel);
  const found = await Promise.all(
    [...groups].map(([model, members]) => {
      const scope = {
        team: query.team,
        collections: members.map(({ id }) => id),
        principals: query.principals,
        required: query.required,
        except: query.except,
        signal,
        limit: Math.max(query.limit, CANDIDATES.documents),
      };
      return findCandidates(deps, model, scope, analyzed, words);
    }),
  );
  const hits = (await mapInSlices(found.flat(), (hit) => weigh(hit, evidence), signal))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.document < b.document ? -1 : 1))
    .slice(0, query.limit)
    // The score is absolute: it depends on the words only, not on other documents.
    .map((hit) => ({ ...hit, relevance: hit.score }));
  return { hits, terms: evidence.terms };
}

interface CallerScope {
  readonly team: string;
  readonly collections: readonly string[];
  readonly principals: readonly string[] | undefined;
  readonly required?: Filter | undefined;
  readonly except?: readonly string[] | undefined;
  readonly signal: AbortSignal;
  readonly limit: number;
}

async function findCandidates(
  { store, sparse }: Pick<SearchDeps, 'store' | 'sparse'>,
  model: string,
  scope: CallerScope,
  query: AnalyzedQuery,
  words: readonly TypedWord[],
): Promise<readonly DocumentHit[]> {
  const last = words.at(-1);
  const isShort = last?.unfinished === true && last.word.length <= SHORT;
  const [{ hits }, prefixHits] = await Promise.all([
    store.search(model, {
      ...scope,
      mode: 'keyword',
      sparse: sparse.encodeQuery(query),
      offset: 0,
      passagesPerDocument: CANDIDATES.passages,
      candidates: Math.max(CANDIDATES.legPassages, scope.limit * 2),
    }),
    isShort ? store.browse(model, { ...scope, titlePrefix: last.word, offset: 0 }) : [],
  ]);
  const known = new Set(hits.map(({ document }) => document));
  return [...hits, ...prefixHits.filter(({ document }) => !known.has(document)).map(withoutScore)];
}

/** Returns the hit with its passages ordered by their evidence, scored by all of them together. */
function weigh(hit: DocumentHit, evidence: WordEvidence): DocumentHit {
  const title = evidence.in(hit.payload.title).map((certainty) => certainty * PLACES.title);
  const passages = hit.passages
    .map((passage) => {
      const heading = evidence.in(passage.heading);
      const text = evidence.in(passage.text);
      const found = title.map((best, at) =>
        Math.max(best, (heading[at] ?? 0) * PLACES.heading, (text[at] ?? 0) * PLACES.text),
      );
      return { passage, score: mean(found), shown: mean(text) };
    })
    .sort((a, b) => b.score - a.score || b.shown - a.shown);
  const [best] = passages;
  if (best === undefined || best.score === 0) return { ...hit, score: 0 };
  const lexical = keywordScore(hit.score);
  const scoreOf = (score: number) => (1 - LEXICAL_SHARE) * score + LEXICAL_SHARE * lexical;
  const { heading, text } = best.passage;
  return {
    ...withNormalizedScores('keyword', hit),
    score: scoreOf(best.score),
    passages: passages.map(({ passage, score }) => ({ ...passage, score: scoreOf(score) })),
    payload: { ...hit.payload, heading, text },
  };
}

function withoutScore(payload: DocumentHit['payload']): DocumentHit {
  const { document, chunk, heading, text, start, end } = payload;
  return { document, score: 0, scores: {}, passages: [{ chunk, heading, text, start, end, score: 0 }], payload };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
