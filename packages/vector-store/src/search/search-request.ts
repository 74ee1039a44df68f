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

export interface KeywordSearch extends CommonSearch {
  readonly mode: 'keyword';
  readonly sparse: SparseVector;
}

export interface SemanticSearch extends CommonSearch {
  readonly mode: 'semantic';
  readonly dense: Float32Array;
}

export interface HybridSearch extends CommonSearch {
  readonly mode: 'hybrid';
  readonly sparse: SparseVector;
  readonly dense: Float32Array;
  /** What each leg's ranking counts, above 0; default 1 each. */
  readonly weights?: { readonly keyword: number; readonly semantic: number } | undefined;
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
