import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { errorOf, type LocalServer, startLocalServer } from './support/local-server.ts';

describe('points', () => {
  let server: LocalServer;

  beforeAll(async () => {
    server = await startLocalServer();
  });

  afterAll(() => server.stop());

  beforeEach(async () => {
    await server.client.deleteCollection('p');
    await server.client.createCollection('p', {
      vectors: { a: { size: 2, distance: 'Dot' }, b: { size: 1, distance: 'Dot' } },
      sparse_vectors: { s: {} },
    });
    await server.client.createPayloadIndex('p', { field_name: 'n', field_schema: 'integer', wait: true });
    await server.client.upsert('p', {
      points: [
        { id: 1, vector: { a: [1, 2], b: [3] }, payload: { n: 1, o: { x: 1, y: [1, 2] } } },
        { id: 2, vector: { a: [4, 5], s: { indices: [5, 2], values: [1, 2] } }, payload: { n: 2 } },
      ],
    });
  });

  async function point(id: number) {
    const [found] = await server.client.retrieve('p', { ids: [id], with_vector: true });
    return found;
  }

  it('are replaced completely by an upsert', async () => {
    await server.client.upsert('p', { points: [{ id: 1, vector: { b: [9] }, payload: { m: 1 } }] });
    expect(await point(1)).toEqual({ id: 1, payload: { m: 1 }, vector: { b: [9] } });
    await server.client.upsert('p', { points: [{ id: 1, vector: { b: [9] } }] });
    expect(await point(1)).toEqual({ id: 1, payload: {}, vector: { b: [9] } });
    expect(await server.client.count('p', { filter: { must: [{ key: 'n', match: { value: 1 } }] } })).toEqual({
      count: 0,
    });
  });

  it('can be upserted as a list or as a batch', async () => {
    await server.client.upsert('p', {
      batch: {
        ids: [1, 3],
        vectors: {
          a: [
            [7, 7],
            [8, 8],
          ],
          s: [
            { indices: [1], values: [1] },
            { indices: [], values: [] },
          ],
        },
        payloads: [{ n: 10 }, null],
      },
    });
    expect(await point(1)).toEqual({
      id: 1,
      payload: { n: 10 },
      vector: { a: [7, 7], s: { indices: [1], values: [1] } },
    });
    expect(await point(3)).toEqual({ id: 3, payload: {}, vector: { a: [8, 8], s: { indices: [], values: [] } } });
  });

  it('are not changed if an update mode or filter excludes them', async () => {
    const points = [1, 9].map((id) => ({ id, vector: { b: [0] }, payload: { n: 100 } }));
    await server.client.upsert('p', { points, update_mode: 'insert_only' });
    expect((await point(1))?.payload).toMatchObject({ n: 1 });
    expect((await point(9))?.payload).toEqual({ n: 100 });
    await server.client.upsert('p', {
      points: [
        { id: 8, vector: {} },
        { id: 1, vector: {} },
      ],
      update_mode: 'update_only',
    });
    expect(await point(8)).toBeUndefined();
    expect((await point(1))?.payload).toEqual({});
    const filter = { must: [{ key: 'n', match: { value: 2 } }] };
    await server.client.upsert('p', {
      points: [2, 9].map((id) => ({ id, vector: {}, payload: { n: 5 } })),
      update_filter: filter,
    });
    expect((await point(2))?.payload).toEqual({ n: 5 });
    expect((await point(9))?.payload).toEqual({ n: 100 });
  });

  it('have sparse vectors sorted by index', async () => {
    expect((await point(2))?.vector).toEqual({ a: [4, 5], s: { indices: [2, 5], values: [2, 1] } });
  });

  it('can have payload set, overwritten, removed and cleared, by id and by filter', async () => {
    await server.client.setPayload('p', { payload: { k: 1, n: 7 }, points: [1] });
    expect((await point(1))?.payload).toEqual({ n: 7, k: 1, o: { x: 1, y: [1, 2] } });
    await server.client.setPayload('p', {
      payload: { z: 3 },
      key: 'o',
      filter: { must: [{ key: 'n', range: { gt: 6 } }] },
    });
    expect((await point(1))?.payload).toEqual({ n: 7, k: 1, o: { x: 1, y: [1, 2], z: 3 } });
    await server.client.deletePayload('p', { keys: ['o.y', 'k'], points: [1] });
    expect((await point(1))?.payload).toEqual({ n: 7, o: { x: 1, z: 3 } });
    await server.client.overwritePayload('p', { payload: { only: true }, points: [1, 2] });
    expect((await point(2))?.payload).toEqual({ only: true });
    await server.client.clearPayload('p', { points: [2] });
    expect((await point(2))?.payload).toEqual({});
    expect(await server.client.count('p', { filter: { must: [{ key: 'n', range: { gt: 0 } }] } })).toEqual({
      count: 0,
    });
  });

  it('can have single vectors replaced and removed', async () => {
    await server.client.updateVectors('p', { points: [{ id: 1, vector: { b: [5] } }] });
    expect((await point(1))?.vector).toEqual({ a: [1, 2], b: [5] });
    await server.client.deleteVectors('p', { vector: ['a', 's'], points: [1, 2, 99] });
    expect((await point(1))?.vector).toEqual({ b: [5] });
    expect((await point(2))?.vector).toEqual({});
    expect(await server.client.count('p', { filter: { must: [{ has_vector: 'b' }] } })).toEqual({ count: 1 });
    expect(await errorOf(server.client.updateVectors('p', { points: [{ id: 99, vector: { b: [5] } }] }))).toMatchObject(
      {
        status: 404,
      },
    );
  });

  it('are changed in order by a batch of operations', async () => {
    const done = await server.client.batchUpdate('p', {
      wait: true,
      operations: [
        { upsert: { points: [{ id: 5, vector: { b: [1] }, payload: { n: 5 } }] } },
        { set_payload: { payload: { seen: true }, filter: { must: [{ key: 'n', range: { gte: 2 } }] } } },
        { delete_payload: { keys: ['n'], points: [5] } },
        { update_vectors: { points: [{ id: 5, vector: { b: [2] } }] } },
        { delete: { points: [1] } },
        { overwrite_payload: { payload: { o: 1 }, points: [2] } },
        { clear_payload: { points: [2] } },
        { delete_vectors: { points: [2], vector: ['a'] } },
      ],
    });
    expect(done.map((each) => each.status)).toEqual(Array(8).fill('completed'));
    expect(await point(5)).toEqual({ id: 5, payload: { seen: true }, vector: { b: [2] } });
    expect(await point(1)).toBeUndefined();
    expect(await point(2)).toEqual({ id: 2, payload: {}, vector: { s: { indices: [2, 5], values: [2, 1] } } });
  });

  it('are acknowledged if the client does not wait, otherwise completed', async () => {
    expect(await server.client.delete('p', { points: [1] })).toMatchObject({ status: 'acknowledged' });
    expect(await server.client.delete('p', { points: [2], wait: true })).toMatchObject({ status: 'completed' });
    expect(await server.client.count('p')).toEqual({ count: 0 });
  });

  it('are returned with the requested payload and vectors', async () => {
    const one = async (projection: object) => (await server.client.retrieve('p', { ids: [1], ...projection }))[0];
    expect(await one({ with_payload: false })).toEqual({ id: 1 });
    expect(await one({ with_payload: ['o.x'] })).toEqual({ id: 1, payload: { o: { x: 1 } } });
    expect(await one({ with_payload: { exclude: ['o'] }, with_vector: ['b'] })).toEqual({
      id: 1,
      payload: { n: 1 },
      vector: { b: [3] },
    });
  });
});

