import type { PassagePayload, SparseVector } from '#layout/passage';
import type { ScopedRequest } from '#read/scoped-request';

interface CommonSearch extends ScopedRequest {
  /** Documents to give, and to leave out before them. */
  readonly limit: number;
  readonly offset: number;
  /** Most passages shown of a document. */
  readonly passagesPerDocument: number;
  /**
   * Passages each leg contributes. Paging moves within these, so it must be the same for every page of a query: then no document is shown twice or
   * lost between pages.
   */
  readonly candidates: number;
}

/** A query's vector in one of the spaces that a model has. */
export interface SpaceQuery {
  /** Only passages of this space are compared with it. */
  readonly space: string;
  readonly vector: Float32Array;
}

/** A query by meaning: one vector, or where passages are of several spaces (as while they move from one to the next) one for each. */
export type DenseQuery = Float32Array | readonly SpaceQuery[];

export interface KeywordSearch extends CommonSearch {
  readonly mode: 'keyword';
  readonly sparse: SparseVector;
}

export interface SemanticSearch extends CommonSearch {
  readonly mode: 'semantic';
  readonly dense: DenseQuery;
}

export interface HybridSearch extends CommonSearch {
  readonly mode: 'hybrid';
  readonly sparse: SparseVector;
  readonly dense: DenseQuery;
  /** What each leg counts, above 0; default 1 each. Of no effect where legs are fused by rank. */
  readonly weights?: LegWeights | undefined;
  /** How the rankings become one; default `score`. */
  readonly fusion?: Fusion | undefined;
}

/**
 * `score`: the weighted sum of each leg's scores, stretched to run from 0 to 1 within the query; keeps how far apart the passages of a leg are, and
 * is for legs of unlike strength. `rank`: by places alone (reciprocal rank fusion), for legs of like strength.
 */
export type Fusion = 'score' | 'rank';

export interface LegWeights {
  readonly keyword: number;
  readonly semantic: number;
}

export type SearchRequest = KeywordSearch | SemanticSearch | HybridSearch;

/** What each leg by itself gives: `keyword` BM25, unbounded; `semantic` the cosine. A leg that does not find the passage is left out. */
export interface LegScores {
  readonly keyword?: number;
  readonly semantic?: number;
}

export interface PassageHit {
  readonly chunk: number;
  readonly heading: string;
  readonly text: string;
  /** UTF-16 offsets in the document's content. */
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

export interface DocumentHit {
  readonly document: string;
  /** That of its best passage: in mode `hybrid` from 0 to 1, where 1 is first in both legs; in the others the leg's own. */
  readonly score: number;
  /** The best that each leg gives one of the passages shown. */
  readonly scores: LegScores;
  /** Best first. */
  readonly passages: readonly PassageHit[];
  /** What is stored of the best passage and its document. */
  readonly payload: PassagePayload;
}

/** A document's place among the candidates, without what is stored of it. */
export interface RankedDocument {
  readonly document: string;
  readonly score: number;
}

export interface SearchResult {
  readonly hits: readonly DocumentHit[];
  /** All documents among the candidates, best first: what pages are cut from. */
  readonly ranking: readonly RankedDocument[];
  /** Distinct documents among the candidates. */
  readonly total: number;
  /** Whether the candidates were all there are, so that `total` is exact. */
  readonly totalIsExact: boolean;
}
