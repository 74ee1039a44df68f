import { DocumentVectors } from '#connection/document-vectors';
import { type CallOptions, type ConnectionSettings, connectQdrant } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { collectionName } from '#layout/collection-name';
import { type CollectionSettings, DEFAULT_COLLECTION_SETTINGS } from '#layout/collection-settings';
import type { Passage, PassagePayload } from '#layout/passage';
import { type BrowseRequest, browse, type DatedDocument, listByDate } from '#read/browse';
import { type Counts, count, countDocuments } from '#read/count';
import {
  type CountByDocument,
  countByDocument,
  type FacetRequest,
  type FacetValue,
  facet,
  listDocuments,
} from '#read/facet';
import { type PassageText, readTexts, type TextsRequest } from '#read/read-texts';
import { type DocumentTraits, readTraits, type TraitsRequest } from '#read/read-traits';
import { readVectors, type VectorsRequest } from '#read/read-vectors';
import type { DocumentsRequest, ScopedRequest } from '#read/scoped-request';
import { type StoredVersion, scrollDocuments } from '#read/scroll-documents';
import { type PassagesRequest, type StoredPassage, scrollPassages } from '#read/scroll-passages';
import { type WordsRequest, wordsWithin } from '#read/words-within';
import { FormerPoints } from '#search/places';
import { rank, search } from '#search/search';
import type { RankedDocuments, RankRequest, SearchRequest, SearchResult } from '#search/search-request';
import { type AppliedSettings, applySettings } from '#write/apply-settings';
import {
  type DeleteCollection,
  type DeleteDocument,
  type DeleteDocuments,
  type DeleteVersion,
  deleteCollection,
  deleteDocument,
  deleteDocuments,
  deleteVersion,
} from '#write/delete-passages';
import { dropModel } from '#write/drop-model';
import { type EmbeddingModel, ensureModel, upgradeModel } from '#write/ensure-model';
import { type MovePassages, movePassages } from '#write/move-passages';
import { type NarrowPrincipals, narrowPrincipals } from '#write/narrow-principals';
import { type FormerIdsRequest, type RenewPoints, renewPoints, scrollFormerIds } from '#write/renew-points';
import { type SetPrincipals, setPrincipals } from '#write/set-principals';
import { type UpdateWords, updateWords } from '#write/update-words';
import { upsertPassages } from '#write/upsert-passages';

export interface VectorStoreSettings extends ConnectionSettings {
  /**
   * Prefix of every Qdrant collection; separates installations and tests on one server. Default
   * `lectern_`.
   */
  readonly prefix?: string | undefined;
  /** How `ensureModel` creates collections. Default: those of an empty environment. */
  readonly collections?: CollectionSettings | undefined;
}

/**
 * The passages of all documents, with one Qdrant collection per embedding model (always the first
 * argument). Reads and deletes of a model without a collection find nothing. All methods reject
 * with `AppError`: `unavailable`, `timeout`, `cancelled`, or the codes named below.
 */
export interface VectorStore {
  /** Resolves when Qdrant responds. */
  ping(options?: CallOptions): Promise<void>;
  /**
   * Creates a model's collection and payload indexes if they are missing. Can be called repeatedly
   * and from several processes at the same time.
   * @throws AppError `conflict` if stored vectors have other dimensions
   */
  ensureModel(model: EmbeddingModel, options?: CallOptions): Promise<void>;
  /**
   * Adds the vectors and payload indexes that the collection of an earlier version lacks. Does
   * nothing for a model without a collection.
   */
  upgradeModel(model: string, options?: CallOptions): Promise<void>;
  /**
   * Gives the existing collections of this prefix the settings that can change, one by one. Qdrant
   * then rebuilds indexes and copies shards in the background.
   */
  applySettings(options?: CallOptions): AsyncGenerator<AppliedSettings, void, undefined>;
  /** Deletes a model's collection with the passages of every team. */
  dropModel(model: string, options?: CallOptions): Promise<void>;
  /**
   * Stores passages under ids made of document, version and chunk; storing one again replaces it.
   * They can be found once this resolves.
   */
  upsertPassages(model: string, passages: readonly Passage[], options?: CallOptions): Promise<void>;
  /**
   * Moves stored passages to another space. Returns false if a passage no longer exists; some
   * passages may then not have moved.
   */
  movePassages(model: string, request: MovePassages): Promise<boolean>;
  /**
   * Replaces the words of stored passages after a change of the analysis rules. Returns false if a
   * passage no longer exists; some passages may then be unchanged.
   */
  updateWords(model: string, request: UpdateWords): Promise<boolean>;
  /**
   * Iterates over the ids of a document's points that an earlier version of Lectern gave them, page by
   * page. The first passage comes first.
   */
  scrollFormerIds(model: string, request: FormerIdsRequest): AsyncIterable<readonly string[]>;
  /**
   * Stores such points again in the current form, with the given readers. A concurrent change of the
   * document would be lost, so the caller locks the document.
   */
  renewPoints(model: string, request: RenewPoints): Promise<void>;
  /** Replaces the principals with read access to documents. */
  setPrincipals(model: string, request: SetPrincipals): Promise<void>;
  /** Takes access to older versions of a document from all but some principals. */
  narrowPrincipals(model: string, request: NarrowPrincipals): Promise<void>;
  deleteDocument(model: string, request: DeleteDocument): Promise<void>;
  deleteDocuments(model: string, request: DeleteDocuments): Promise<void>;
  deleteVersion(model: string, request: DeleteVersion): Promise<void>;
  deleteCollection(model: string, request: DeleteCollection): Promise<void>;
  /**
   * Finds documents by their passages.
   * @throws AppError `invalid_request` for an invalid filter
   */
  search(model: string, request: SearchRequest): Promise<SearchResult>;
  /** Ranks like `search`; the caller chooses the documents to read. */
  rank(model: string, request: RankRequest): Promise<RankedDocuments>;
  count(model: string, request: ScopedRequest): Promise<Counts>;
  /** Count, ids, and an ordered page of the documents that match a request. */
  countDocuments(model: string, request: DocumentsRequest): Promise<number>;
  listDocuments(model: string, request: DocumentsRequest): Promise<string[]>;
  /** Reads the dates and sketches of documents by key; missing documents are left out. */
  readTraits(model: string, request: TraitsRequest): Promise<ReadonlyMap<string, DocumentTraits>>;
  browse(model: string, request: BrowseRequest): Promise<PassagePayload[]>;
  listByDate(model: string, request: BrowseRequest): Promise<DatedDocument[]>;
  readTexts(model: string, request: TextsRequest): AsyncGenerator<readonly PassageText[], void, undefined>;
  /** Reads the dense vectors of passages by id; missing passages are left out. */
  readVectors(model: string, request: VectorsRequest): Promise<ReadonlyMap<string, Float32Array>>;
  /** Returns the words that occur in any passage of a scope. */
  wordsWithin(model: string, request: WordsRequest): Promise<ReadonlySet<number>>;
  facet(model: string, request: FacetRequest): Promise<FacetValue[]>;
  countByDocument(model: string, request: CountByDocument): Promise<ReadonlyMap<string, number>>;
  scrollDocuments(model: string, request: ScopedRequest): AsyncGenerator<StoredVersion, void, undefined>;
  scrollPassages(model: string, request: PassagesRequest): AsyncGenerator<readonly StoredPassage[], void, undefined>;
}

