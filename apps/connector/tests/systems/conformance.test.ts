import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CollectionServiceDefinition,
  DocumentServiceDefinition,
  JobStatus,
  OAuthServiceDefinition,
  SyncMode,
} from '@lectern/contracts';
import { connectGrpc, type GrpcConnection } from '@lectern/service-kit';
import { startTestService, type TestQdrant, type TestService, testQdrant, waitUntil } from '@lectern/testing';
import { itIf } from '@lectern/testing/skip';
import type { ConnectorClient } from '../support/connector-client.ts';
import { startSystem, type TestSystem } from '../support/start-system.ts';
import { CALLBACK, type NewItem, type TestSource } from './conformance/test-source.ts';
import { TEST_SOURCES } from './conformance/test-sources.ts';

// Runs every type of source (as an emulator) through the connector and collection services with real
// engines.
const NAMES = ['plain', 'Über uns „Äpfel“', '日本語の資料', 'ملاحظات', '🚀 launch 100%+#1'];
const items = (count: number, prefix = 'item'): NewItem[] =>
  Array.from({ length: count }, (_, n) => ({
    name: `${prefix} ${n}`,
    text: `The text of ${prefix} ${n}, with words.`,
  }));

const sources = new Map<string, TestSource>();
let system: TestSystem;
let qdrant: TestQdrant;
let collection: TestService;
let connections: GrpcConnection[];
let client: ConnectorClient;

beforeAll(async () => {
  for (const [type, start] of Object.entries(TEST_SOURCES)) sources.set(type, await start());
  qdrant = await testQdrant();
  const env = Object.assign({}, ...[...sources.values()].map((source) => source.env));
  system = await startSystem({
    env: { ...env, EGRESS_ALLOW: '127.0.0.1,localhost' },
    startCollection: async (engines) => {
      collection = await startTestService('collection', { ...engines, QDRANT_URL: qdrant.url, LOG_LEVEL: 'error' });
      return collection.address;
    },
  });
  client = system.client;
  connections = [connectGrpc(collection.address), connectGrpc(system.address)];
});
afterAll(async () => {
  for (const connection of connections) connection.close();
  await system.stop();
  await collection.stop();
  await Promise.all([qdrant.stop(), ...[...sources.values()].map((source) => source.stop())]);
});

