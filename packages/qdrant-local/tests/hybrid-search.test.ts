import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalServer, startLocalServer } from './support/local-server.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

describe('a collection with a dense and a sparse vector', () => {
  let server: LocalServer;

  beforeAll(async () => {
    server = await startLocalServer();
    await server.client.createCollection('docs', {
      vectors: { dense: { size: 3, distance: 'Cosine' } },
      sparse_vectors: { text: { modifier: 'idf' } },
    });
    for (const [field, schema] of [
      ['team', { type: 'keyword', is_tenant: true }],
      ['document', 'keyword'],
      ['year', 'integer'],
    ] as const)
      await server.client.createPayloadIndex('docs', { field_name: field, field_schema: schema, wait: true });
    await server.client.upsert('docs', {
      wait: true,
      points: [
        {
          id: uuid(1),
          vector: { dense: [3, 0, 0], text: { indices: [7, 1], values: [1, 2] } },
          payload: { team: 'a', document: 'x', year: 2020, tags: ['red', 'green'] },
        },
        {
          id: uuid(2),
          vector: { dense: [0, 1, 0], text: { indices: [1], values: [1] } },
          payload: { team: 'a', document: 'x', year: 2021, tags: ['red'] },
        },
        {
          id: uuid(3),
          vector: { dense: [1, 1, 0], text: { indices: [9], values: [1] } },
          payload: { team: 'a', document: 'y', year: 2022 },
        },
        {
          id: uuid(4),
          vector: { dense: [1, 0, 0], text: { indices: [1], values: [5] } },
          payload: { team: 'b', document: 'z', year: 2023 },
        },
      ],
    });
  });

  afterAll(() => server.stop());

  const teamA = { must: [{ key: 'team', match: { value: 'a' } }] };

  it('scores dense vectors by cosine and normalizes them when it stores them', async () => {
    const { points } = await server.client.query('docs', { query: [1, 0, 0], using: 'dense', with_vector: ['dense'] });
    expect(points.map((p) => p.id)).toEqual([uuid(1), uuid(4), uuid(3), uuid(2)]);
    expect(points.map((p) => p.score)).toEqual([1, 1, 0.70710677, 0]);
    expect(points[0]?.vector).toEqual({ dense: [1, 0, 0] });
  });

  it('scores sparse vectors by the dot product weighted with the IDF over all points', async () => {
    const { points } = await server.client.query('docs', {
      query: { indices: [1, 9], values: [1, 1] },
      using: 'text',
    });
    // N = 4; dimension 1 is in 3 points, dimension 9 in 1.
    const idf1 = Math.log(1 + (4 - 3 + 0.5) / (3 + 0.5));
    const idf9 = Math.log(1 + (4 - 1 + 0.5) / (1 + 0.5));
    expect(points.map((p) => p.id)).toEqual([uuid(4), uuid(3), uuid(1), uuid(2)]);
    [5 * idf1, idf9, 2 * idf1, idf1].forEach((score, i) => {
      expect(points[i]?.score).toBeCloseTo(score, 5);
    });
  });

  it('fuses two prefetches by reciprocal rank with k = 2 and applies the root filter to both', async () => {
    const { points } = await server.client.query('docs', {
      prefetch: [
        { query: [1, 0, 0], using: 'dense', limit: 10 },
        { query: { indices: [1], values: [1] }, using: 'text', limit: 10 },
      ],
      query: { fusion: 'rrf' },
      filter: teamA,
      with_payload: ['document'],
    });
    expect(points.map((p) => [p.id, p.score, p.payload])).toEqual([
      [uuid(1), 1, { document: 'x' }],
      [uuid(2), 0.5833334, { document: 'x' }],
      [uuid(3), 0.33333334, { document: 'y' }],
    ]);
  });

  it('counts, facets and scrolls the points that match a filter', async () => {
    expect(await server.client.count('docs', { filter: teamA })).toEqual({ count: 3 });
    const { hits } = await server.client.facet('docs', { key: 'document', filter: teamA });
    expect(hits).toEqual([
      { value: 'x', count: 2 },
      { value: 'y', count: 1 },
    ]);
    const first = await server.client.scroll('docs', { filter: teamA, limit: 2, with_payload: false });
    expect(first).toEqual({ points: [{ id: uuid(1) }, { id: uuid(2) }], next_page_offset: uuid(3) });
    const second = await server.client.scroll('docs', { filter: teamA, limit: 2, offset: first.next_page_offset ?? 0 });
    expect(second.points.map((p) => p.id)).toEqual([uuid(3)]);
    expect(second.next_page_offset).toBeNull();
  });

  it('groups hits by a field, best group first', async () => {
    const { groups } = await server.client.queryGroups('docs', {
      query: [1, 0, 0],
      using: 'dense',
      group_by: 'document',
      group_size: 2,
      limit: 2,
      filter: teamA,
    });
    expect(groups.map((g) => [g.id, g.hits.map((h) => h.id)])).toEqual([
      ['x', [uuid(1), uuid(2)]],
      ['y', [uuid(3)]],
    ]);
  });

  it('keeps everything across a restart', async () => {
    const before = await server.client.scroll('docs', { with_vector: true });
    await server.restart();
    expect(await server.client.scroll('docs', { with_vector: true })).toEqual(before);
    const info = await server.client.getCollection('docs');
    expect(info.points_count).toBe(4);
    expect(info.payload_schema).toEqual({
      team: { data_type: 'keyword', params: { type: 'keyword', is_tenant: true }, points: 4 },
      document: { data_type: 'keyword', points: 4 },
      year: { data_type: 'integer', points: 4 },
    });
  });

  it('deletes points by filter', async () => {
    await server.client.delete('docs', { wait: true, filter: { must: [{ key: 'year', range: { gte: 2022 } }] } });
    expect(await server.client.count('docs')).toEqual({ count: 2 });
    const { hits } = await server.client.facet('docs', { key: 'document' });
    expect(hits).toEqual([{ value: 'x', count: 2 }]);
  });
});
