import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QdrantClient } from '@qdrant/js-client-rest';
import { collectionName, createVectorStore } from '#index';
import { PAYLOAD_INDEXES } from '#layout/collection-layout';
import { buildPassage } from './build-passage.ts';
import { startTestStore, TEST_DIMENSIONS } from './start-test-store.ts';

describe('ensureModel', () => {
  let context: Awaited<ReturnType<typeof startTestStore>>;
  let qdrant: QdrantClient;

  beforeAll(async () => {
    context = await startTestStore();
    const { url, apiKey } = context.server;
    qdrant = new QdrantClient({
      url,
      checkCompatibility: false,
      ...(apiKey ? { headers: { 'api-key': apiKey } } : {}),
    });
  });
  afterAll(() => context.close());

  it('creates the documented layout', async () => {
    const info = await qdrant.getCollection(collectionName(context.prefix, 'test'));
    expect(info.config.params.vectors).toMatchObject({ dense: { size: TEST_DIMENSIONS, distance: 'Cosine' } });
    expect(info.config.params.sparse_vectors).toMatchObject({ text: { modifier: 'idf' } });
    expect(info.payload_schema.team).toMatchObject({ data_type: 'keyword', params: { is_tenant: true } });
    expect(info.payload_schema.updatedAt?.data_type).toBe('datetime');
    expect(info.payload_schema.version?.data_type).toBe('integer');
    expect(info.payload_schema.principals?.data_type).toBe('keyword');
  });

  it('keeps stored passages when called again', async () => {
    await context.store.upsertPassages('test', [buildPassage()]);
    await context.store.ensureModel({ model: 'test', dimensions: TEST_DIMENSIONS });
    expect(await context.store.count('test', { team: 'team_a' })).toEqual({ documents: 1, passages: 1 });
  });

  it('can be called concurrently', async () => {
    const model = { model: 'raced', dimensions: 8 };
    await Promise.all(Array.from({ length: 6 }, () => context.store.ensureModel(model)));
    const info = await qdrant.getCollection(collectionName(context.prefix, 'raced'));
    expect(Object.keys(info.payload_schema)).toHaveLength(Object.keys(PAYLOAD_INDEXES).length);
    await context.store.dropModel('raced');
  });

  it('adds a payload index that is missing', async () => {
    const name = collectionName(context.prefix, 'test');
    await qdrant.deletePayloadIndex(name, 'author', { wait: true });
    await context.store.ensureModel({ model: 'test', dimensions: TEST_DIMENSIONS });
    expect((await qdrant.getCollection(name)).payload_schema.author?.data_type).toBe('keyword');
  });

  it('rejects dimensions that differ from the stored ones, and reports both', async () => {
    await expect(context.store.ensureModel({ model: 'test', dimensions: 5 })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/test returns 5 dimensions, but its stored vectors have 4/),
    });
  });

  it('rejects a collection with another layout', async () => {
    const name = collectionName(context.prefix, 'foreign');
    await qdrant.createCollection(name, { vectors: { size: 4, distance: 'Dot' } });
    await expect(context.store.ensureModel({ model: 'foreign', dimensions: 4 })).rejects.toMatchObject({
      code: 'conflict',
    });
    await qdrant.deleteCollection(name);
  });

  it.each([true, false])('warns if a rejected vector is missing afterwards: present %s', async (isPresent) => {
    let isRejected = false;
    const fake = createServer((request, response) => {
      if (request.method === 'PUT') {
        isRejected = true;
        return void response.writeHead(400, { 'content-type': 'application/json' }).end('{"status":{"error":"Wrong"}}');
      }
      const sparse = { modifier: 'idf' };
      const vectors = { dense: { size: TEST_DIMENSIONS } };
      const sparse_vectors = { text: sparse, ...(isPresent && isRejected && { document: sparse }) };
      const result = { config: { params: { vectors, sparse_vectors } }, payload_schema: PAYLOAD_INDEXES };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ result, status: 'ok' }));
    });
    await once(fake.listen(0, '127.0.0.1'), 'listening');
    const address = fake.address();
    const warnings: string[] = [];
    const store = createVectorStore({
      url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
      prefix: context.prefix,
      onWarning: (message) => warnings.push(message),
    });
    await store.upgradeModel('test');
    expect(isRejected).toBe(true);
    expect(warnings).toEqual(isPresent ? [] : [expect.stringContaining('did not add the vector of whole documents')]);
    fake.closeAllConnections();
    fake.close();
  });

  it('warns about a server that cannot count words within a scope', async () => {
    // The real server handles every request except the one for the version.
    const old = createServer(async (request, response) => {
      if (request.url === '/') return void response.end('{"title":"qdrant","version":"1.18.2"}');
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
      const headers = { 'content-type': 'application/json', 'api-key': context.server.apiKey ?? '' };
      const answer = await fetch(new URL(request.url ?? '/', context.server.url), {
        method: request.method ?? 'GET',
        headers,
        ...body,
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
    await once(old.listen(0, '127.0.0.1'), 'listening');
    const address = old.address();
    const warnings: string[] = [];
    const store = createVectorStore({
      url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
      prefix: context.prefix,
      onWarning: (message) => warnings.push(message),
    });
    await store.ensureModel({ model: 'test', dimensions: TEST_DIMENSIONS });
    expect(warnings).toEqual([expect.stringMatching(/Qdrant 1\.18\.2.*Upgrade to Qdrant 1\.19 or later/)]);
    old.closeAllConnections();
    old.close();
  });
});
