import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { checkCollectionSettings, collectionName, collectionSettings, createVectorStore } from '#index';
import { missingCopies } from '#write/apply-settings';
import { buildPassage, direction } from './build-passage.ts';
import { startTestStore } from './start-test-store.ts';

const schema = z.object(collectionSettings).superRefine(checkCollectionSettings);
const read = (env: Record<string, string> = {}) => schema.parse(env);
const problemsOf = (env: Record<string, string>) =>
  schema.safeParse(env).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

const closing: Server[] = [];
afterEach(() => {
  for (const server of closing.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Records requests and answers with the result of the path, or `true`. */
async function startRecorder(results: (path: string, method: string) => unknown) {
  const requests: Recorded[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '' } = request;
    const path = new URL(url, 'http://qdrant').pathname;
    requests.push({
      method,
      path,
      body: chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString()),
    });
    const result = results(path, method);
    response.writeHead(result === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(path === '/' ? result : { result: result ?? null, status: 'ok' }));
  });
  closing.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, requests };
}

/** Returns the request that creates a collection. */
async function createdWith(env: Record<string, string>, dimensions: number): Promise<unknown> {
  let isCreated = false;
  const sparse = { modifier: 'idf' };
  const { url, requests } = await startRecorder((path, method) => {
    if (path === '/') return { version: '1.19.0' };
    if (method === 'PUT' || isCreated) isCreated = true;
    const params = { vectors: { dense: { size: dimensions } }, sparse_vectors: { text: sparse, document: sparse } };
    return isCreated ? { config: { params }, payload_schema: {} } : undefined;
  });
  const store = createVectorStore({ url, prefix: 'p_', collections: read(env) });
  await store.ensureModel({ model: 'm', dimensions });
  return requests.find(({ method, path }) => method === 'PUT' && path === '/collections/p_m')?.body;
}

describe('a new collection', () => {
  const sparse = { modifier: 'idf', index: { on_disk: false } };

  it('leaves to Qdrant what is not set, except background work', async () => {
    expect(await createdWith({}, 256)).toEqual({
      vectors: { dense: { size: 256, distance: 'Cosine', on_disk: false } },
      sparse_vectors: { text: sparse, document: sparse },
      optimizers_config: { max_optimization_threads: 1 },
    });
  });

  it('has every setting', async () => {
    const onDisk = { modifier: 'idf', index: { on_disk: true } };
    const env = {
      QDRANT_SHARD_NUMBER: '6',
      QDRANT_REPLICATION_FACTOR: '3',
      QDRANT_WRITE_CONSISTENCY_FACTOR: '2',
      QDRANT_VECTORS_ON_DISK: 'true',
      QDRANT_HNSW_PER_TENANT: 'true',
      QDRANT_MAX_OPTIMIZATION_THREADS: '4',
    };
    expect(await createdWith(env, 1024)).toEqual({
      vectors: {
        dense: {
          size: 1024,
          distance: 'Cosine',
          on_disk: true,
          quantization_config: { scalar: { type: 'int8', quantile: 0.99, always_ram: true } },
        },
      },
      sparse_vectors: { text: onDisk, document: onDisk },
      shard_number: 6,
      replication_factor: 3,
      write_consistency_factor: 2,
      hnsw_config: { m: 0, payload_m: 16 },
      optimizers_config: { max_optimization_threads: 4 },
    });
  });

  it.each([
    [511, 'auto', false],
    [512, 'auto', true],
    [512, 'off', false],
  ])('of %d dimensions with quantization %s is quantized: %s', async (dimensions, quantization, expected) => {
    const request = await createdWith({ QDRANT_QUANTIZATION: quantization }, dimensions);
    expect(JSON.stringify(request).includes('"int8"')).toBe(expected);
  });
});

describe('a semantic search', () => {
  it.each([
    [511, undefined],
    [512, { quantization: { rescore: true, oversampling: 2 } }],
  ])('of %d dimensions computes scores from the original vectors', async (dimensions, params) => {
    const { url, requests } = await startRecorder(() => [{ points: [] }]);
    const dense = new Float32Array(dimensions).fill(1);
    const page = { team: 't', limit: 5, offset: 0, passagesPerDocument: 1, candidates: 10 };
    await createVectorStore({ url }).rank('m', { ...page, mode: 'semantic', dense });
    const legs = requests.flatMap(({ path, body }) =>
      path.endsWith('/query/batch') ? z.object({ searches: z.array(z.looseObject({})) }).parse(body).searches : [],
    );
    expect(legs).toMatchObject([params === undefined ? {} : { params }]);
    expect('params' in (legs[0] ?? {})).toBe(params !== undefined);
  });
});

