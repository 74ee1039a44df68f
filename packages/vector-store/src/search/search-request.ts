import type { PassagePayload, SparseVector } from '#layout/passage';
import type { ScopedRequest } from '#read/scoped-request';

/** The candidates of each leg and the passages of each document that a search uses by default. */
export const SEARCH_DEFAULTS = { candidates: 200, passagesPerDocument: 3 } as const;

interface CommonSearch extends ScopedRequest {
  /**
   * Passages that each leg contributes. Pages are cut from these, so every page of a query needs
   * the same value; otherwise documents are repeated or missing between pages.
   */
  readonly candidates: number;
  /** What else to find out in the same request. */
  readonly probes?: ProbeRequest | undefined;
}

/** Searches that show which documents match, apart from their order. */
export interface ProbeRequest {
  /** Words without character grams. In mode `keyword` these are the words of the search itself. */
  readonly words: SparseVector;
  /** The maximum number of passages with these words to return. */
  readonly wordPassages: number;
  /** Whether to also return passages with these words that the request's filters exclude. */
  readonly wholeScope: boolean;
  /** Words whose highest possible score is wanted. */
  readonly parts: readonly number[];
}

export interface Probes {
  /** The best passages by words only. */
  readonly words: readonly FoundPassage[];
  /** Whether there can be more passages with these words. */
  readonly areWordsCutOff: boolean;
  /** The same over the whole scope, without the request's filters. */
  readonly wordsInScope: readonly FoundPassage[];
  /** The keys of the documents that the document leg found; each contains a word of the query. */
  readonly documents: readonly string[];
  /** The passages of the whole scope that are nearest to the query, best first, for each space. */
  readonly nearest: readonly { readonly space: string | undefined; readonly passages: readonly FoundPassage[] }[];
  /** The highest score of any passage of the scope for each of `parts`; 0 if none has the word. */
  readonly strongest: readonly number[];
}

/** A passage that a leg found, identified by its id. */
export interface FoundPassage {
  readonly id: string;
  /** The key of its document. */
  readonly key: string;
  readonly score: number;
}

/** A query's vector in one of a model's spaces. */
export interface SpaceQuery {
  /** The vector is compared only with passages of this space. */
  readonly space: string;
  readonly vector: Float32Array;
}

/** A query's vector, or one vector per space while passages move from one space to the next. */
export type DenseQuery = Float32Array | readonly SpaceQuery[];

/** The leg that compares the query with whole documents instead of passages. */
export interface DocumentLeg {
  readonly words: SparseVector;
  /** Its weight relative to the keyword leg (1). */
  readonly weight: number;
}

export interface KeywordSearch extends CommonSearch {
  readonly mode: 'keyword';
  readonly sparse: SparseVector;
  readonly document?: DocumentLeg | undefined;
}

export interface SemanticSearch extends CommonSearch {
  readonly mode: 'semantic';
  readonly dense: DenseQuery;
}

export interface HybridSearch extends CommonSearch {
  readonly mode: 'hybrid';
  readonly sparse: SparseVector;
  readonly dense: DenseQuery;
  readonly document?: DocumentLeg | undefined;
  /** The weights of the passage legs, above 0; default 1 each. Not used by the fusion `rank`. */
  readonly weights?: LegWeights | undefined;
  /** How the rankings are combined; default `score`. */
  readonly fusion?: Fusion | undefined;
  readonly feedback?: Feedback | undefined;
}

/**
 * Ranks the first documents again by their similarity to the best ones (pseudo relevance feedback).
 * Left out unless all passages are in one space.
 */
export interface Feedback {
  /** The weight of the similarity; the score before has the rest to 1. */
  readonly weight: number;
  /** The number of best documents that are taken as relevant. */
  readonly examples: number;
  /** The number of documents to rank again. */
  readonly documents: number;
}

/**
 * `score`: the weighted sum of each leg's scores, scaled to 0–1 within the query. It keeps the
 * distances between scores, which suits legs of different quality. `rank`: reciprocal rank fusion,
 * which uses ranks only and suits legs of similar quality.
 */
export type Fusion = 'score' | 'rank';

export interface LegWeights {
  readonly keyword: number;
  readonly semantic: number;
}

/** A request for a ranking. */
export type RankRequest = KeywordSearch | SemanticSearch | HybridSearch;

/** A request for one page of a ranking. */
export type SearchRequest = RankRequest & {
  /** The maximum number of documents to return, and the number to skip before them. */
  readonly limit: number;
  readonly offset: number;
  /** The maximum number of passages to return per document. */
  readonly passagesPerDocument: number;
};

/**
 * The scores of each leg: `keyword` is BM25, unbounded; `semantic` is the cosine. A leg that did
 * not find the passage is missing.
 */
export interface LegScores {
  readonly keyword?: number;
  readonly semantic?: number;
}

export interface PassageHit {
  readonly chunk: number;
  readonly heading: string;
  readonly text: string;
  /** The language in which the passage was indexed. Passages of earlier versions have none. */
  readonly language?: string | undefined;
  /** UTF-16 offsets in the document's content. */
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

export interface DocumentHit {
  readonly document: string;
  /**
   * The score of the document: from 0 to 1 in mode `hybrid`, where 1 is first in all legs; in mode
   * `keyword` the mean of both legs' BM25 by their weights; in mode `semantic` the best passage's
   * cosine.
   */
  readonly score: number;
  /** The best score of each leg among the returned passages. */
  readonly scores: LegScores;
  /** Best first. */
  readonly passages: readonly PassageHit[];
  /** The payload of the best passage. */
  readonly payload: PassagePayload;
}

/**
 * A ranked document. The ids of its passages contain its key (`documentKey`), so that a ranking
 * reads no payloads; its own id is in its payload.
 */
export interface RankedDocument {
  readonly key: string;
  readonly score: number;
}

/** The ranking of a search, from which a caller chooses the documents to read. */
export interface RankedDocuments {
  /** All documents among the candidates, best first, before the feedback. */
  readonly ranking: readonly RankedDocument[];
  readonly probes: Probes;
  /** Whether feedback can change the order. */
  readonly canChange: boolean;
  /**
   * Returns the ids that the first passages of found documents can have, by which `DocumentsRequest`
   * selects documents.
   */
  firstPassages(keys: Iterable<string>): string[];
  /**
   * Reads documents of the ranking or of the word probe, by key. Documents deleted since the ranking
   * are missing.
   */
  read(keys: readonly string[], passagesPerDocument: number): Promise<ReadonlyMap<string, DocumentHit>>;
  /** Applies the feedback and reads documents, in one request. */
  refine(keys: readonly string[], passagesPerDocument: number): Promise<RefinedDocuments>;
}

/** The documents of a ranking in their final order, and those that were read. */
export interface RefinedDocuments {
  readonly ranking: readonly RankedDocument[];
  readonly hits: ReadonlyMap<string, DocumentHit>;
}

export interface SearchResult {
  readonly hits: readonly DocumentHit[];
  /** All documents among the candidates, best first. Pages are cut from this list. */
  readonly ranking: readonly RankedDocument[];
  /** Distinct documents among the candidates. */
  readonly total: number;
}
