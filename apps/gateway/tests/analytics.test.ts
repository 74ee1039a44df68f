import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKeyPair } from '#keys/pair-store';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const EVENTS = '/api/v1/analytics/events';
const post = (json: unknown, key = gateway.keys.secretKey) => gateway.send('POST', EVENTS, { json, key });
const list = async (query = '', key = gateway.keys.secretKey) =>
  (await gateway.send('GET', EVENTS + query, { key })).json;
const namesOf = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name);

describe('analytics events', () => {
  it('are recorded individually or in batches of up to 100, and listed newest first', async () => {
    const single = await post({
      name: 'opened',
      properties: { page: '/', depth: 2 },
      occurredAt: '2026-01-02T03:04:05.678Z',
    });
    expect(single.status).toBe(202);
    expect(single.json.data).toEqual({ accepted: 1, ids: [expect.stringMatching(/^evt_/)] });
    const occurredAt = '2026-02-01T00:00:00+01:00';
    const batch = Array.from({ length: 100 }, (_, n) => ({ name: `e${n % 2}`, occurredAt }));
    expect((await post(batch)).status).toBe(202);
    const listed = await list('?limit=100&page=2');
    expect(listed.meta).toMatchObject({ page: 2, limit: 100, total: 101, hasMore: false });
    expect(listed.data).toEqual([
      {
        id: single.json.data.ids[0],
        name: 'opened',
        properties: { page: '/', depth: 2 },
        keyId: gateway.keys.id,
        occurredAt: '2026-01-02T03:04:05.678Z',
        createdAt: expect.any(String),
      },
    ]);
  });

  it('can be filtered by name and time, and default to the current time', async () => {
    const before = new Date().toISOString();
    await post({ name: 'now' });
    expect(namesOf(await list(`?from=${before}`))).toEqual(['now']);
    expect(namesOf(await list('?name=opened'))).toEqual(['opened']);
    expect(namesOf(await list('?from=2026-01-01&to=2026-01-31'))).toEqual(['opened']);
    expect((await list('?name=e1')).meta.total).toBe(50);
  });

  it('are visible to their team, and to a restricted key only if it recorded them', async () => {
    const scoped = await createKeyPair(gateway.db, gateway.keys.teamId, 'x', { allowAllCollections: false });
    await post({ name: 'mine' }, scoped.secretKey);
    expect(namesOf(await list('', scoped.secretKey))).toEqual(['mine']);
    expect(namesOf(await list('', gateway.otherKeys.secretKey))).toEqual([]);
    expectError(await post({ name: 'x' }, gateway.keys.publishableKey), 403, 'forbidden');
  });

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x', properties: [] }, 'properties'],
    [{ name: 'x', occurredAt: 'today' }, 'occurredAt'],
    [{ name: 'x', other: 1 }, 'other'],
    [[], 'body'],
    [[{ name: 'x' }, { name: 1 }], '[1].name'],
    [Array.from({ length: 101 }, () => ({ name: 'x' })), 'body'],
  ])('are rejected if invalid: %j', async (json, path) => {
    expectError(await post(json), 400, 'invalid_request', path);
  });
});
