import { CollectionServiceDefinition, type ResolveCollectionsResponse } from '@lectern/contracts';
import {
  createDenseEncoders,
  createLsiEncoderCache,
  createSparseEncoder,
  type DenseEncoder,
  encoderSettings,
  type LsiEncoderCache,
  type SparseEncoder,
} from '@lectern/embeddings';
import { connectGrpc, createLogger, type GrpcClient, type Logger } from '@lectern/service-kit';
import { createVectorStore, type VectorStore } from '@lectern/vector-store';
import type { Config } from '#config';
import { createReranker, type Reranker } from '#rerank/create-reranker';
import { type SharedCall, shareCalls } from '#sharing/share-calls';
import { type WorkAhead, workAhead } from '#sharing/work-ahead';

/** What the service works with. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly collections: GrpcClient<typeof CollectionServiceDefinition>;
  /** Joins requests that resolve the same collections for the same caller at the same time. */
  readonly shareResolved: SharedCall<ResolveCollectionsResponse>;
  /** Begins a search by what its caller reached the last time. */
  readonly searchAhead: WorkAhead<ResolveCollectionsResponse>;
  /** Joins searches that count the same documents at the same time. */
  readonly shareCounts: SharedCall<number>;
  readonly store: VectorStore;
  readonly sparse: SparseEncoder;
  /** The encoder of an embedding model. Throws `invalid_request` for one that is not configured. */
  readonly denseEncoder: (model: string) => DenseEncoder;
  /** The encoders of spaces learned from teams' corpora. */
  readonly spaces: LsiEncoderCache;
  /** None where the settings name none. */
  readonly reranker: Reranker | undefined;
  close(): void;
}

/** Each is a list of collections: some hundred bytes, or some kilobytes for a key that reaches very many. */
const REACHES_REMEMBERED = 1_000;

/** Connects to everything the service needs; nothing is called yet. */
export function createContext(config: Config, overrides: Partial<Context> = {}): Context {
  const collection = connectGrpc(config.COLLECTION_ADDRESS);
  return {
    config,
    log: createLogger({ service: 'search', level: config.LOG_LEVEL }),
    collections: collection.client(CollectionServiceDefinition, { deadlineMs: 5_000 }),
    shareCounts: shareCalls(),
    shareResolved: shareCalls(),
    searchAhead: workAhead(REACHES_REMEMBERED),
    store: createVectorStore({
      url: config.QDRANT_URL,
      apiKey: config.QDRANT_API_KEY,
      prefix: config.QDRANT_PREFIX,
      timeoutMs: config.QDRANT_TIMEOUT_MS,
    }),
    sparse: createSparseEncoder(),
    denseEncoder: createDenseEncoders(encoderSettings(config)).get,
    spaces: createLsiEncoderCache({ maxBytes: config.SPACE_CACHE_BYTES }),
    reranker: createReranker(config),
    close: () => collection.close(),
    ...overrides,
  };
}
