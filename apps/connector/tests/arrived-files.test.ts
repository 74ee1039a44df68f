import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BlobStore, createFolderBlobStore } from '@lectern/connectors';
import { JobStatus } from '@lectern/contracts';
import { createByteBudget } from '@lectern/resilience';
import { temporaryFolder, waitUntil } from '@lectern/testing';
import { newCollection } from './support/connector-client.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

const durable = Promise.withResolvers<void>();
let started = 0;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let system: TestSystem;
beforeAll(async () => {
  folder = await temporaryFolder();
  const store = await createFolderBlobStore(folder.path);
  const blobs: BlobStore = {
    ...store,
    put: async (key, body, options) => {
      started += 1;
      const stored = await store.put(key, body, options);
      await durable.promise;
      return stored;
    },
  };
  system = await startSystem({ overrides: { blobs, arrivedFiles: createByteBudget(10) } });
});
afterAll(async () => {
  await system.stop();
  await folder.remove();
});

describe('an upload', () => {
  it('is read only while the bytes that are not durable yet fit into the budget', async () => {
    const { client, collection } = system;
    const connector = await client.createConnector(newCollection(collection.collections));
    const names = ['a', 'b', 'c', 'd', 'e'];
    const uploading = client.upload(
      connector.id,
      names.map((name) => ({ path: `${name}.txt`, content: `${name}234` })),
    );
    await waitUntil(() => started >= 3, { what: 'three files to arrive', timeoutMs: 10_000 });
    await new Promise((resolve) => setTimeout(resolve, 200));
    // The third file has arrived and does not fit.
    expect(started).toBe(3);
    durable.resolve();
    const { jobId, files } = await uploading;
    expect(files).toHaveLength(names.length);
    expect((await client.ended(connector.id, jobId)).status).toBe(JobStatus.COMPLETED);
  });
});
