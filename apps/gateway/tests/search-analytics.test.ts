import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKeyPair, type NewKeyPair } from '#keys/pair-store';
import { ensureTeam } from '#keys/team-store';
import { purgeSearches } from '#search-log/read-searches';
import { createSearchLog, type FinishedSearch, type SearchLog } from '#search-log/search-log';
import { expectError } from './support/expect-error.ts';
import { send, startTestGateway, type TestGateway } from './support/gateway.ts';
import { KNOWN } from './support/records.ts';

const ANALYTICS = '/api/v1/search-analytics';
const DAY_MS = 86_400_000;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ SEARCH_ANALYTICS_COLLAPSE_MS: '0' });
});
afterAll(() => gateway.stop());

let teams = 0;
/** Creates a key pair of a new team without searches. */
async function newTeam(): Promise<NewKeyPair> {
  teams += 1;
  return createKeyPair(gateway.db, await ensureTeam(gateway.db, `Searchers ${teams}`), 'test');
}

const search = (key: string, json: object) => gateway.send('POST', '/api/v1/search', { key, json });
const queriesOf = async (key: string, query = '') =>
  (await gateway.send('GET', `${ANALYTICS}/queries${query}`, { key })).json;

/** A log with a clock that the test moves. */
function logWith(options: { readonly collapseMs?: number; readonly isOff?: boolean } = {}) {
  const clock = { ms: Date.now() - DAY_MS / 2 };
  const log = createSearchLog(gateway.db, { isOff: false, collapseMs: 2_000, ...options, now: () => clock.ms });
  return { log, clock };
}

const found = (teamId: string, query: string, more: Partial<FinishedSearch> = {}): FinishedSearch => ({
  teamId,
  query,
  total: 3,
  narrowed: false,
  collections: [],
  person: 'ada',
  isMember: false,
  ...more,
});

async function flushAll(log: SearchLog, clock: { ms: number }): Promise<void> {
  clock.ms += 60_000;
  await log.flush();
}

