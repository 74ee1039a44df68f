import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QdrantClient } from '@qdrant/js-client-rest';
import { createQdrantLocal, type QdrantLocal } from '../src/index.ts';
import { errorOf, type LocalServer, startLocalServer } from './support/local-server.ts';

describe('an invalid request', () => {
  let server: LocalServer;

  beforeAll(async () => {
    server = await startLocalServer();
    await server.client.createCollection('c', {
      vectors: { dense: { size: 2, distance: 'Dot' } },
      sparse_vectors: { text: {} },
    });
  });

  afterAll(() => server.stop());

  async function post(path: string, body: unknown, method = 'POST') {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as { status: { error: string }; time: number } };
  }

  it.each<[string, string, unknown, number, string]>([
    ['an unknown collection', '/collections/nope/points/query', {}, 404, "Not found: Collection `nope` doesn't exist!"],
    ['a broken body', '/collections/c/points/query', '{"limit":', 400, 'Format error in JSON body: '],
    [
      'a body that is not an object',
      '/collections/c/points/query',
      '[1]',
      400,
      'Format error in JSON body: expected an object',
    ],
    [
      'a limit of 0',
      '/collections/c/points/query',
      { limit: 0 },
      422,
      'Validation error in JSON body: [internal.limit: value 0 invalid, must be 1.0 or larger]',
    ],
    [
      'a wrong dimension',
      '/collections/c/points/query',
      { query: [1, 2, 3], using: 'dense' },
      400,
      'Wrong input: Vector dimension error: expected dim: 2, got 3',
    ],
    [
      'an unknown vector',
      '/collections/c/points/query',
      { query: [1, 2], using: 'nope' },
      400,
      'Wrong input: Not existing vector name error: nope',
    ],
    [
      'no vector name',
      '/collections/c/points/query',
      { query: [1, 2] },
      400,
      'Wrong input: Not existing vector name error: ',
    ],
    [
      'an unknown point to start from',
      '/collections/c/points/query',
      { query: 5, using: 'dense' },
      404,
      'Not found: No point with id 5 found',
    ],
    [
      'prefetches without a query',
      '/collections/c/points/query',
      { prefetch: { limit: 3 } },
      400,
      'Bad request: A query is needed to merge the prefetches.',
    ],
    [
      'fusion without prefetches',
      '/collections/c/points/query',
      { query: { fusion: 'rrf' } },
      400,
      'cannot apply Fusion without prefetches',
    ],
    [
      'fusion with a vector name',
      '/collections/c/points/query',
      { prefetch: {}, query: { fusion: 'rrf' }, using: 'dense' },
      400,
      "cannot be combined with the 'using' field",
    ],
    [
      'a threshold without a query',
      '/collections/c/points/query',
      { score_threshold: 1 },
      400,
      'A query is needed to use the score_threshold',
    ],
    [
      'an order without an index',
      '/collections/c/points/scroll',
      { order_by: 'price' },
      400,
      'No range index for `order_by` key: `price`',
    ],
    [
      'an order with an offset',
      '/collections/c/points/scroll',
      { order_by: 'price', offset: 1 },
      400,
      'Cannot use an `offset` when using `order_by`',
    ],
    [
      'a facet without an index',
      '/collections/c/facet',
      { key: 'color' },
      400,
      'No appropriate index for faceting: `color`',
    ],
    [
      'an empty condition',
      '/collections/c/points/count',
      { filter: { must: [{ key: 'a' }] } },
      422,
      'At least one field condition must be specified',
    ],
    ['an unknown clause', '/collections/c/points/count', { filter: { musst: [] } }, 400, 'unknown field `musst`'],
    [
      'an invalid path',
      '/collections/c/points/count',
      { filter: { must: { key: 'a b', match: { value: 1 } } } },
      400,
      "Invalid json path: 'a b'",
    ],
    ['an invalid id', '/collections/c/points', { ids: ['x'] }, 400, 'is not a valid point ID'],
    [
      'payload for a missing point',
      '/collections/c/points/payload',
      { payload: { a: 1 }, points: [9] },
      404,
      'Not found: No point with id 9 found',
    ],
    [
      'an unsupported query',
      '/collections/c/points/query',
      { query: { recommend: { positive: [1], strategy: 'best_score' } } },
      400,
      'is not supported by qdrant-local',
    ],
    ['an unknown route', '/collections/c/nothing/here', {}, 404, 'is not served by qdrant-local'],
  ])('is rejected in Qdrant’s format if it has %s', async (_, path, body, status, message) => {
    const response = await post(path, body);
    expect(response.status).toBe(status);
    expect(response.body).toEqual({ status: { error: expect.stringContaining(message) }, time: expect.any(Number) });
  });

  it.each<[string, unknown, number, string]>([
    ['a wrong dimension', { id: 1, vector: { dense: [1] } }, 400, 'expected dim: 2, got 1'],
    ['an unknown vector', { id: 1, vector: { other: [1] } }, 400, 'Not existing vector name error: other'],
    [
      'a sparse vector for a dense field',
      { id: 1, vector: { dense: { indices: [1], values: [1] } } },
      400,
      'Conversion between sparse and regular vectors failed',
    ],
    ['an index twice', { id: 1, vector: { text: { indices: [1, 1], values: [1, 2] } } }, 422, 'must be unique'],
    [
      'lengths that differ',
      { id: 1, vector: { text: { indices: [1], values: [1, 2] } } },
      422,
      'must be the same length as indices',
    ],
    ['a negative id', { id: -1, vector: {} }, 400, 'is not a valid point ID'],
    ['no vector', { id: 1 }, 400, 'missing field `vector`'],
    ['payload that is not an object', { id: 1, vector: {}, payload: [1] }, 400, 'payload: expected an object'],
  ])('changes nothing if it is an upsert with %s', async (_, point, status, message) => {
    const response = await post(
      '/collections/c/points?wait=true',
      { points: [{ id: 77, vector: { dense: [1, 2] } }, point] },
      'PUT',
    );
    expect(response.status).toBe(status);
    expect(response.body.status.error).toContain(message);
    expect(await server.client.count('c')).toEqual({ count: 0 });
  });

  it('is rejected if it creates an existing collection', async () => {
    const error = await errorOf(server.client.createCollection('c', { vectors: { size: 1, distance: 'Dot' } }));
    expect(error).toEqual({ status: 409, error: 'Wrong input: Collection `c` already exists!' });
  });

  it('returns 404 for a missing point by id, and omits it from a list', async () => {
    const response = await fetch(`${server.url}/collections/c/points/12`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ status: { error: 'Not found: Point with id 12 does not exists!' } });
    expect(await server.client.retrieve('c', { ids: [12] })).toEqual([]);
  });

  it('is rejected with a body over 64 MiB', async () => {
    const response = await post('/collections/c/points/query', 'x'.repeat(64 * 1024 * 1024 + 1)).catch(
      (error: unknown) => error,
    );
    // The server may close the connection before the client has sent everything.
    if (!(response instanceof Error)) expect(response).toMatchObject({ status: 413 });
    const announced = await new Promise<string>((resolve, reject) => {
      void import('node:net').then(({ connect }) => {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
        let text = '';
        socket.on('data', (chunk) => {
          text += chunk;
        });
        socket.on('end', () => resolve(text));
        socket.on('error', reject);
        socket.write(
          `POST /collections/c/points/query HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${65 * 1024 * 1024}\r\n\r\n`,
        );
      });
    });
    expect(announced).toMatch(/^HTTP\/1\.1 413 /);
    expect(announced).toContain('"status":{"error":"JSON payload has exceeded limit');
  });

  it('returns false if it deletes an unknown collection', async () => {
    expect(await server.client.deleteCollection('nope')).toBe(false);
  });
});

describe('a server with an API key', () => {
  let base: LocalServer;
  let server: QdrantLocal;

  beforeAll(async () => {
    base = await startLocalServer();
    server = await createQdrantLocal({ dataDir: `${base.dataDir}/keyed`, port: 0, apiKey: 'secret' });
  });

  afterAll(async () => {
    await server.close();
    await base.stop();
  });

  it('returns only version and health without the key', async () => {
    expect((await fetch(`${server.url}/collections`)).status).toBe(401);
    expect((await fetch(`${server.url}/collections`, { headers: { 'api-key': 'wrong' } })).status).toBe(401);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await (await fetch(server.url)).json()).toMatchObject({ version: '1.19.0' });
  });

  it('accepts the key in either header', async () => {
    const client = new QdrantClient({ url: server.url, checkCompatibility: false, headers: { 'api-key': 'secret' } });
    expect(await client.getCollections()).toEqual({ collections: [] });
    const bearer = await fetch(`${server.url}/collections`, { headers: { authorization: 'Bearer secret' } });
    expect(bearer.status).toBe(200);
  });
});
