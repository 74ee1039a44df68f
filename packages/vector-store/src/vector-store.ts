import { type CallOptions, type ConnectionSettings, connectQdrant } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { collectionName } from '#layout/collection-name';
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
import { readVectors, type VectorsRequest } from '#read/read-vectors';
import type { DocumentsRequest, ScopedRequest } from '#read/scoped-request';
import { type StoredVersion, scrollDocuments } from '#read/scroll-documents';
import { type PassagesRequest, type StoredPassage, scrollPassages } from '#read/scroll-passages';
import { type WordsRequest, wordsWithin } from '#read/words-within';
import { search } from '#search/search';
import type { SearchRequest, SearchResult } from '#search/search-request';
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
import { type EmbeddingModel, ensureModel } from '#write/ensure-model';
import { type MovePassages, movePassages } from '#write/move-passages';
import { type SetPrincipals, setPrincipals } from '#write/set-principals';
import { type UpdateWords, updateWords } from '#write/update-words';
import { upsertPassages } from '#write/upsert-passages';

export interface VectorStoreSettings extends ConnectionSettings {
  /** Begins the name of every Qdrant collection; keeps installations and tests on one server apart. Default `lectern_`. */
  readonly prefix?: string | undefined;
}

/**
 * The passages of all documents, one Qdrant collection an embedding model (the first argument everywhere). Reads and deletes of a model that
 * has none yet find nothing. All reject with `AppError`: `unavailable`, `timeout`, `cancelled`, or what the function says.
 */
export interface VectorStore {
  /** Resolves when Qdrant answers. */
  ping(options?: CallOptions): Promise<void>;
  /**
   * Makes a model's collection and payload indexes, or what of them is missing. Safe to call again, and from several processes at once.
   * @throws AppError `conflict` where stored vectors have other dimensions.
   */
  ensureModel(model: EmbeddingModel, options?: CallOptions): Promise<void>;
  /** Deletes a model's collection with all it holds, of every team. */
  dropModel(model: string, options?: CallOptions): Promise<void>;
  /** Stores passages under ids made of document, version and chunk: storing one again replaces it. They are found once this resolves. */
  upsertPassages(model: string, passages: readonly Passage[], options?: CallOptions): Promise<void>;
  /** Gives stored passages vectors of another space; false where one of them is gone, and some may not have been moved. */
  movePassages(model: string, request: MovePassages): Promise<boolean>;
  /**
   * Replaces the words of stored passages after a change of the analysis rules. Returns false if a
   * passage no longer exists; some passages may then be unchanged.
   */
  updateWords(model: string, request: UpdateWords): Promise<boolean>;
  /** Says anew who may read documents. */
  setPrincipals(model: string, request: SetPrincipals): Promise<void>;
  deleteDocument(model: string, request: DeleteDocument): Promise<void>;
  deleteDocuments(model: string, request: DeleteDocuments): Promise<void>;
  deleteVersion(model: string, request: DeleteVersion): Promise<void>;
  deleteCollection(model: string, request: DeleteCollection): Promise<void>;
  /** Finds documents by their passages. @throws AppError `invalid_request` for a filter that makes no sense. */
  search(model: string, request: SearchRequest): Promise<SearchResult>;
  count(model: string, request: ScopedRequest): Promise<Counts>;
  /** The documents that a request is about: how many, which ones, and a part of them in order of a date. */
  countDocuments(model: string, request: DocumentsRequest): Promise<number>;
  listDocuments(model: string, request: DocumentsRequest): Promise<string[]>;
  browse(model: string, request: BrowseRequest): Promise<PassagePayload[]>;
  listByDate(model: string, request: BrowseRequest): Promise<DatedDocument[]>;
  readTexts(model: string, request: TextsRequest): AsyncGenerator<readonly PassageText[], void, undefined>;
  /** The dense vectors of passages by their ids; what is gone is missing. */
  readVectors(model: string, request: VectorsRequest): Promise<ReadonlyMap<string, Float32Array>>;
  /** Returns those of the words that occur in any passage of a scope. */
  wordsWithin(model: string, request: WordsRequest): Promise<ReadonlySet<number>>;
  facet(model: string, request: FacetRequest): Promise<FacetValue[]>;
  countByDocument(model: string, request: CountByDocument): Promise<ReadonlyMap<string, number>>;
  scrollDocuments(model: string, request: ScopedRequest): AsyncGenerator<StoredVersion, void, undefined>;
  scrollPassages(model: string, request: PassagesRequest): AsyncGenerator<readonly StoredPassage[], void, undefined>;
}

const DEFAULT_PREFIX = 'lectern_';

/** Makes the one way to Qdrant. Opens no connection until the first call; there is nothing to close. */
export function createVectorStore({ prefix = DEFAULT_PREFIX, ...settings }: VectorStoreSettings): VectorStore {
  const connection = connectQdrant(settings);
  const named = (model: string) => collectionName(prefix, model);
  return {
    ping: async (options = {}) => {
      await connection.read('list collections', REQUESTS.listCollections(), options);
    },
    ensureModel: (model, options = {}) => ensureModel(connection, named(model.model), model, options),
    dropModel: (model, options = {}) => dropModel(connection, named(model), options),
    upsertPassages: (model, passages, options = {}) => upsertPassages(connection, named(model), passages, options),
    movePassages: (model, request) => movePassages(connection, named(model), request),
    updateWords: (model, request) => updateWords(connection, named(model), request),
    setPrincipals: (model, request) => setPrincipals(connection, named(model), request),
    deleteDocument: (model, request) => deleteDocument(connection, named(model), request),
    deleteDocuments: (model, request) => deleteDocuments(connection, named(model), request),
    deleteVersion: (model, request) => deleteVersion(connection, named(model), request),
    deleteCollection: (model, request) => deleteCollection(connection, named(model), request),
    search: (model, request) => search(connection, named(model), request),
    count: (model, request) => count(connection, named(model), request),
    countDocuments: (model, request) => countDocuments(connection, named(model), request),
    listDocuments: (model, request) => listDocuments(connection, named(model), request),
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