describe('invalid settings', () => {
  it.each([
    [{ QDRANT_SHARD_NUMBER: '0' }, /^QDRANT_SHARD_NUMBER: must be a whole number from 1 to 256.*leave it empty/],
    [{ QDRANT_SHARD_NUMBER: 'three' }, /^QDRANT_SHARD_NUMBER: must be a whole number/],
    [{ QDRANT_REPLICATION_FACTOR: '1.5' }, /^QDRANT_REPLICATION_FACTOR: must be a whole number from 1 to 16/],
    [{ QDRANT_QUANTIZATION: 'int4' }, /^QDRANT_QUANTIZATION: must be auto .* or off/],
    [{ QDRANT_VECTORS_ON_DISK: 'maybe' }, /^QDRANT_VECTORS_ON_DISK: must be true or false/],
    [
      { QDRANT_REPLICATION_FACTOR: '2', QDRANT_WRITE_CONSISTENCY_FACTOR: '3' },
      /^QDRANT_WRITE_CONSISTENCY_FACTOR: requires 3 copies .* QDRANT_REPLICATION_FACTOR makes 2.*Set it to 2 or less/,
    ],
    [{ QDRANT_WRITE_CONSISTENCY_FACTOR: '2' }, /every write would fail/],
  ])('are reported with the setting, the reason and the remedy: %p', (env, expected) => {
    expect(problemsOf(env)).toEqual([expect.stringMatching(expected)]);
  });
});