const DEFAULT_PREFIX = 'lectern_';

/** Creates a store. Opens no connection until the first call; nothing needs to be closed. */
export function createVectorStore({
  prefix = DEFAULT_PREFIX,
  collections = DEFAULT_COLLECTION_SETTINGS,
  ...settings
}: VectorStoreSettings): VectorStore {
  const connection = connectQdrant(settings);
  const documentVectors = new DocumentVectors();
  const memory = { documentVectors, formerPoints: new FormerPoints() };
  const named = (model: string) => collectionName(prefix, model);
  return {
    ping: async (options = {}) => {
      await connection.read('list collections', REQUESTS.listCollections(), options);
    },
    ensureModel: (model, options = {}) =>
      ensureModel(connection, named(model.model), model, options, { documentVectors, settings: collections }),
    upgradeModel: (model, options = {}) => upgradeModel(connection, named(model), options, documentVectors),
    applySettings: (options = {}) => applySettings(connection, prefix, collections, options),
    dropModel: (model, options = {}) => dropModel(connection, named(model), options),
    upsertPassages: (model, passages, options = {}) =>
      upsertPassages(connection, named(model), passages, options, documentVectors),
    movePassages: (model, request) => movePassages(connection, named(model), request),
    updateWords: (model, request) =>
      documentVectors.use(named(model), (hasDocumentVector) =>
        updateWords(connection, named(model), request, hasDocumentVector),
      ),
    scrollFormerIds: (model, request) => scrollFormerIds(connection, named(model), request),
    renewPoints: (model, request) => renewPoints(connection, named(model), request),
    setPrincipals: (model, request) => setPrincipals(connection, named(model), request),
    narrowPrincipals: (model, request) => narrowPrincipals(connection, named(model), request),
    deleteDocument: (model, request) => deleteDocument(connection, named(model), request),
    deleteDocuments: (model, request) => deleteDocuments(connection, named(model), request),
    deleteVersion: (model, request) => deleteVersion(connection, named(model), request),
    deleteCollection: (model, request) => deleteCollection(connection, named(model), request),
    search: (model, request) => search(connection, named(model), request, memory),
    rank: (model, request) => rank(connection, named(model), request, memory),
    count: (model, request) => count(connection, named(model), request),
    countDocuments: (model, request) => countDocuments(connection, named(model), request),
    listDocuments: (model, request) => listDocuments(connection, named(model), request),
    readTraits: (model, request) => readTraits(connection, named(model), request),
    browse: (model, request) => browse(connection, named(model), request),
    listByDate: (model, request) => listByDate(connection, named(model), request),
    readTexts: (model, request) => readTexts(connection, named(model), request),
    readVectors: (model, request) => readVectors(connection, named(model), request),
    wordsWithin: (model, request) => wordsWithin(connection, named(model), request),
    facet: (model, request) => facet(connection, named(model), request),
    countByDocument: (model, request) => countByDocument(connection, named(model), request),
    scrollDocuments: (model, request) => scrollDocuments(connection, named(model), request),
    scrollPassages: (model, request) => scrollPassages(connection, named(model), request),
  };
}
