import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CollectionServiceDefinition, DocumentServiceDefinition, DocumentStatus } from '@lectern/contracts';
import { connectGrpc, type GrpcConnection } from '@lectern/service-kit';
import {
  callAs,
  createCaller,
  type ProviderServer,
  startEmbeddingsServer,
  startTestService,
  type TestService,
  testDatabase,
  testNats,
  testQdrant,
  waitUntil,
} from '@lectern/testing';
import { createVectorStore, type VectorStore } from '@lectern/vector-store';

const DOCUMENTS = 24;
const SMALL = 'openai/small';
const LARGE = 'openai/large';
const caller = createCaller();
const call = callAs(caller);
const wait = { timeoutMs: 20_000 };

let provider: ProviderServer;
let engines: { readonly env: Record<string, string>; stop(): Promise<unknown> };
let store: VectorStore;
let service: TestService;
let connection: GrpcConnection;

const collections = () => connection.client(CollectionServiceDefinition);
const documents = () => connection.client(DocumentServiceDefinition);
const requestedModels = () => new Set(provider.requests.map(({ body }) => body.model));
const countIn = async (model: string) => (await store.count(model, { team: caller.teamId })).documents;

async function fill(): Promise<{ readonly collection: string; readonly ids: readonly string[] }> {
  const { id: collectionId } = await collections().createCollection({ name: 'Guides', embeddingModel: SMALL }, call);
  const ids = await Promise.all(
    Array.from({ length: DOCUMENTS }, async (_, at) => {
      const document = { collectionId, title: `Guide ${at}`, content: `How to get through step ${at}.` };
      return (await documents().createDocument(document, call)).id;
    }),
  );
  const isIndexed = async () => {
    const page = await documents().listDocuments({ collectionId, status: DocumentStatus.INDEXED }, call);
    return page.page?.total === DOCUMENTS;
  };
  await waitUntil(isIndexed, { what: 'all documents to be indexed', ...wait });
  return { collection: collectionId, ids };
}

const remaining = async (id: string) => (await collections().getCollection({ id }, call)).reindexing;
const modelsSearched = async (id: string) =>
  (await collections().resolveCollections({ ids: [id] }, call)).collections.map((entry) => entry.embeddingModel);

beforeAll(async () => {
  const [database, nats, qdrant] = await Promise.all([testDatabase(), testNats(), testQdrant()]);
  provider = await startEmbeddingsServer({ form: 'openai', model: ['small', 'large'] });
  const prefix = `test_${crypto.randomUUID()}_`;
  store = createVectorStore({ url: qdrant.url, prefix });
  engines = {
    env: {
      DATABASE_URL: database.url,
      NATS_URL: nats.url,
      QDRANT_URL: qdrant.url,
      QDRANT_PREFIX: prefix,
      EMBEDDING_PROVIDER: 'openai',
      EMBEDDING_MODEL: 'large',
      EMBEDDING_BASE_URL: `${provider.origin}/v1`,
      SWEEP_INTERVAL_MS: '100',
      SPACE_LEASE_MS: '500',
    },
    stop: () => Promise.all([nats.stop(), qdrant.stop(), database.drop()]),
  };
  service = await startTestService('collection', engines.env);
  connection = connectGrpc(service.address);
});

afterAll(async () => {
  connection.close();
  await service.stop();
  await provider.stop();
  await engines.stop();
});

describe('a collection whose embedding model is changed', () => {
  it('keeps its model when the default changes, until its own model is changed', async () => {
    const { collection } = await fill();
    expect(requestedModels()).toEqual(new Set(['small']));
    expect(await modelsSearched(collection)).toEqual([SMALL]);
    const unknown = collections().updateCollection({ id: collection, embeddingModel: 'openai/unknown' }, call);
    await expect(unknown).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await collections().getCollection({ id: collection }, call)).toMatchObject({ embeddingModel: SMALL });
    await collections().deleteCollection({ id: collection }, call);
  });

  it('always has every document under one of the two models, and is moved completely even after a kill -9', async () => {
    const { collection, ids } = await fill();
    // The provider stops responding halfway. Then the service is killed.
    let requests = 0;
    provider.reset(() => (++requests > 8 ? { kind: 'silence' } : undefined));
    const changed = await collections().updateCollection({ id: collection, embeddingModel: LARGE }, call);
    expect(changed).toMatchObject({ embeddingModel: LARGE, reindexing: DOCUMENTS });
    expect(new Set(await modelsSearched(collection))).toEqual(new Set([LARGE, SMALL]));
    await waitUntil(async () => (await remaining(collection)) < DOCUMENTS, { what: 'the first to be moved', ...wait });
    await service.kill();

    const missing: string[] = [];
    const collectMissing = async () => {
      // Reads the new model last, so that a document that moves in between is counted twice instead
      // of not at all.
      const before = await store.countByDocument(SMALL, { team: caller.teamId, documents: ids });
      const after = await store.countByDocument(LARGE, { team: caller.teamId, documents: ids });
      missing.push(...ids.filter((id) => (before.get(id) ?? 0) + (after.get(id) ?? 0) === 0));
    };
    await collectMissing();
    provider.reset();
    await service.restart();
    const isDone = async () => {
      await collectMissing();
      const { documents: listed } = await documents().listDocuments({ collectionId: collection }, call);
      expect(listed.every(({ status }) => status === DocumentStatus.INDEXED)).toBe(true);
      return (await modelsSearched(collection)).length === 1;
    };
    await waitUntil(isDone, { what: 'the earlier model to be released', ...wait });
    expect(missing).toEqual([]);
    expect(await remaining(collection)).toBe(0);
    expect(await modelsSearched(collection)).toEqual([LARGE]);
    expect([await countIn(SMALL), await countIn(LARGE)]).toEqual([0, DOCUMENTS]);
    expect(requestedModels()).toEqual(new Set(['large']));
  });

  it('indexes new documents and versions under the new model, and removes both when it is deleted', async () => {
    const { collection, ids } = await fill();
    const before = await countIn(LARGE);
    provider.reset((at) => (at > 1 ? { kind: 'silence' } : undefined));
    await collections().updateCollection({ id: collection, embeddingModel: 'builtin-hash-512' }, call);
    await waitUntil(async () => (await remaining(collection)) === 0, { what: 'all to be moved', ...wait });
    provider.reset();
    await collections().updateCollection({ id: collection, embeddingModel: SMALL }, call);
    await collections().deleteCollection({ id: collection }, call);
    for (const model of [SMALL, 'builtin-hash-512']) {
      const counts = await store.countByDocument(model, { team: caller.teamId, documents: ids });
      expect([...counts.values()].every((count) => count === 0)).toBe(true);
    }
    expect(await countIn(LARGE)).toBe(before);
  });
});