describe('applySettings', () => {
  const params = {
    vectors: { dense: { size: 768 } },
    sparse_vectors: { text: { modifier: 'idf' } },
    shard_number: 1,
    replication_factor: 1,
  };
  const shard = (shard_id: number, peer_id?: number) => ({ shard_id, state: 'Active', points_count: 0, peer_id });
  const startCluster = (cluster: unknown, hnsw_config: object = { m: 16 }) =>
    startRecorder((path) => {
      if (path === '/collections') return { collections: [{ name: 'p_m' }, { name: 'other' }] };
      if (path === '/cluster') return cluster;
      if (path.endsWith('/cluster'))
        return { peer_id: 7, shard_count: 1, local_shards: [shard(0)], remote_shards: [], shard_transfers: [] };
      return { config: { params, hnsw_config }, payload_schema: {} };
    });
  const apply = async (url: string, env: Record<string, string>) =>
    Array.fromAsync(createVectorStore({ url, prefix: 'p_', collections: read(env) }).applySettings());

  it('changes what can change, and copies shards to other nodes', async () => {
    const { url, requests } = await startCluster({ status: 'enabled', peer_id: 7, peers: { 7: {}, 8: {}, 9: {} } });
    const env = { QDRANT_SHARD_NUMBER: '3', QDRANT_REPLICATION_FACTOR: '2', QDRANT_HNSW_PER_TENANT: 'true' };
    expect(await apply(url, env)).toEqual([
      { collection: 'p_m', newCopies: 1, missingCopies: 0, shards: { stored: 1, wanted: 3 } },
    ]);
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([
      {
        method: 'PATCH',
        path: '/collections/p_m',
        body: {
          vectors: {
            dense: {
              on_disk: false,
              quantization_config: { scalar: { type: 'int8', quantile: 0.99, always_ram: true } },
            },
          },
          sparse_vectors: { text: { modifier: 'idf', index: { on_disk: false } } },
          params: { replication_factor: 2 },
          hnsw_config: { m: 0, payload_m: 16 },
          optimizers_config: { max_optimization_threads: 1 },
        },
      },
      {
        method: 'POST',
        path: '/collections/p_m/cluster',
        body: { replicate_shard: { shard_id: 0, from_peer_id: 7, to_peer_id: 8 } },
      },
    ]);
  });

  it('removes what is turned off, and copies nothing on a single server', async () => {
    const { url, requests } = await startCluster({ status: 'disabled' }, { m: 0, payload_m: 16 });
    const [applied] = await apply(url, { QDRANT_QUANTIZATION: 'off', QDRANT_REPLICATION_FACTOR: '2' });
    expect(applied).toMatchObject({ newCopies: 0, missingCopies: 0, shards: undefined });
    const [change] = requests.filter(({ method }) => method !== 'GET');
    expect(change?.body).toMatchObject({
      vectors: { dense: { quantization_config: 'Disabled' } },
      hnsw_config: { m: 16, payload_m: 16 },
    });
  });

  it.each([
    ['over all teams', { m: 32 }, 'false'],
    ['of each team', { m: 0, payload_m: 32 }, 'true'],
  ])('leaves a graph %s as it is', async (_, graph, perTenant) => {
    const { url, requests } = await startCluster({ status: 'disabled' }, graph);
    await apply(url, { QDRANT_HNSW_PER_TENANT: perTenant, QDRANT_REPLICATION_FACTOR: '2' });
    const changes = requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
    expect(changes).toEqual([expect.not.objectContaining({ hnsw_config: expect.anything() })]);
  });

  it('changes the collections of a real server, and searches find the same', async () => {
    const context = await startTestStore();
    const { server, prefix } = context;
    await context.store.upsertPassages('test', [buildPassage()]);
    const env = {
      QDRANT_VECTORS_ON_DISK: 'true',
      QDRANT_HNSW_PER_TENANT: 'true',
      QDRANT_MAX_OPTIMIZATION_THREADS: '2',
    };
    const store = createVectorStore({ url: server.url, apiKey: server.apiKey, prefix, collections: read(env) });
    expect(await Array.fromAsync(store.applySettings())).toMatchObject([
      { collection: collectionName(prefix, 'test'), newCopies: 0 },
    ]);
    const headers = server.apiKey === undefined ? {} : { 'api-key': server.apiKey };
    const response = await fetch(`${server.url}/collections/${collectionName(prefix, 'test')}`, { headers });
    expect(await response.json()).toMatchObject({
      result: {
        config: {
          params: {
            vectors: { dense: { on_disk: true } },
            sparse_vectors: { text: { modifier: 'idf', index: { on_disk: true } } },
          },
          hnsw_config: { m: 0, payload_m: 16 },
          optimizer_config: { max_optimization_threads: 2 },
        },
      },
    });
    const page = { team: 'team_a', limit: 5, offset: 0, passagesPerDocument: 1, candidates: 10 };
    const { hits } = await store.search('test', { ...page, mode: 'semantic', dense: direction(0) });
    expect(hits.map(({ document }) => document)).toEqual([buildPassage().document]);
    await context.close();
  });
});

describe('missingCopies', () => {
  it('gives each shard the wanted copies on different nodes, as far as there are nodes', () => {
    const clusters = fc.record({
      peers: fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 53 - 1 }), { minLength: 1, maxLength: 6 }),
      shards: fc.integer({ min: 1, max: 8 }),
      wanted: fc.integer({ min: 1, max: 5 }),
      seed: fc.nat(),
    });
    fc.assert(
      fc.property(clusters, ({ peers, shards, wanted, seed }) => {
        const home = (at: number) => peers[(at + seed) % peers.length]!;
        const at = Array.from({ length: shards }, (_, id) => ({
          shard_id: id,
          state: 'Active' as const,
          peer: home(id),
        }));
        const [self] = peers;
        const info = {
          peer_id: self!,
          shard_count: shards,
          local_shards: at.filter(({ peer }) => peer === self).map((one) => ({ ...one, points_count: 0 })),
          remote_shards: at.filter(({ peer }) => peer !== self).map((one) => ({ ...one, peer_id: one.peer })),
          shard_transfers: [],
        };
        const { moves, missing } = missingCopies(info, peers, wanted);
        const copies = Map.groupBy(
          [...at, ...moves.map((move) => ({ ...move, peer: move.to_peer_id }))],
          (one) => one.shard_id,
        );
        const possible = Math.min(wanted, peers.length);
        for (const replicas of copies.values()) {
          expect(replicas).toHaveLength(possible);
          expect(new Set(replicas.map(({ peer }) => peer)).size).toBe(possible);
        }
        expect(missing).toBe(shards * (wanted - possible));
        for (const { shard_id, from_peer_id } of moves) expect(from_peer_id).toBe(home(shard_id));
      }),
    );
  });
});