describe('search analytics', () => {
  it('count searches and list their queries, normalized and most frequent first', async () => {
    const { secretKey: key } = await newTeam();
    for (const query of ['Parental  Leave', 'parental leave ', 'laptop']) await search(key, { query });
    const { data, meta } = await queriesOf(key);
    expect(data.map(({ query, searches }: { query: string; searches: number }) => [query, searches])).toEqual([
      ['parental leave', 2],
      ['laptop', 1],
    ]);
    expect(meta).toMatchObject({ page: 1, total: 2, hasMore: false });
    expect((await queriesOf(key, '?limit=1&page=2')).data).toMatchObject([{ query: 'laptop', lastResults: 1 }]);
    const { json } = await gateway.send('GET', `${ANALYTICS}?interval=day`, { key });
    expect(json.data.totals).toEqual({
      searches: 3,
      withoutResults: 0,
      clicked: 0,
      clickThroughRate: 0,
      meanClickedRank: null,
    });
    expect(json.data.buckets.at(-1)).toMatchObject({ searches: 3 });
  });

  it('count neither other pages nor lists without a query', async () => {
    const { secretKey: key } = await newTeam();
    const ids = [
      await search(key, { query: 'leave' }),
      await search(key, { query: 'leave', page: 2 }),
      await gateway.send('POST', '/api/v1/search/faceted', { key, json: {} }),
    ].map(({ json }) => json.data.queryId);
    expect(ids).toEqual([expect.stringMatching(/^srch_/), null, null]);
    expect((await queriesOf(key)).data).toMatchObject([{ query: 'leave', searches: 1 }]);
  });

  it('count clicks of browsers and of events once per result, only on searches of the same team', async () => {
    const { publishableKey, secretKey, teamId } = await newTeam();
    const other = await newTeam();
    const { log, clock } = logWith();
    const first = log.search(found(teamId, 'leave')) ?? '';
    log.search(found(teamId, 'laptop'));
    for (const rank of [3, 1, 3]) log.click(teamId, first, rank);
    log.click(other.teamId, first, 9);
    await flushAll(log, clock);
    expect((await queriesOf(secretKey)).data).toMatchObject([
      { query: 'laptop', clicked: 0, clickThroughRate: 0, meanClickedRank: null },
      { query: 'leave', clicked: 1, clickThroughRate: 1, meanClickedRank: 2 },
    ]);
    const click = { queryId: first, rank: 2 };
    const sent = await gateway.send('POST', '/api/v1/search/clicks', { key: publishableKey, json: click });
    expect([sent.status, sent.json.data]).toEqual([202, { accepted: true }]);
    const event = { name: 'search_clicked', properties: { ...click, page: '/help' } };
    expect((await gateway.send('POST', '/api/v1/analytics/events', { key: secretKey, json: event })).status).toBe(202);
  });

  it.each([
    [{ queryId: 'leave', rank: 1 }, 'queryId'],
    [{ queryId: KNOWN.search, rank: 0 }, 'rank'],
    [{ queryId: KNOWN.search, rank: 1, user: 'ada' }, 'user'],
  ])('reject an invalid click: %j', async (json, path) => {
    expectError(await gateway.send('POST', '/api/v1/search/clicks', { json }), 400, 'invalid_request', path);
  });

  it('count the queries that a person types as one', async () => {
    const { secretKey, teamId } = await newTeam();
    const { log, clock } = logWith();
    for (const query of ['v', 'va', 'vac', 'vacation', 'vacatio', 'vacation']) {
      log.search(found(teamId, query));
      clock.ms += 500;
    }
    log.search(found(teamId, 'vac', { person: 'grace' }));
    log.search(found(teamId, 'laptop'));
    clock.ms += 5_000;
    log.search(found(teamId, 'laptops'));
    await flushAll(log, clock);
    const queries = (await queriesOf(secretKey)).data.map(({ query }: { query: string }) => query);
    expect(queries).toEqual(['laptop', 'laptops', 'vac', 'vacation']);
  });

  it('count each search of a program', async () => {
    const { secretKey, teamId } = await newTeam();
    const { log, clock } = logWith();
    for (const query of ['vac', 'vacation']) log.search(found(teamId, query, { person: undefined }));
    await flushAll(log, clock);
    expect((await queriesOf(secretKey)).meta.total).toBe(2);
  });

  it('list queries without results, except those of searches with filters', async () => {
    const { secretKey, teamId } = await newTeam();
    const { log, clock } = logWith({ collapseMs: 0 });
    for (const total of [0, 0, 4]) log.search(found(teamId, 'sabbatical', { total }));
    log.search(found(teamId, 'filtered', { total: 0, narrowed: true }));
    await flushAll(log, clock);
    expect((await queriesOf(secretKey, '?withoutResults=true')).data).toMatchObject([
      { query: 'sabbatical', searches: 3, withoutResults: 2 },
    ]);
  });

  it('can be limited to a collection and a period', async () => {
    const { secretKey, teamId } = await newTeam();
    const { log, clock } = logWith({ collapseMs: 0 });
    const from = new Date(clock.ms).toISOString();
    log.search(found(teamId, 'leave', { collections: [KNOWN.collection] }));
    clock.ms += 3_600_000;
    const to = new Date(clock.ms).toISOString();
    log.search(found(teamId, 'laptop'));
    await flushAll(log, clock);
    const listed = async (query: string) =>
      (await queriesOf(secretKey, query)).data.map(({ query: text }: { query: string }) => text);
    expect(await listed(`?collection=${KNOWN.collection}`)).toEqual(['leave']);
    expect(await listed(`?from=${from}&to=${to}`)).toEqual(['leave']);
    expect(await listed(`?from=${to}`)).toEqual(['laptop']);
  });

  it.each(['?from=2026-01-02&to=2026-01-01', '?from=2020-01-01'])('reject the period %s', async (query) => {
    expectError(await gateway.send('GET', `${ANALYTICS}/queries${query}`), 400, 'invalid_request', 'from');
  });

  it('store no person, and hash each person differently every day', async () => {
    const { teamId } = await newTeam();
    const { log, clock } = logWith({ collapseMs: 0 });
    log.search(found(teamId, 'a'));
    log.search(found(teamId, 'b'));
    clock.ms -= DAY_MS;
    log.search(found(teamId, 'c'));
    clock.ms += DAY_MS;
    await flushAll(log, clock);
    const rows = await gateway.db.searchRecord.findMany({ where: { teamId }, orderBy: { query: 'asc' } });
    const [a, b, c] = rows.map(({ visitor }) => visitor);
    expect(a).toBe(b);
    expect(a).not.toBe(c);
    expect(JSON.stringify(rows)).not.toContain('ada');
  });

  it('list only queries of as many people as the setting requires', async () => {
    const { secretKey: key, teamId } = await newTeam();
    const { log, clock } = logWith({ collapseMs: 0 });
    for (const person of ['ada', 'grace', 'mary']) log.search(found(teamId, 'leave', { person }));
    for (let count = 0; count < 5; count += 1) log.search(found(teamId, 'my salary'));
    await flushAll(log, clock);
    const strict = await gateway.startReplica({ SEARCH_ANALYTICS_MIN_PEOPLE: '3' });
    const { json } = await send(strict.url, key, 'GET', `${ANALYTICS}/queries`, {});
    expect(json.data.map(({ query }: { query: string }) => query)).toEqual(['leave']);
    expect(json.meta.total).toBe(1);
  });

  it('are deleted after the retention time, with the salts of earlier days', async () => {
    const { secretKey, teamId } = await newTeam();
    const { log, clock } = logWith({ collapseMs: 0 });
    log.search(found(teamId, 'new'));
    clock.ms -= 100 * DAY_MS;
    log.search(found(teamId, 'old'));
    clock.ms += 100 * DAY_MS;
    await flushAll(log, clock);
    await purgeSearches(gateway.db, 90);
    expect((await queriesOf(secretKey, `?from=${new Date(clock.ms - 200 * DAY_MS).toISOString()}`)).data).toMatchObject(
      [{ query: 'new' }],
    );
    expect(await gateway.db.searchSalt.count({ where: { day: { lt: new Date(Date.now() - 3 * DAY_MS) } } })).toBe(0);
  });

  it('record nothing if they are switched off', () => {
    const { log } = logWith({ isOff: true });
    expect(log.search(found('team', 'leave'))).toBeNull();
  });

  it('keep at most 10,000 searches in memory while the database is unavailable', async () => {
    const { log } = logWith({ collapseMs: 0 });
    const ids = Array.from({ length: 10_001 }, (_, n) =>
      log.search(found('team', `query ${n}`, { person: undefined })),
    );
    expect(ids.filter((id) => id === null)).toHaveLength(1);
  });
});
