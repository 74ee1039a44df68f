import {
  CollectionServiceDefinition,
  type CreateDocumentRequest,
  DocumentServiceDefinition,
  DocumentStatus,
} from '@lectern/contracts';
import { type Caller, connectGrpc } from '@lectern/service-kit';
import {
  callAs,
  sharedServices,
  startTestService,
  testDatabase,
  testNats,
  testQdrant,
  waitUntil,
} from '@lectern/testing';

/** The collection service on real engines, with helpers to fill it. */
export interface TestCatalog {
  /** The environment of a search service for it. */
  readonly env: Record<string, string>;
  addCollection(caller: Caller, name: string, embeddingModel?: string): Promise<string>;
  /** Creates documents, waits until all of them can be found, and returns their ids in order. */
  addDocuments(
    caller: Caller,
    collectionId: string,
    documents: readonly Partial<CreateDocumentRequest>[],
  ): Promise<string[]>;
  deleteDocument(caller: Caller, id: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts a collection service with these settings, on its own engines. */
async function startCollection(settings: Record<string, string>) {
  const database = await testDatabase();
  const nats = await testNats();
  const qdrant = await testQdrant();
  const engines = { DATABASE_URL: database.url, NATS_URL: nats.url, QDRANT_URL: qdrant.url };
  const service = await startTestService('collection', { ...engines, ...settings });
  return {
    env: { COLLECTION_ADDRESS: service.address, QDRANT_URL: qdrant.url },
    stop: async () => {
      await service.stop();
      await qdrant.stop();
      await nats.stop();
      await database.drop();
    },
  };
}

/**
 * Uses the collection service that the tests of a run share, or starts one with `settings`, which also apply to the
 * search service.
 */
export async function startCatalog(settings?: Record<string, string>): Promise<TestCatalog> {
  const { env, stop } =
    settings === undefined
      ? { env: await sharedServices('collection'), stop: async () => undefined }
      : await startCollection(settings);
  const connection = connectGrpc(env.COLLECTION_ADDRESS!);
  const collections = connection.client(CollectionServiceDefinition);
  const documents = connection.client(DocumentServiceDefinition);
  return {
    env: { ...settings, ...env },
    addCollection: async (caller, name, embeddingModel) =>
      (await collections.createCollection({ name, embeddingModel }, callAs(caller))).id,
    addDocuments: async (caller, collectionId, requests) => {
      const ids: string[] = [];
      for (const request of requests) {
        ids.push((await documents.createDocument({ collectionId, ...request }, callAs(caller))).id);
      }
      for (const id of ids) {
        const isIndexed = async () =>
          (await documents.getDocument({ id }, callAs(caller))).status === DocumentStatus.INDEXED;
        await waitUntil(isIndexed, { what: `${id} to be indexed`, timeoutMs: 20_000 });
      }
      return ids;
    },
    deleteDocument: (caller, id) => documents.deleteDocument({ id }, callAs(caller)),
    stop: async () => {
      connection.close();
      await stop();
    },
  };
}
