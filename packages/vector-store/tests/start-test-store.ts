import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createQdrantLocal } from '@lectern/qdrant-local';
import { createVectorStore, type VectorStore } from '#index';

export interface TestServer {
  readonly url: string;
  readonly apiKey: string | undefined;
  close(): Promise<void>;
}

/** Returns the server at `QDRANT_URL`, else a new qdrant-local. */
async function startTestServer(): Promise<TestServer> {
  const url = process.env.QDRANT_URL;
  if (url) return { url, apiKey: process.env.QDRANT_API_KEY, close: async () => {} };
  const dataDir = await mkdtemp(join(tmpdir(), 'lectern-vector-store-'));
  const server = await createQdrantLocal({ dataDir, port: 0 });
  return {
    url: server.url,
    apiKey: undefined,
    async close() {
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Creates a store with its own prefix and the model `test` of `TEST_DIMENSIONS`. `close` deletes
 * everything.
 */
export async function startTestStore(): Promise<{
  store: VectorStore;
  server: TestServer;
  prefix: string;
  close(): Promise<void>;
}> {
  const server = await startTestServer();
  const prefix = `test_${randomUUID().slice(0, 8)}_`;
  const store = createVectorStore({ url: server.url, apiKey: server.apiKey, prefix });
  await store.ensureModel({ model: 'test', dimensions: TEST_DIMENSIONS });
  return {
    store,
    server,
    prefix,
    async close() {
      await store.dropModel('test');
      await server.close();
    },
  };
}

export const TEST_DIMENSIONS = 4;
