import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKeyPair, type NewKeyPair } from '#keys/pair-store';
import { ensureTeam } from '#keys/team-store';
import { BUCKETS, bucketOf } from '#usage/durations';
import { purgeUsage } from '#usage/usage-counts';
import { expectError } from './support/expect-error.ts';
import { type SendInit, send, startTestGateway, type TestGateway, type TestResponse } from './support/gateway.ts';
import { connectMcp } from './support/mcp-client.ts';
import { KNOWN } from './support/records.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const iso = (ms: number) => new Date(ms).toISOString();

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** Creates a key pair of a new team without usage. */
async function newTeam(name: string): Promise<NewKeyPair> {
  return createKeyPair(gateway.db, await ensureTeam(gateway.db, name), name);
}

const read = (key: string, query = ''): Promise<TestResponse> =>
  gateway.send('GET', `/api/v1/analytics/usage${query}`, { key });
const totals = async (key: string) => (await read(key)).json.data.totals;
const reply = { promptTokens: expect.any(Number), completionTokens: expect.any(Number) };

/** Returns the token usage in a reply or run of the fake services. */
async function tokensOf(response: TestResponse): Promise<{ promptTokens: number; completionTokens: number }> {
  const text = /"usage":(\{[^}]*\})/.exec(response.text)?.[1];
  const usage = JSON.parse(text ?? 'null');
  expect(usage).toMatchObject(reply);
  return usage;
}

async function insertHour(teamId: string, at: number, kind: string, requests: bigint, errors: bigint, ms: number) {
  const durations = new Array<bigint>(BUCKETS).fill(0n);
  durations[bucketOf(ms)] = requests;
  const tokens = { promptTokens: 5n * requests, completionTokens: requests };
  await gateway.db.usageHour.create({
    data: { teamId, hour: new Date(at), kind, requests, errors, durations, ...tokens },
  });
}

