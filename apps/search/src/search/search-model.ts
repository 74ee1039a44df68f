import {
  type DenseEncoder,
  documentQuery,
  queryAlternatives,
  queryWords,
  type SparseEncoder,
} from '@lectern/embeddings';
import type { Logger } from '@lectern/service-kit';
import {
  DOCUMENT_WEIGHT,
  type DocumentHit,
  type DocumentsRequest,
  type ProbeRequest,
  type RankedDocument,
  type RankedDocuments,
  readPage,
  type ScopedRequest,
  type VectorStore,
  type WordGroup,
} from '@lectern/vector-store';
import type { FacetFilters } from '#filters/read-facet-filters';
import { SEARCH_LIMITS } from '#limits';
import { documentsOf, type ModelMatch } from '#match/model-match';
import { wordMatches } from '#match/word-matches';
import { type DenseLeg, denseLeg, denseLegIfPossible, NO_LEG } from '#search/dense-leg';
import { bestScores, semanticMatches } from '#search/match-set';
import { bestScore, queryParts, type TermScores, termScoresOf, unknownWordScore } from '#search/relevance';
import { normalizedScore, withNormalizedScores } from '#search/scores';
import type { SearchQuery } from '#search/search-query';
import type { SharedCall } from '#sharing/share-calls';

/** The dependencies of a search. */
export interface SearchDeps {
  readonly store: VectorStore;
  /** Joins concurrent searches that count the same documents. */
  readonly shareCounts: SharedCall<number>;
  readonly sparse: SparseEncoder;
  readonly denseEncoder: (model: string) => DenseEncoder;
  readonly log?: Logger;
}

/** What a query can match in the collections of one embedding model. */
export interface ModelScope {
  readonly model: string;
  /** The scope, filters, phrases and exclusions. */
  readonly request: ScopedRequest;
  readonly facetFilters: FacetFilters;
}

/** A document with its score and relevance, both from 0 to 1. */
export interface ScoredDocument extends RankedDocument {
  /** How well it matches: the same scale for every query. */
  readonly relevance: number;
}

/** A document of a page. */
export interface FoundHit extends DocumentHit {
  /** How well it matches, from 0 to 1: the same scale for every query. */
  readonly relevance: number;
}

/** Ranked documents of a model in their final order. */
export interface RankedList extends Pick<RankedDocuments, 'firstPassages'> {
  readonly match: ModelMatch;
  /** Best first. */
  readonly ranking: readonly ScoredDocument[];
  /** Reads ranked documents by key. */
  read(keys: readonly string[]): Promise<ReadonlyMap<string, DocumentHit>>;
}

/** The documents of one page, and the ranking that the page is cut from. */
interface ModelPage {
  /** Best first. */
  readonly ranking: readonly RankedDocument[];
  readonly hits: readonly FoundHit[];
  /** Returns the ranking with the relevance of each document; few pages need it. */
  toList(): RankedList;
}

/** The documents of a model that were ranked, and all that match. */
export interface RankedModel {
  readonly match: ModelMatch;
  /** Whether the ranking contains all matches. */
  readonly isComplete: boolean;
  readonly termScores: TermScores;
  /** Returns the function that maps a BM25 score to its relevance. */
  relevance(): Promise<(score: number) => number>;
  /** Returns the ranking with the documents of one page. */
  readPage(offset: number, end: number): Promise<ModelPage>;
  readList(): Promise<RankedList>;
}

/**
 * Ranks the documents of one embedding model that match the query. Documents that only share
 * character grams with the query, or are less similar than the model requires, do not match.
 */