describe('collections', () => {
  let server: LocalServer;

  beforeAll(async () => {
    server = await startLocalServer();
  });

  afterAll(() => server.stop());

  it('return their settings', async () => {
    await server.client.createCollection('one', {
      vectors: { size: 2, distance: 'Euclid', on_disk: true },
      metadata: { model: 'x' },
      hnsw_config: { m: 32 },
    });
    const info = await server.client.getCollection('one');
    expect(info).toMatchObject({ status: 'green', optimizer_status: 'ok', points_count: 0 });
    expect(info.config).toMatchObject({
      params: { vectors: { size: 2, distance: 'Euclid', on_disk: true }, shard_number: 1 },
      hnsw_config: { m: 32, ef_construct: 100 },
      metadata: { model: 'x' },
    });
    await server.client.updateCollection('one', { metadata: { more: 1 }, hnsw_config: { m: 8 } });
    await server.restart();
    expect((await server.client.getCollection('one')).config).toMatchObject({
      metadata: { model: 'x', more: 1 },
      hnsw_config: { m: 8 },
    });
  });

  it('merge updates of their settings', async () => {
    const int8 = { scalar: { type: 'int8' as const } };
    await server.client.createCollection('tuned', {
      vectors: { d: { size: 2, distance: 'Cosine', quantization_config: int8 } },
      hnsw_config: { m: 0, payload_m: 16 },
      shard_number: 3,
    });
    await server.client.updateCollection('tuned', {
      vectors: { d: { on_disk: true, quantization_config: 'Disabled' } },
      hnsw_config: { m: 8 },
      params: { replication_factor: 2 },
      optimizers_config: { max_optimization_threads: 1 },
    });
    expect((await server.client.getCollection('tuned')).config).toMatchObject({
      params: { vectors: { d: { on_disk: true, quantization_config: null } }, shard_number: 3, replication_factor: 2 },
      hnsw_config: { m: 8, payload_m: 16 },
      optimizer_config: { max_optimization_threads: 1 },
    });
    await server.client.deleteCollection('tuned');
  });

  it.each([
    [422, { shard_number: 0 }],
    [422, { replication_factor: 0 }],
    [400, { write_consistency_factor: 'all' }],
    [400, { hnsw_config: { m: -1 } }],
    [422, { hnsw_config: { ef_construct: 1 } }],
    [400, { optimizers_config: { max_optimization_threads: 'some' } }],
    [400, { quantization_config: { scalar: { type: 'int4' } } }],
    [422, { quantization_config: { scalar: { type: 'int8', quantile: 0.2 } } }],
    [400, { quantization_config: { unknown: {} } }],
    [400, { vectors: { d: { size: 2, distance: 'Dot', on_disk: 'yes' } } }],
    [400, { sparse_vectors: { s: { index: { on_disk: 1 } } } }],
  ])('are rejected with %d for an invalid setting: %j', async (status, settings) => {
    const response = await fetch(`${server.url}/collections/invalid`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(settings),
    });
    expect(response.status).toBe(status);
  });

  it('describe a single unnamed vector without a name', async () => {
    await server.client.upsert('one', {
      points: [
        { id: 1, vector: [3, 4] },
        { id: 2, vector: [0, 1] },
      ],
    });
    const { points } = await server.client.query('one', { query: [0, 0], with_vector: true });
    expect(points).toEqual([
      { id: 2, version: 1, score: 1, vector: [0, 1] },
      { id: 1, version: 1, score: 5, vector: [3, 4] },
    ]);
  });

  it('exist, are listed, and are deleted with their aliases', async () => {
    await server.client.createCollection('two', { sparse_vectors: { s: {} } });
    await server.client.updateCollectionAliases({
      actions: [{ create_alias: { collection_name: 'two', alias_name: 'zwei' } }],
    });
    expect((await server.client.getCollections()).collections).toEqual([{ name: 'one' }, { name: 'two' }]);
    expect(await server.client.collectionExists('zwei')).toEqual({ exists: true });
    await server.client.upsert('zwei', { points: [{ id: 1, vector: { s: { indices: [1], values: [1] } } }] });
    await server.client.updateCollectionAliases({
      actions: [{ rename_alias: { old_alias_name: 'zwei', new_alias_name: 'deux' } }],
    });
    await server.restart();
    expect(await server.client.count('deux')).toEqual({ count: 1 });
    expect(await server.client.getCollectionAliases('two')).toEqual({
      aliases: [{ alias_name: 'deux', collection_name: 'two' }],
    });
    expect(await server.client.deleteCollection('two')).toBe(true);
    expect(await server.client.getAliases()).toEqual({ aliases: [] });
    expect(await server.client.collectionExists('two')).toEqual({ exists: false });
    expect(
      await errorOf(
        server.client.updateCollectionAliases({
          actions: [{ create_alias: { collection_name: 'two', alias_name: 'x' } }],
        }),
      ),
    ).toMatchObject({ status: 404 });
  });

  it('can drop a payload index', async () => {
    await server.client.createPayloadIndex('one', { field_name: 'f', field_schema: 'keyword', wait: true });
    await server.client.deletePayloadIndex('one', 'f');
    expect((await server.client.getCollection('one')).payload_schema).toEqual({});
  });
});