describe('GET /api/v1/analytics/usage', () => {
  it('counts the requests of a team by kind', async () => {
    const { secretKey: key, publishableKey, teamId } = await newTeam('Counted');
    const post = (path: string, init: SendInit = {}) => gateway.send('POST', path, { key, ...init });
    const message = { json: { message: 'How many days?' } };
    await post('/api/v1/search', { json: { query: 'leave' } });
    await post('/v1/docs/search', { json: { query: 'leave' }, key: publishableKey });
    await post('/api/v1/search', { json: { nonsense: 1 } });
    gateway.services.teamId = teamId;
    const replies = [
      await post(`/api/v1/teams/${teamId}/chat`, message),
      await post(`/api/v1/teams/${teamId}/chat/stream`, message),
    ];
    const again = { ...message, headers: { 'Idempotency-Key': 'once' } };
    replies.push(await post(`/api/v1/teams/${teamId}/chat`, again));
    await post(`/api/v1/teams/${teamId}/chat`, again);
    const run = await post(`/api/v1/agents/${KNOWN.agent}/execute/stream`, message);
    gateway.services.teamId = gateway.keys.teamId;
    await gateway.send('GET', '/api/v1/collections', { key });
    await gateway.send('GET', '/api/v1/collections', { key: `${key.slice(0, -1)}_` });
    let prompt = 0;
    let completion = 0;
    for (const response of [...replies, run]) {
      const tokens = await tokensOf(response);
      prompt += tokens.promptTokens;
      completion += tokens.completionTokens;
    }
    expect(await totals(key)).toEqual({
      requests: 9,
      errors: 1,
      p50Ms: expect.any(Number),
      p95Ms: expect.any(Number),
      searches: 2,
      chats: 3,
      agentRuns: 1,
      promptTokens: prompt,
      completionTokens: completion,
    });
    // The previous read was a request too.
    expect((await totals(key)).requests).toBe(10);
  });

  it('counts a stream that failed midway as an error, and MCP tools by what they do', async () => {
    const { secretKey: key, teamId } = await newTeam('Streams');
    const { chat } = gateway.services;
    gateway.services.chat = async function* fail(call) {
      for await (const event of chat(call)) {
        yield event;
        throw new Error('connection lost');
      }
    };
    await gateway.send('POST', `/api/v1/teams/${teamId}/chat/stream`, { key, json: { message: 'x' } });
    gateway.services.chat = chat;
    expect(await totals(key)).toMatchObject({ requests: 1, errors: 1, chats: 0, promptTokens: 0 });
    const client = await connectMcp(gateway.url, { Authorization: `Bearer ${key}` });
    await client.callTool({ name: 'search', arguments: { query: 'leave' } });
    await client.callTool({ name: 'ask', arguments: { question: 'How many days?' } });
    await client.close();
    const after = await totals(key);
    expect(after).toMatchObject({ errors: 1, searches: 1, chats: 1 });
    expect(after.promptTokens).toBeGreaterThan(0);
  });

  it('is exact across replicas, and loses nothing when one of them stops', async () => {
    const { secretKey: key } = await newTeam('Replicas');
    const replica = await gateway.startReplica();
    const sent = 60;
    await Promise.all(
      Array.from({ length: sent }, (_, n) => send(n % 2 ? replica.url : gateway.url, key, 'GET', '/api/v1/key', {})),
    );
    await replica.stop();
    expect((await totals(key)).requests).toBe(sent);
  });

  it('lists each hour or day of a period, including empty ones', async () => {
    const { secretKey: key, teamId } = await newTeam('Periods');
    const monday = Date.parse('2026-03-02T00:00:00Z');
    await insertHour(teamId, monday + HOUR_MS, 'search', 10n, 1n, 20);
    await insertHour(teamId, monday + HOUR_MS, 'other', 30n, 0n, 20);
    await insertHour(teamId, monday + 26 * HOUR_MS, 'chat', 4n, 0n, 2_000);
    const hours = (await read(key, `?from=${iso(monday + 90_000)}&to=${iso(monday + 2 * HOUR_MS + 1)}`)).json.data;
    expect(hours).toMatchObject({ from: iso(monday), to: iso(monday + 3 * HOUR_MS), interval: 'hour' });
    expect(hours.buckets.map((bucket: { startAt: string }) => bucket.startAt)).toEqual(
      [0, 1, 2].map((n) => iso(monday + n * HOUR_MS)),
    );
    expect(hours.buckets[0]).toMatchObject({ requests: 0, p50Ms: null, p95Ms: null, promptTokens: 0 });
    expect(hours.buckets[1]).toMatchObject({ requests: 40, errors: 1, searches: 9, promptTokens: 200 });
    expect(Math.abs(hours.buckets[1].p50Ms / 20 - 1)).toBeLessThan(0.2);
    const days = (await read(key, `?from=2026-03-02&to=2026-03-05&interval=day`)).json.data;
    expect(days.buckets.map(({ requests, chats }: { requests: number; chats: number }) => [requests, chats])).toEqual([
      [40, 0],
      [4, 4],
      [0, 0],
    ]);
    expect(days.totals).toMatchObject({ requests: 44, errors: 1, searches: 9, chats: 4, completionTokens: 44 });
    expect(days.totals.p95Ms).toBeGreaterThan(1_000);
    expect((await read(key)).json.data.buckets.length).toBeGreaterThanOrEqual(24);
  });

  it.each([
    ['?from=2026-03-02&to=2026-03-02', 'from'],
    ['?from=2026-01-01&to=2026-03-01', 'from'],
    ['?from=2020-01-01&interval=day', 'from'],
    ['?from=yesterday', 'from'],
    ['?interval=minute', 'interval'],
  ])('rejects %s', async (query, path) => {
    expectError(await read(gateway.keys.secretKey, query), 400, 'invalid_request', path);
  });

  it('requires a secret key of full scope', async () => {
    const scoped = await createKeyPair(gateway.db, gateway.keys.teamId, 'x', { allowAllCollections: false });
    expectError(await read(scoped.secretKey), 403, 'forbidden');
    expectError(await read(gateway.keys.publishableKey), 403, 'forbidden');
  });

  it('deletes hours beyond the retention period', async () => {
    const { teamId } = await newTeam('Retention');
    await insertHour(teamId, Date.now() - 11 * DAY_MS, 'other', 1n, 0n, 1);
    await insertHour(teamId, Date.now() - 9 * DAY_MS, 'other', 2n, 0n, 1);
    await purgeUsage(gateway.db, 10);
    const remaining = await gateway.db.usageHour.findMany({ where: { teamId } });
    expect(remaining.map(({ requests }) => requests)).toEqual([2n]);
  });
});
