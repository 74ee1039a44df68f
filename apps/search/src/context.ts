import { CollectionServiceDefinition } from '@lectern/contracts';
import { createDenseEncoder, createSparseEncoder, type DenseEncoder, type SparseEncoder } from '@lectern/embeddings';
import { connectGrpc, createLogger, type GrpcClient, type Logger } from '@lectern/service-kit';
import { createVectorStore, type VectorStore } from '@lectern/vector-store';
import type { Config } from '#config';

/** What the service works with. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly collections: GrpcClient<typeof CollectionServiceDefinition>;
  readonly store: VectorStore;
  readonly sparse: SparseEncoder;
  /** The encoder of an embedding model. Throws `invalid_request` for one that is not configured. */
  readonly denseEncoder: (model: string) => DenseEncoder;
  close(): void;
}

/** Connects to everything the service needs; nothing is called yet. */
export function createContext(config: Config, overrides: Partial<Context> = {}): Context {
  const collection = connectGrpc(config.COLLECTION_ADDRESS);
  const encoders = new Map<string, DenseEncoder>();
  return {
    config,
    log: createLogger({ service: 'search', level: config.LOG_LEVEL }),
    collections: collection.client(CollectionServiceDefinition, { deadlineMs: 5_000 }),
    store: createVectorStore({
      url: config.QDRANT_URL,
      apiKey: config.QDRANT_API_KEY,
      prefix: config.QDRANT_PREFIX,
      timeoutMs: config.QDRANT_TIMEOUT_MS,
    }),
    sparse: createSparseEncoder(),
    denseEncoder: (model) => {
      const encoder = encoders.get(model) ?? createDenseEncoder({ provider: config.EMBEDDING_PROVIDER, model });
      encoders.set(model, encoder);
      return encoder;
    },
    close: () => collection.close(),
    ...overrides,
  };
}
