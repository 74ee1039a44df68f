import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalServer, startLocalServer } from './support/local-server.ts';

describe('queries', () => {
  let server: LocalServer;

  // Point i is at (i, 1); its sparse vector has i at dimension 1 and 1 at dimension i.
  const ids = [1, 2, 3, 4, 5, 6];

  beforeAll(async () => {
    server = await startLocalServer();
    const { client } = server;
    await client.createCollection('q', {
      vectors: {
        dot: { size: 2, distance: 'Dot' },
        euclid: { size: 2, distance: 'Euclid' },
        manhattan: { size: 2, distance: 'Manhattan' },
        cosine: { size: 2, distance: 'Cosine' },
      },
      sparse_vectors: { s: {}, idf: { modifier: 'idf' } },
    });
    await client.createPayloadIndex('q', { field_name: 'price', field_schema: 'float', wait: true });
    await client.createPayloadIndex('q', { field_name: 'day', field_schema: 'datetime', wait: true });
    await client.upsert('q', {
      points: ids.map((i) => ({
        id: i,
        vector: {
          dot: [i, 1],
          euclid: [i, 1],
          manhattan: [i, 1],
          cosine: [i, 1],
          s: { indices: [0, i], values: [i, 1] },
          idf: { indices: i % 2 ? [0, 100] : [0], values: i % 2 ? [1, 1] : [1] },
        },
        payload: {
          price: 10 - i,
          day: `2024-01-0${i}`,
          parity: i % 2 ? 'odd' : 'even',
          tags: i < 4 ? ['low', 'all'] : ['all'],
        },
      })),
    });
  });

  afterAll(() => server.stop());

  async function query(body: object) {
    const { points } = await server.client.query('q', body);
    return points;
  }

  const idsOf = (points: { id: unknown }[]) => points.map((point) => point.id);
  const scored = (points: { id: unknown; score: number }[]) => points.map((point) => [point.id, point.score]);

  it('rank larger dot products first', async () => {
    expect(scored(await query({ query: [2, 1], using: 'dot', limit: 2 }))).toEqual([
      [6, 13],
      [5, 11],
    ]);
  });

  it('rank smaller distances first', async () => {
    expect(scored(await query({ query: [3, 5], using: 'euclid', limit: 2 }))).toEqual([
      [3, 4],
      [2, 4.1231055],
    ]);
    expect(scored(await query({ query: [1, 2], using: 'manhattan', limit: 2 }))).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('return only scores better than the threshold', async () => {
    expect(scored(await query({ query: [1, 1], using: 'euclid', score_threshold: 2 }))).toEqual([
      [1, 0],
      [2, 1],
    ]);
    expect(idsOf(await query({ query: [1, 0], using: 'dot', score_threshold: 4 }))).toEqual([6, 5]);
    expect(idsOf(await query({ query: { indices: [0], values: [1] }, using: 's', score_threshold: 4 }))).toEqual([
      6, 5,
    ]);
  });

  it('skip an offset', async () => {
    expect(idsOf(await query({ query: [1, 0], using: 'dot', offset: 4 }))).toEqual([2, 1]);
    expect(idsOf(await query({ offset: 4, limit: 1 }))).toEqual([5]);
  });

  it('omit the point whose neighbors they search, even if a prefetch names it', async () => {
    expect(idsOf(await query({ query: 3, using: 'euclid', limit: 2 }))).toEqual([2, 4]);
    const prefetched = await query({
      prefetch: [{ query: 3, using: 'euclid', limit: 3 }],
      query: { nearest: [0, 0] },
      using: 'euclid',
    });
    expect(idsOf(prefetched)).toEqual([1, 2, 4]);
    expect(idsOf(await query({ query: 3, using: 's' }))).toEqual([6, 5, 4, 2, 1]);
  });

  it('look up a vector in another collection', async () => {
    await server.client.createCollection('other', { vectors: { size: 2, distance: 'Dot' } });
    await server.client.upsert('other', { points: [{ id: 3, vector: [6, 1] }] });
    const lookup_from = { collection: 'other', vector: '' };
    expect(idsOf(await query({ query: 3, using: 'euclid', lookup_from, limit: 1 }))).toEqual([6]);
  });

  it('calculate IDF statistics over a given corpus', async () => {
    // Among the odd points both have dimension 100: N = 3, n = 3. Overall N = 6, n = 3.
    const body = { query: { indices: [100], values: [1] }, using: 'idf', limit: 1 };
    const overall = await query(body);
    expect(overall[0]?.score).toBeCloseTo(Math.log(1 + 3.5 / 3.5), 6);
    const corpus = { must: [{ key: 'parity', match: { value: 'odd' } }] };
    const narrowed = await query({ ...body, params: { idf: { corpus } } });
    expect(narrowed[0]?.score).toBeCloseTo(Math.log(1 + 0.5 / 3.5), 6);
  });

  it('list by id without a query', async () => {
    const points = await query({ limit: 2, filter: { must_not: [{ has_id: [1] }] } });
    expect(points).toEqual([
      { id: 2, version: 0, score: 1 },
      { id: 3, version: 0, score: 1 },
    ]);
  });

  it('order by a field, alone or over prefetches', async () => {
    const byPrice = await query({ query: { order_by: 'price' }, limit: 2 });
    expect(byPrice.map((p) => [p.id, p.order_value])).toEqual([
      [6, 4],
      [5, 5],
    ]);
    const byDay = await query({
      prefetch: { query: [0, 0], using: 'euclid', limit: 3 },
      query: { order_by: { key: 'day', direction: 'desc', start_from: '2024-01-02T00:00:00Z' } },
    });
    expect(idsOf(byDay)).toEqual([2, 1]);
  });

  it('sample distinct points that match the filter', async () => {
    const points = await query({
      query: { sample: 'random' },
      limit: 10,
      filter: { must: [{ key: 'price', range: { gt: 6 } }] },
    });
    expect(new Set(idsOf(points))).toEqual(new Set([1, 2, 3]));
  });

  it('rescore nested prefetches, each with its own filter and limit', async () => {
    const points = await query({
      prefetch: {
        prefetch: [
          { query: [1, 0], using: 'dot', limit: 2, filter: { must: [{ key: 'parity', match: { value: 'odd' } }] } },
          { query: { indices: [0], values: [1] }, using: 's', limit: 1 },
        ],
        query: { rrf: { k: 60 } },
        limit: 2,
      },
      query: [0, 0],
      using: 'euclid',
    });
    // Inner: 5 and 6 are first in their lists, 3 is second. The best two by rank are 5 and 6.
    expect(idsOf(points)).toEqual([5, 6]);
  });

  it('fuse with weights, and by distribution', async () => {
    const prefetch = [
      { query: [1, 0], using: 'dot', limit: 3 },
      { query: [0, 0], using: 'euclid', limit: 3 },
    ];
    const weighted = await query({ prefetch, query: { rrf: { k: 2, weights: [1, 3] } } });
    // First list 6, 5, 4: 1/2, 1/3, 1/4. Second 1, 2, 3 of weight 3: 3/4, 3/5, 1/2.
    expect(idsOf(weighted)).toEqual([1, 2, 6, 3, 5, 4]);
    [0.75, 0.6, 0.5, 0.5, 1 / 3, 0.25].forEach((score, i) => {
      expect(weighted[i]?.score).toBeCloseTo(score, 6);
    });
    const distributed = await query({ prefetch: [prefetch[0]], query: { fusion: 'dbsf' } });
    expect(scored(distributed)).toEqual([
      [6, 0.6666667],
      [5, 0.5],
      [4, 0.33333334],
    ]);
    const cut = await query({ prefetch, query: { fusion: 'rrf' }, score_threshold: 0.5 });
    expect(idsOf(cut)).toEqual([6, 1]);
  });

  it('score by a formula over prefetches, payload and conditions', async () => {
    const points = await query({
      prefetch: { query: [1, 0], using: 'dot', limit: 4 },
      query: {
        formula: {
          sum: [
            '$score',
            { mult: [10, { key: 'parity', match: { value: 'odd' } }] },
            { mult: [-1, 'price'] },
            'bonus',
            { mult: [100, { has_id: [4] }] },
          ],
        },
        defaults: { bonus: 0.5 },
      },
      limit: 3,
    });
    // 6: 6 − 4 + 0.5; 5: 5 + 10 − 5 + 0.5; 4: 4 − 6 + 0.5 + 100; 3: 3 + 10 − 7 + 0.5
    expect(scored(points)).toEqual([
      [4, 98.5],
      [5, 10.5],
      [3, 6.5],
    ]);
    const decayed = await query({
      prefetch: {},
      query: {
        formula: {
          exp_decay: {
            x: { datetime_key: 'day' },
            target: { datetime: '2024-01-03T00:00:00Z' },
            scale: 86400,
            midpoint: 0.5,
          },
        },
      },
      limit: 2,
      score_threshold: 0.4,
    });
    expect(scored(decayed)).toEqual([
      [3, 1],
      [2, 0.5],
    ]);
  });

  it('return the results of a batch in order', async () => {
    const batch = await server.client.queryBatch('q', {
      searches: [
        { query: [1, 0], using: 'dot', limit: 1 },
        { query: [0, 0], using: 'manhattan', limit: 1, with_payload: ['parity'] },
      ],
    });
    expect(batch).toEqual([
      { points: [{ id: 6, version: expect.any(Number), score: 6 }] },
      { points: [{ id: 1, version: expect.any(Number), score: 2, payload: { parity: 'odd' } }] },
    ]);
  });

  it('group by each of several values and look up groups in another collection', async () => {
    const { groups } = await server.client.queryGroups('q', {
      query: [0, 0],
      using: 'euclid',
      group_by: 'tags',
      group_size: 2,
      limit: 5,
    });
    expect(groups.map((g) => [g.id, idsOf(g.hits)])).toEqual([
      ['low', [1, 2]],
      ['all', [1, 2]],
    ]);
    await server.client.createCollection('parents', { sparse_vectors: { s: {} } });
    await server.client.upsert('parents', { points: [{ id: 9, vector: {}, payload: { title: 'nine' } }] });
    const byPrice = await server.client.queryGroups('q', {
      query: [1, 0],
      using: 'dot',
      group_by: 'price',
      limit: 6,
      with_lookup: 'parents',
    });
    expect(byPrice.groups.map((g) => g.id)).toEqual([4, 5, 6, 7, 8, 9]);
    expect(byPrice.groups.at(-1)?.lookup).toEqual({ id: 9, payload: { title: 'nine' } });
  });

  it('group the hits of a fusion', async () => {
    const { groups } = await server.client.queryGroups('q', {
      prefetch: [
        { query: [1, 0], using: 'dot', limit: 6 },
        { query: { indices: [0], values: [1] }, using: 's', limit: 6 },
      ],
      query: { fusion: 'rrf' },
      group_by: 'parity',
      group_size: 1,
      limit: 2,
    });
    expect(groups.map((g) => [g.id, idsOf(g.hits)])).toEqual([
      ['even', [6]],
      ['odd', [5]],
    ]);
  });
});
