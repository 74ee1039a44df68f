import { type DenseEncoder, queryWords, type SparseEncoder } from '@lectern/embeddings';
import type { Logger } from '@lectern/service-kit';
import type { DocumentHit, DocumentsRequest, RankedDocument, SearchResult, VectorStore } from '@lectern/vector-store';
import { SEARCH_LIMITS } from '#limits';
import { denseLeg, denseLegIfPossible } from '#search/dense-leg';
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

/** The documents of one embedding model's collections that match a query. */
export interface ModelMatch {
  readonly model: string;
  readonly matched: DocumentsRequest;
}

/** The requested part of a model's ranking. */
export interface Slice {
  readonly offset: number;
  readonly limit: number;
  readonly passagesPerDocument: number;
}

/** Part of a model's ranking, with scores from 0 to 1. */
export interface RankedSlice {
  readonly hits: readonly DocumentHit[];
  /** All ranked documents, best first. */
  readonly ranking: readonly RankedDocument[];
}

/**
 * Ranks the matched documents of one embedding model by their best passages. Documents without a
 * candidate in any leg are left out.
 */
export async function searchModel(
  deps: SearchDeps,
  query: SearchQuery,
  { model, matched }: ModelMatch,
  slice: Slice,
): Promise<RankedSlice> {
  const { mode } = query;
  const { words: _words, ...narrowed } = matched;
  const request = { ...narrowed, candidates: SEARCH_LIMITS.candidates, ...slice };
  const { hits, ranking } = await runLegs(deps, query, model, request);
  return {
    hits: hits.map((hit) => withNormalizedScores(mode, hit)),
    ranking: ranking.map(({ document, score }) => ({ document, score: normalizedScore(mode, score) })),
  };
}

type Narrowed = Omit<Parameters<VectorStore['search']>[1], 'mode' | 'sparse' | 'dense' | 'weights' | 'fusion'>;

/**
 * From this weight on, an encoder ranks as well as the keyword leg; fusing by rank is then better
 * than adding scores of different kinds.
 */
const EQUAL_WEIGHT = 1;

async function runLegs(deps: SearchDeps, query: SearchQuery, model: string, narrowed: Narrowed): Promise<SearchResult> {
  const { store, sparse } = deps;
  const { mode } = query;
  const { analyzed } = query.query;
  // Keyword mode excludes documents that share only character grams with the query.
  if (mode === 'keyword') return store.search(model, { ...narrowed, mode, sparse: queryWords(analyzed) });
  if (mode === 'semantic') {
    const { dense } = await denseLeg(deps, query, model, narrowed, narrowed.signal);
    return store.search(model, { ...narrowed, mode, dense });
  }
  const { dense, weight } = await denseLegIfPossible(deps, query, model, narrowed, narrowed.signal);
  const weights = { keyword: 1, semantic: weight };
  const fusion = weight < EQUAL_WEIGHT ? 'score' : 'rank';
  return store.search(model, { ...narrowed, mode, sparse: sparse.encodeQuery(analyzed), dense, weights, fusion });
}
