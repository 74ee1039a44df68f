import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalServer, startLocalServer } from './support/local-server.ts';

describe('a filter that is used again', () => {
  let server: LocalServer;

  beforeAll(async () => {
    server = await startLocalServer();
    await server.client.createCollection('r', { vectors: { size: 2, distance: 'Dot' } });
  });

  afterAll(() => server.stop());

  const point = (id: number, name: string) => ({ id, vector: [1, id], payload: { name } });
  const count = async (filter: object): Promise<number> => (await server.client.count('r', { filter })).count;

  it('matches the points that were changed since', async () => {
    const isA = { must: [{ key: 'name', match: { value: 'a' } }] };
    const { client } = server;
    await client.upsert('r', { points: [point(1, 'a'), point(2, 'b')] });
    expect(await count(isA)).toBe(1);
    await client.upsert('r', { points: [point(3, 'a')] });
    expect(await count(isA)).toBe(2);
    await client.setPayload('r', { points: [2], payload: { name: 'a' } });
    expect(await count(isA)).toBe(3);
    await client.delete('r', { points: [1] });
    expect(await count(isA)).toBe(2);
    expect(await count({ must: [{ has_id: [1, 2] }] })).toBe(1);
  });

  it('matches by a text index that was created since', async () => {
    const { client } = server;
    await client.upsert('r', { points: [point(5, 'one wordy name')] });
    const hasWord = { must: [{ key: 'name', match: { text: 'word' } }] };
    expect(await count(hasWord)).toBe(1);
    await client.createPayloadIndex('r', { field_name: 'name', field_schema: 'text', wait: true });
    expect(await count(hasWord)).toBe(0);
    await client.deletePayloadIndex('r', 'name');
    expect(await count(hasWord)).toBe(1);
  });

  it('keeps the filters of a batch apart', async () => {
    const searches = [1, 2, 3, 2, 1].map((id) => ({ query: [1, 0], filter: { must: [{ has_id: [id] }] }, limit: 5 }));
    await server.client.upsert('r', { points: [1, 2, 3].map((id) => point(id, 'c')) });
    const found = await server.client.queryBatch('r', { searches });
    expect(found.map(({ points }) => points.map(({ id }) => id))).toEqual([[1], [2], [3], [2], [1]]);
  });
});