describe.each(Object.keys(TEST_SOURCES))('a source of type %s', (type) => {
  const itWithServer = itIf(type !== 'postgresql', 'a database has no HTTP requests that could fail');
  let source: TestSource;
  let id: string;

  beforeEach(async () => {
    source = sources.get(type)!;
    id = await newConnector();
  });
  afterEach(async () => {
    source.server?.fail();
    source.server?.before();
    await client.connectors.deleteConnector({ id, keepDocuments: false }, client.as());
    for (const item of present) await source.remove(item);
    present.clear();
  });

  const present = new Set<string>();
  const add = async (newItems: readonly NewItem[]): Promise<string[]> => {
    const ids = await source.add(newItems);
    for (const item of ids) present.add(item);
    return ids;
  };
  const remove = async (item: string) => {
    await source.remove(item);
    present.delete(item);
  };

  async function newConnector(): Promise<string> {
    const { id: collectionId } = await connections[0]!
      .client(CollectionServiceDefinition)
      .createCollection({ name: 'Sources' }, client.as());
    const { config, credentials } = source;
    if (credentials !== undefined) {
      const fields = { name: 'Source', type, collectionId, config, credentials };
      return (await client.connectors.createConnector(fields, client.as())).id;
    }
    const oauth = connections[1]!.client(OAuthServiceDefinition);
    const started = await oauth.initAuthorization(
      { provider: type, callbackUrl: CALLBACK, redirectUri: '', name: 'Source', collectionId },
      client.as(),
    );
    const response = await fetch(started.authorizationUrl, { redirect: 'manual' });
    const redirect = new URL(response.headers.get('location') ?? 'missing:').searchParams;
    const request = { provider: type, code: redirect.get('code') ?? '', state: redirect.get('state') ?? '' };
    await oauth.completeAuthorization(request, client.as());
    return started.connectorId;
  }
  const sync = async (options: Parameters<ConnectorClient['sync']>[1] = {}) => {
    const { id: jobId } = await client.sync(id, options);
    return client.ended(id, jobId);
  };
  const documents = async () => {
    const request = { connectorId: id, page: { page: 1, limit: 100 } };
    const list = await connections[0]!.client(DocumentServiceDefinition).listDocuments(request, client.as());
    return new Map(list.documents.map((document) => [document.externalId, document]));
  };

  it('is synced through additions and changes without indexing anything twice', async () => {
    expect(await sync()).toMatchObject({ status: JobStatus.COMPLETED, progress: { total: 0 }, errors: [] });

    const ids = await add([...items(8), ...NAMES.map((name) => ({ name, text: `Text of ${name}.` }))]);
    expect(await sync()).toMatchObject({
      status: JobStatus.COMPLETED,
      errors: [],
      progress: { total: ids.length, indexed: ids.length, failed: 0 },
    });
    const before = await documents();
    expect([...before.keys()].sort()).toEqual([...ids].sort());
    for (const document of before.values())
      expect(document).toMatchObject({
        source: source.type,
        url: source.hasUrls === false ? undefined : expect.stringMatching(/^\S+:\/\//),
      });

    expect((await sync()).progress).toMatchObject({ total: ids.length, indexed: 0, skipped: ids.length, deleted: 0 });

    const [changed, renamed, removed] = ids;
    await source.change(changed!, 'An entirely different text.');
    await source.rename?.(renamed!, 'A new name');
    await remove(removed!);
    const [added] = await add([{ name: 'late', text: 'Added later.' }]);
    const renames = source.rename === undefined ? 0 : 1;
    expect((await sync()).progress).toMatchObject({ indexed: 2 + renames, deleted: 1, failed: 0 });
    const after = await documents();
    expect([...after.keys()].sort()).toEqual([...present].sort());
    expect(after.has(added!)).toBe(true);
    expect(after.get(changed!)!.id).toBe(before.get(changed!)!.id);
    expect(after.get(renamed!)!.id).toBe(before.get(renamed!)!.id);
    if (renames > 0) expect(after.get(renamed!)!.title).toContain('A new name');
  });

  it('is read again in full mode and by name', async () => {
    const [first, second] = await add(items(3));
    await sync();
    expect((await sync({ mode: SyncMode.FULL })).progress).toMatchObject({ total: 3, indexed: 3, skipped: 0 });
    await remove(second!);
    const named = await sync({ mode: SyncMode.INCREMENTAL, fileFilter: [first!, second!] });
    expect(named).toMatchObject({ status: JobStatus.COMPLETED, progress: { total: 2, indexed: 1, deleted: 1 } });
  });

  itWithServer(
    'deletes nothing if its listing fails halfway, and completes when the source is available again',
    async () => {
      const server = source.server!;
      const ids = await add(items(12));
      await sync();
      await remove(ids[3]!);
      let failures = 0;
      server.fail((_request, number) => {
        if (number < 3 || failures > 5) return undefined;
        failures += 1;
        return { kind: 'status', status: 500 };
      });
      const job = await sync();
      expect(failures).toBeGreaterThan(0);
      expect(job).toMatchObject({ status: JobStatus.COMPLETED, progress: { deleted: 1, failed: 0 } });
      expect((await documents()).size).toBe(11);
    },
  );

  itWithServer('pauses the job if it asks for a long wait, shows the reason and deletes nothing', async () => {
    const server = source.server!;
    await add(items(6));
    await sync();
    server.fail(() => ({ kind: 'status', status: 429, retryAfter: '3600' }));
    const { id: jobId } = await client.sync(id);
    await waitUntil(async () => (await client.job(id, jobId)).queuedReason !== undefined, {
      what: 'the job to show why it waits',
      timeoutMs: 30_000,
    });
    server.fail();
    await system.rows('UPDATE connector.sync_states SET throttled_until = now() WHERE connector_id = $1', id);
    const job = await client.ended(id, jobId);
    expect(job).toMatchObject({ status: JobStatus.COMPLETED, progress: { total: 6, skipped: 6, deleted: 0 } });
  });

  itWithServer('is indexed completely despite expired tokens and truncated responses', async () => {
    const server = source.server!;
    const ids = await add(items(10));
    let truncated = 0;
    server.fail((_request, number) => {
      if (number % 4 !== 0 || truncated > 3) return undefined;
      truncated += 1;
      return { kind: 'truncated' };
    });
    let requests = 0;
    server.before(() => {
      requests += 1;
      if (requests === 4) source.expireTokens?.();
    });
    const job = await sync();
    expect(job).toMatchObject({ status: JobStatus.COMPLETED, progress: { indexed: 10, failed: 0 } });
    expect((await documents()).size).toBe(ids.length);
  });
});
