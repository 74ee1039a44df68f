import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalServer, startLocalServer } from './support/local-server.ts';

describe('a sparse vector added to a collection', () => {
  let server: LocalServer;

  beforeAll(async () => {
    server = await startLocalServer();
    await server.client.createCollection('c', {
      vectors: { dense: { size: 2, distance: 'Cosine' } },
      sparse_vectors: { text: { modifier: 'idf' } },
    });
    const points = [1, 2].map((id) => ({ id, vector: { dense: [id, 1], text: { indices: [1], values: [1] } } }));
    await server.client.upsert('c', { wait: true, points });
    await server.client.createVectorName('c', 'added', { sparse: { modifier: 'idf' } });
  });
  afterAll(() => server.stop());

  const found = async () =>
    (await server.client.query('c', { query: { indices: [7], values: [1] }, using: 'added' })).points.map(
      ({ id }) => id,
    );

  it('is part of the collection, and empty for its points', async () => {
    const { config } = await server.client.getCollection('c');
    expect(config.params.sparse_vectors).toEqual({ text: { modifier: 'idf' }, added: { modifier: 'idf' } });
    expect(await found()).toEqual([]);
  });

  it('can be set for stored and new points, and keeps their other vectors', async () => {
    const added = { indices: [7], values: [1] };
    await server.client.updateVectors('c', { wait: true, points: [{ id: 2, vector: { added } }] });
    await server.client.upsert('c', { wait: true, points: [{ id: 3, vector: { dense: [1, 0], added } }] });
    expect((await found()).sort()).toEqual([2, 3]);
    const [point] = await server.client.retrieve('c', { ids: [2], with_vector: true });
    expect(Object.keys(point?.vector ?? {}).sort()).toEqual(['added', 'dense', 'text']);
  });

  it('is rejected if the name is taken or the vector is dense', async () => {
    const add = (name: string, config: Parameters<typeof server.client.createVectorName>[2]) =>
      server.client.createVectorName('c', name, config);
    await expect(add('text', { sparse: {} })).rejects.toMatchObject({ status: 409 });
    await expect(add('more', { dense: { size: 2, distance: 'Dot' } })).rejects.toMatchObject({ status: 400 });
    await expect(server.client.createVectorName('none', 'more', { sparse: {} })).rejects.toMatchObject({ status: 404 });
  });
});

describe('a recommend query', () => {
  let server: LocalServer;

  beforeAll(async () => {
    server = await startLocalServer();
    await server.client.createCollection('c', { vectors: { size: 2, distance: 'Dot' }, sparse_vectors: { text: {} } });
    const vectors = [
      [1, 0],
      [0, 1],
      [1, 1],
      [-1, 2],
      [3, 0],
    ];
    await server.client.upsert('c', { wait: true, points: vectors.map((vector, at) => ({ id: at + 1, vector })) });
  });
  afterAll(() => server.stop());

  const scores = async (query: Record<string, unknown>, more: object = {}) =>
    (await server.client.query('c', { query, ...more })).points.map(({ id, score }) => [id, score]);

  it('compares with the average of the examples and leaves them out', async () => {
    expect(await scores({ recommend: { positive: [1, 2], strategy: 'average_vector' } })).toEqual([
      [5, 1.5],
      [3, 1],
      [4, 0.5],
    ]);
    expect(
      await scores({ recommend: { positive: [[0, 2], 1] } }, { filter: { must: [{ has_id: [1, 3, 4] }] } }),
    ).toEqual([
      [3, 1.5],
      [4, 1.5],
    ]);
  });

  it('moves away from negative examples', async () => {
    // 2 · (1, 0) − (0, 1)
    expect((await scores({ recommend: { positive: [1], negative: [2] } }))[0]).toEqual([5, 6]);
  });

  it('is rejected without a positive example, and for a missing one', async () => {
    await expect(scores({ recommend: { positive: [], negative: [1] } })).rejects.toMatchObject({ status: 400 });
    await expect(scores({ recommend: { positive: [99] } })).rejects.toMatchObject({ status: 404 });
  });
});
