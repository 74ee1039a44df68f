export type { CallOptions } from '#connection/qdrant-connection';
export { type FilteredDocument, matchesFilter } from '#filter/matches-filter';
export { collectionName } from '#layout/collection-name';
export { type CollectionSettings, checkCollectionSettings, collectionSettings } from '#layout/collection-settings';
export { type FactValue, MAX_FACET_TEXT } from '#layout/facts';
export type { Passage, PassagePayload, SparseVector } from '#layout/passage';
export { documentKey, formerPointId, POINTS_VERSION, pointId } from '#layout/point-id';
export type { BrowseRequest, DatedDocument } from '#read/browse';
export type { Counts } from '#read/count';
export {
  type CountByDocument,
  compareFactValues,
  type FacetField,
  type FacetRequest,
  type FacetValue,
} from '#read/facet';
export type { PassageText, TextsRequest } from '#read/read-texts';
export type { DocumentTraits, TraitsRequest } from '#read/read-traits';
export type { VectorsRequest } from '#read/read-vectors';
export type { DocumentsRequest, ScopedRequest, WordGroup } from '#read/scoped-request';
export type { StoredVersion } from '#read/scroll-documents';
export type { PassagesRequest, StoredPassage } from '#read/scroll-passages';
export type { WordsRequest } from '#read/words-within';
export type { Scope } from '#scope/scoped-filter';
export { DOCUMENT_WEIGHT, learnedRanking } from '#search/ranking';
export { type PageRequest, readPage } from '#search/read-page';
export {
  type DenseQuery,
  type DocumentHit,
  type DocumentLeg,
  type Feedback,
  type FoundPassage,
  type Fusion,
  type HybridSearch,
  type KeywordSearch,
  type LegScores,
  type LegWeights,
  type PassageHit,
  type ProbeRequest,
  type Probes,
  type RankedDocument,
  type RankedDocuments,
  type RankRequest,
  type RefinedDocuments,
  SEARCH_DEFAULTS,
  type SearchRequest,
  type SearchResult,
  type SemanticSearch,
  type SpaceQuery,
} from '#search/search-request';
export { createVectorStore, type VectorStore, type VectorStoreSettings } from '#vector-store';
export type { AppliedSettings } from '#write/apply-settings';
export type { DeleteCollection, DeleteDocument, DeleteDocuments, DeleteVersion } from '#write/delete-passages';
export type { EmbeddingModel } from '#write/ensure-model';
export type { MovedPassage, MovePassages } from '#write/move-passages';
export type { AnalyzedDocument, AnalyzedPassage, UpdateWords } from '#write/update-words';
