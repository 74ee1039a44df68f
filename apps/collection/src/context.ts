import {
  createDenseEncoders,
  createLsiEncoderCache,
  createSparseEncoder,
  type DenseEncoder,
  encoderSettings,
  type LsiEncoder,
  OFFERED_MODELS,
  type OfferedModel,
  type SparseEncoder,
} from '@lectern/embeddings';
import { createExtractiveModel } from '@lectern/extractive';
import { createModels, type Models } from '@lectern/llm';
import { createMessaging, type Messaging } from '@lectern/messaging';
import { type Batched, createLogger, type Logger, prismaOptions } from '@lectern/service-kit';
import { createVectorStore, type VectorStore } from '@lectern/vector-store';
import type { Config } from '#config';
import type { StoredVersion } from '#documents/create-document';
import type { DocumentWithCollection } from '#documents/document-record';
import { createDocumentInserts, type NewDocument } from '#documents/insert-documents';
import { createContentWrites, type DocumentContent } from '#documents/store-content';
import { createItemWrites, type StoredItem } from '#documents/store-item';
import { PrismaClient } from '#gen/prisma/client';
import { createIndexWrites, type IndexWrites } from '#indexing/index-writes';
import { createIndexReadiness } from '#indexing/ready-models';
import type { Corpus } from '#spaces/active-spaces';
import { loadSpace } from '#spaces/load-space';
import { createNewestSpaces } from '#spaces/newest-space';

/** The PostgreSQL schema of this service. */
export const DATABASE_SCHEMA = 'collection';

/** The dependencies of the service. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly db: PrismaClient;
  readonly messaging: Messaging;
  /** Documents whose indexing could not be queued, by id. */
  readonly unqueued: Map<string, StoredVersion>;
  readonly store: VectorStore;
  /** Stores a document created through the API. */
  readonly insertDocument: Batched<NewDocument, DocumentWithCollection | undefined>;
  /** Stores the content of a registered document. */
  readonly storeContent: Batched<DocumentContent, DocumentWithCollection | undefined>;
  /** Stores a connector's item. */
  readonly storeItem: Batched<StoredItem, DocumentWithCollection | undefined>;
  /** Reads and writes of document indexing. */
  readonly writes: IndexWrites;
  readonly sparse: SparseEncoder;
  readonly models: Models;
  /**
   * Returns the encoder of an embedding model, or of the default one. Throws `invalid_request` for
   * an unknown model.
   */
  readonly denseEncoder: (model?: string) => DenseEncoder;
  /** The models that teams can choose. */
  readonly offeredModels: readonly OfferedModel[];
  /** Returns the encoder of a model after its collection in the vector store is ready. */
  readonly readyEncoder: (model: string, signal: AbortSignal) => Promise<DenseEncoder>;
  /** Returns the space that new passages of a corpus go to. */
  readonly newestSpace: (corpus: Corpus) => Promise<string>;
  /**
   * Returns the encoder of a learned space. Rejects with `not_found` after the space is retired.
   */
  readonly spaceEncoder: (space: string) => Promise<LsiEncoder>;
}

/** Connects to everything the service needs. Throws if PostgreSQL or NATS is unreachable. */
export async function createContext(config: Config, overrides: Partial<Context> = {}): Promise<Context> {
  const log = overrides.log ?? createLogger({ service: 'collection', level: config.LOG_LEVEL });
  const db = overrides.db ?? new PrismaClient(prismaOptions({ url: config.DATABASE_URL, schema: DATABASE_SCHEMA }));
  await db.$connect();
  const store =
    overrides.store ??
    createVectorStore({
      url: config.QDRANT_URL,
      apiKey: config.QDRANT_API_KEY,
      prefix: config.QDRANT_PREFIX,
      collections: config,
      onWarning: (message) => log.warn(message),
    });
  const denseEncoder = createDenseEncoders(encoderSettings(config, log)).get;
  const learned = createLsiEncoderCache({ maxBytes: config.SPACE_CACHE_BYTES });
  return {
    config,
    offeredModels: OFFERED_MODELS,
    log,
    db,
    store,
    unqueued: new Map(),
    insertDocument: createDocumentInserts(db),
    storeContent: createContentWrites(db),
    storeItem: createItemWrites(db),
    writes: createIndexWrites(db, store),
    sparse: createSparseEncoder(),
    models: createModels(createExtractiveModel()),
    denseEncoder,
    readyEncoder: createIndexReadiness(store, denseEncoder),
    newestSpace: createNewestSpaces(db, config.SPACE_SETTLE_MS),
    spaceEncoder: (id) => learned.get(id, () => loadSpace(db, id)),
    messaging:
      overrides.messaging ??
      (await createMessaging({ url: config.NATS_URL, name: 'collection', log, replicas: config.NATS_REPLICAS })),
    ...overrides,
  };
}

/** Closes everything that `createContext` opened. */
export async function closeContext(context: Context): Promise<void> {
  await context.messaging.close();
  await context.db.$disconnect();
}