export async function searchModel(deps: SearchDeps, query: SearchQuery, scope: ModelScope): Promise<RankedModel> {
  const { mode, passagesPerDocument, minScore = 0 } = query;
  const { model, request, facetFilters } = scope;
  const words = queryWords(query.query.analyzed);
  const parts = queryParts(query.query.analyzed, request);
  const probed = {
    words,
    wordPassages: minScore > 0 ? SEARCH_LIMITS.rankedByWords : SEARCH_LIMITS.candidates,
    wholeScope: minScore > 0,
    parts: parts.ids,
  };
  const [{ ranked, similarities }, documents] = await Promise.all([
    rank(deps, query, scope, probed),
    // Without a threshold the relevance is needed later, and rarely the number of documents.
    minScore > 0 ? countScope(deps, scope) : undefined,
  ]);
  const { probes, firstPassages } = ranked;

  const similar = semanticMatches(probes.nearest, similarities);
  const alternatives = queryAlternatives(query.query.analyzed);
  const candidates = mode === 'semantic' ? [] : [...ranked.ranking, ...probes.words, ...probes.wordsInScope];
  const hasWords = await wordMatches(deps.store, model, request, alternatives, ranked, candidates);
  const byWords = bestScores(probes.words.filter(hasWords));
  const termScores = termScoresOf(parts, probes.strongest);
  const relevance = async () => {
    const { known, unknownWords } = bestScore(parts, termScores);
    if (mode === 'semantic') return () => 0;
    const best =
      unknownWords === 0
        ? known
        : known + unknownWords * unknownWordScore(documents ?? (await countScope(deps, scope)));
    return (score: number): number => (best === 0 ? 0 : Math.min(1, score / best));
  };
  const relevanceFrom = (relevanceOf: (score: number) => number, scores: ReadonlyMap<string, number>, key: string) =>
    Math.max(relevanceOf(scores.get(key) ?? 0), similar.get(key) ?? 0);

  const inScope = minScore > 0 ? bestScores(probes.wordsInScope.filter(hasWords)) : undefined;
  const relevant = inScope && relevantOnes(await relevance(), inScope);
  function relevantOnes(relevanceOf: (score: number) => number, scores: ReadonlyMap<string, number>) {
    const keys = [...scores.keys(), ...similar.keys()];
    return new Set(keys.filter((key) => relevanceFrom(relevanceOf, scores, key) >= minScore));
  }

  const withWords = new Set([...byWords.keys(), ...probes.documents.filter((key) => hasWords({ key }))]);
  const isMatch = (key: string): boolean =>
    (mode === 'keyword' ? hasWords({ key }) : withWords.has(key) || similar.has(key)) &&
    (relevant === undefined || relevant.has(key));
  const arrange = (ranking: readonly RankedDocument[]): readonly RankedDocument[] => {
    const arranged: RankedDocument[] = [];
    const found = new Set<string>();
    for (const { key, score } of ranking) {
      found.add(key);
      if (isMatch(key)) arranged.push({ key, score: normalizedScore(mode, score) });
    }
    if (mode !== 'hybrid') return arranged;
    // Documents with words of the query that no leg found among its best passages come last.
    for (const key of byWords.keys()) if (!found.has(key) && isMatch(key)) arranged.push({ key, score: 0 });
    return arranged;
  };

  const matched: DocumentsRequest =
    relevant === undefined
      ? matchedBy(mode, request, alternatives, firstPassages(similar.keys()))
      : { ...request, onlyFirst: firstPassages(relevant) };
  const match = { model, matched, facetFilters };
  const toList = (ranking: readonly RankedDocument[], relevanceOf: (score: number) => number): RankedList => ({
    match,
    firstPassages,
    ranking: ranking.map((entry) => ({ ...entry, relevance: relevanceFrom(relevanceOf, byWords, entry.key) })),
    read: async (keys) => {
      const hits = await ranked.read(keys, passagesPerDocument);
      return new Map([...hits].map(([key, hit]) => [key, withNormalizedScores(mode, hit)]));
    },
  });
  return {
    match,
    isComplete: relevant !== undefined || mode === 'semantic' || !probes.areWordsCutOff,
    termScores,
    relevance,
    readPage: async (offset, end) => {
      const [{ ranking, page }, relevanceOf] = await Promise.all([
        readPage(ranked, { offset, end, passagesPerDocument }, arrange),
        relevance(),
      ]);
      const hits = page.map(({ entry: { key, score }, hit }) => ({
        ...withNormalizedScores(mode, hit),
        score,
        relevance: relevanceFrom(relevanceOf, byWords, key),
      }));
      return { ranking, hits, toList: () => toList(ranking, relevanceOf) };
    },
    readList: async () => {
      const [{ ranking }, relevanceOf] = await Promise.all([ranked.refine([], 0), relevance()]);
      return toList(arrange(ranking), relevanceOf);
    },
  };
}

/** Returns the documents that match by their words, by meaning, or by either. */
function matchedBy(
  mode: SearchQuery['mode'],
  request: ScopedRequest,
  words: WordGroup,
  similar: readonly string[],
): DocumentsRequest {
  if (mode === 'semantic') return { ...request, onlyFirst: similar };
  return { ...request, words: [words], ...(mode === 'hybrid' ? { orFirst: similar } : {}) };
}

/** Counts the documents of the whole scope. */
function countScope({ store, shareCounts }: SearchDeps, { model, request }: ModelScope): Promise<number> {
  const { team, collections, principals, required } = request;
  const scope = { team, collections, principals, required };
  return shareCounts(JSON.stringify([model, scope]), () => store.countDocuments(model, scope));
}

async function rank(
  deps: SearchDeps,
  query: SearchQuery,
  { model, request, facetFilters }: ModelScope,
  probes: ProbeRequest,
): Promise<{ readonly ranked: RankedDocuments; readonly similarities: DenseLeg['similarities'] }> {
  const { store, sparse } = deps;
  const { mode } = query;
  const { analyzed } = query.query;
  const { signal } = request;
  const narrowed = documentsOf({ model, matched: request, facetFilters });
  const common = { ...narrowed, probes, candidates: SEARCH_LIMITS.candidates };
  if (mode === 'semantic') {
    const { dense, similarities } = await denseLeg(deps, query, model, request, signal);
    return { ranked: await store.rank(model, { ...common, mode, dense }), similarities };
  }
  const document = { words: documentQuery(analyzed), weight: DOCUMENT_WEIGHT };
  if (mode === 'keyword') {
    const wanted = { ...common, candidates: probes.wordPassages };
    const ranked = await store.rank(model, { ...wanted, mode, sparse: probes.words, document });
    return { ranked, similarities: NO_LEG.similarities };
  }
  const { dense, ranking, similarities } = await denseLegIfPossible(deps, query, model, request, signal);
  const legs = { sparse: sparse.encodeQuery(analyzed), document, dense, ...ranking };
  return { ranked: await store.rank(model, { ...common, mode, ...legs }), similarities };
}
