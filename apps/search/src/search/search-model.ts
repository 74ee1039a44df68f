import type { DenseEncoder, SparseEncoder } from '@lectern/embeddings';
import type { DocumentHit, SearchResult, VectorStore } from '@lectern/vector-store';
import { SEARCH_LIMITS } from '#search/limits';
import { withNormalisedScores } from '#search/scores';
import type { SearchQuery } from '#search/search-query';

/** What a search works with. */
export interface SearchDeps {
  readonly store: VectorStore;
  readonly sparse: SparseEncoder;
  readonly denseEncoder: (model: string) => DenseEncoder;
}

/** The collections that share an embedding model. */
export interface ModelScope {
  readonly model: string;
  readonly collections: readonly string[];
}

/** Which part of a model's ranking is wanted. */
export interface Slice {
  readonly offset: number;
  readonly limit: number;
  readonly passagesPerDocument: number;
}

/** A part of a model's ranking, scores from 0 to 1. */
export interface RankedSlice {
  readonly hits: readonly DocumentHit[];
  /** Documents in the whole ranking. */
  readonly total: number;
}

/** Ranks the documents of one embedding model's collections. */
export async function searchModel(
  deps: SearchDeps,
  query: SearchQuery,
  { model, collections }: ModelScope,
  slice: Slice,
  signal: AbortSignal,
): Promise<RankedSlice> {
  const { hits, total } = await runLegs(deps, query, model, {
    team: query.team,
    collections,
    principals: query.principals,
    candidates: SEARCH_LIMITS.candidates,
    signal,
    ...slice,
  });
  return { hits: hits.map((hit) => withNormalisedScores(query.mode, hit)), total };
}

type Narrowed = Omit<Parameters<VectorStore['search']>[1], 'mode' | 'sparse' | 'dense' | 'weights'>;

async function runLegs(
  { store, sparse, denseEncoder }: SearchDeps,
  { text, mode }: SearchQuery,
  model: string,
  narrowed: Narrowed,
): Promise<SearchResult> {
  if (mode === 'keyword') return store.search(model, { ...narrowed, mode, sparse: sparse.encodeQuery(text) });
  const encoder = denseEncoder(model);
  const dense = await encoder.embedQuery(text, { signal: narrowed.signal });
  if (mode === 'semantic') return store.search(model, { ...narrowed, mode, dense });
  const weights = { keyword: 1, semantic: encoder.hybridWeight };
  return store.search(model, { ...narrowed, mode, sparse: sparse.encodeQuery(text), dense, weights });
}
