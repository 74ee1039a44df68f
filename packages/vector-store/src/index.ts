export type { CallOptions } from '#connection/qdrant-connection';
export type { Filter, FilterField, FilterScalar } from '#filter/filter';
export { collectionName } from '#layout/collection-name';
export type { Passage, PassagePayload, SparseVector } from '#layout/passage';
export { pointId } from '#layout/point-id';
export type { Counts } from '#read/count';
export type { CountByDocument, FacetField, FacetRequest, FacetValue } from '#read/facet';
export type { ScopedRequest } from '#read/scoped-request';
export type { StoredVersion } from '#read/scroll-documents';
export type { Scope } from '#scope/scoped-filter';
export type {
  DocumentHit,
  HybridSearch,
  KeywordSearch,
  LegScores,
  PassageHit,
  SearchRequest,
  SearchResult,
  SemanticSearch,
} from '#search/search-request';
export { createVectorStore, type VectorStore, type VectorStoreSettings } from '#vector-store';
export type { DeleteCollection, DeleteDocument, DeleteDocuments, DeleteVersion } from '#write/delete-passages';
export type { EmbeddingModel } from '#write/ensure-model';
