import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatEvent, TestCharge } from '@lectern/contracts';
import { newId, type ServiceCall } from '@lectern/service-kit';
import { runCount, waitUntil } from '@lectern/testing';
import fc from 'fast-check';
import { subjectOf } from '#budgets/limits';
import { monthOf } from '#budgets/month';
import { chargeExpiredReservations, purgeBudgetUse, reserve, settle } from '#budgets/reservations';
import { createKeyPair } from '#keys/pair-store';
import { expectError } from './support/expect-error.ts';
import { send, startTestGateway, type TestGateway, type TestResponse } from './support/gateway.ts';
import { connectMcp } from './support/mcp-client.ts';
import { signInAs } from './support/people.ts';
import { KNOWN } from './support/records.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const month = () => monthOf(new Date());
const newPair = () => createKeyPair(gateway.db, gateway.keys.teamId, 'Bot');
const chat = (key: string, stream = '', init = {}) =>
  gateway.send('POST', `/api/v1/teams/${gateway.keys.teamId}/chat${stream}`, { key, json: { message: 'x' }, ...init });
const set = (id: string, limits: object) => gateway.send('PUT', `/api/v1/budgets/${id}`, { json: limits });
const read = async (id: string) => (await gateway.send('GET', `/api/v1/budgets/${id}`)).json.data;
const tokensOf = ({ json }: TestResponse): number => json.data.usage.totalTokens;
const reservationsOf = (subject: string) => gateway.db.budgetReservation.findMany({ where: { subject } });

const message = (event: NonNullable<ChatEvent['event']>): ChatEvent => ({ id: '', event });
const usage = (promptTokens: number, completionTokens: number) => ({
  promptTokens,
  completionTokens,
  totalTokens: promptTokens + completionTokens,
});

/** Replaces the stream of the chat service while `work` runs. */
async function withEvents<T>(
  events: (call: ServiceCall) => AsyncIterable<ChatEvent>,
  work: () => Promise<T>,
): Promise<T> {
  const { chat: before } = gateway.services;
  gateway.services.chat = events;
  try {
    return await work();
  } finally {
    gateway.services.chat = before;
  }
}

describe('a budget', () => {
  it('rejects replies, streams, runs and MCP once the hard limit is reached, and names limit, reset and admin', async () => {
    const pair = await newPair();
    expect((await set(pair.id, { hardTokens: 1 })).status).toBe(200);
    const first = await chat(pair.secretKey);
    expect(first.status).toBe(200);
    for (const response of [
      await chat(pair.secretKey),
      await chat(pair.secretKey, '/stream'),
      await gateway.send('POST', `/api/v1/agents/${KNOWN.agent}/execute/stream`, {
        key: pair.secretKey,
        json: { message: 'x' },
      }),
    ]) {
      expectError(response, 429, 'rate_limited');
      expect(response.json.error.message).toMatch(
        /^The budget of this API key for this month is used up: 1 tokens?\. It resets on 1 \w+ \d{4} \(UTC\)\. An admin of the team can raise it\.$/,
      );
      expect(response.json.error.details).toMatchObject({ budget: 'tokens', limit: 1 });
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(response.headers.get('x-ratelimit-limit')).not.toBeNull();
    }
    const client = await connectMcp(gateway.url, { Authorization: `Bearer ${pair.secretKey}` });
    const asked = await client.callTool({ name: 'ask', arguments: { question: 'x' } });
    await client.close();
    expect(JSON.stringify(asked)).toContain('is used up');
    expect(await read(pair.id)).toMatchObject({ usedTokens: tokensOf(first), state: 'hard_limit', kind: 'key' });
    // Searches cost nothing.
    const search = await gateway.send('POST', '/api/v1/search', { key: pair.secretKey, json: { query: 'x' } });
    expect(search.status).toBe(200);
    await set(pair.id, { hardTokens: 1_000_000 });
    expect((await chat(pair.secretKey)).status).toBe(200);
  });

  it('warns from the soft limit on, and records it once in the audit log', async () => {
    const pair = await newPair();
    await set(pair.id, { softTokens: 1, hardTokens: 1_000_000 });
    expect((await chat(pair.secretKey)).headers.get('x-budget-warning')).toBeNull();
    const warned = [await chat(pair.secretKey), await chat(pair.secretKey, '/stream')];
    for (const { status, headers } of warned) {
      expect(status).toBe(200);
      expect(headers.get('x-budget-warning')).toMatch(/^tokens; used=\d+; limit=1; resets=\d{4}-\d\d-01T/);
    }
    expect((await read(pair.id)).state).toBe('soft_limit');
    const { json } = await gateway.send('GET', '/api/v1/audit?action=reachSoftLimit');
    const events = json.data.filter(({ resource }: { resource: { id: string } }) => resource.id === pair.id);
    expect(events).toEqual([
      expect.objectContaining({ details: { unit: 'tokens', limit: 1, used: expect.any(Number) } }),
    ]);
  });

  it('of all people applies to each person without one of their own, who can see it', async () => {
    await set('people', { hardTokens: 1 });
    const [ada, bob] = [
      await signInAs(gateway.db, gateway.keys.teamId, 'member'),
      await signInAs(gateway.db, gateway.keys.teamId, 'member'),
    ];
    const ask = ({ headers }: typeof ada) => chat('', '', { key: null, headers });
    await set(bob.id, {});
    for (const person of [ada, bob]) expect((await ask(person)).status).toBe(200);
    const refused = await ask(ada);
    expectError(refused, 429, 'rate_limited');
    expect(refused.json.error.message).toMatch(/^Your budget for this month/);
    expect((await ask(bob)).status).toBe(200);
    const own = await gateway.send('GET', '/api/v1/key', { key: null, headers: ada.headers });
    expect(own.json.data.budget).toMatchObject({ id: ada.id, isDefault: true, hardTokens: 1, state: 'hard_limit' });
    expectError(
      await gateway.send('GET', `/api/v1/budgets/${bob.id}`, { key: null, headers: ada.headers }),
      403,
      'forbidden',
    );
    expect((await gateway.send('DELETE', `/api/v1/budgets/${bob.id}`)).json.data).toMatchObject({
      isDefault: true,
      state: 'hard_limit',
    });
    const listed = await gateway.send('GET', '/api/v1/budgets?limit=100');
    expect(listed.json.data[0]).toMatchObject({ id: 'people', name: 'All people', usedTokens: 0 });
    expect(listed.json.data.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([ada.id, bob.id]));
    await gateway.send('DELETE', '/api/v1/budgets/people');
    expect((await ask(ada)).status).toBe(200);
  });

  it('limits the cost by the prices of the models', async () => {
    const prices = [{ model: 'gpt-4.1-mini', inputPerMillion: 0.4, outputPerMillion: 1.6 }];
    expect((await gateway.send('PUT', '/api/v1/model-prices', { json: { prices } })).json.data).toEqual(prices);
    const pair = await newPair();
    await set(pair.id, { hardCost: 0.005 });
    const reply = async function* () {
      yield message({ $case: 'messageStart', value: { id: KNOWN.message, conversationId: KNOWN.conversation } });
      yield message({
        $case: 'messageEnd',
        value: {
          usage: usage(10_000, 1_000),
          answerConfidence: undefined,
          model: 'gpt-4.1-mini',
          stopReason: '',
          documents: [],
        },
      });
    };
    await withEvents(reply, async () => {
      expect((await chat(pair.secretKey, '/stream')).text).toContain('message_end');
      const refused = await chat(pair.secretKey, '/stream');
      expectError(refused, 429, 'rate_limited');
      expect(refused.json.error.message).toContain('a cost of 0.005');
    });
    expect(await read(pair.id)).toMatchObject({ usedTokens: 11_000, usedCost: 0.0056, hardCost: 0.005 });
    // The built-in model costs nothing.
    const other = await newPair();
    await chat(other.secretKey);
    expect(await read(other.id)).toMatchObject({ usedCost: 0 });
    const breakdown = async (by: string) =>
      (await gateway.send('GET', `/api/v1/analytics/usage/breakdown?by=${by}`)).json.data;
    expect((await breakdown('model'))[0]).toMatchObject({
      id: 'gpt-4.1-mini',
      promptTokens: 10_000,
      completionTokens: 1_000,
      cost: 0.0056,
      p50Ms: expect.any(Number),
    });
    expect((await breakdown('key'))[0]).toMatchObject({
      id: pair.id,
      name: 'Bot',
      requests: 2,
      errors: 1,
      cost: 0.0056,
    });
    expect(await breakdown('person')).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'A member' })]));
    const foreign = await gateway.send('GET', '/api/v1/analytics/usage/breakdown?by=model', {
      key: gateway.otherKeys.secretKey,
    });
    expect(foreign.json.data).toEqual([]);
    await gateway.send('PUT', '/api/v1/model-prices', { json: { prices: [] } });
  });

  it('stops a running agent at its next step, and a long reply while it is written', async () => {
    const pair = await newPair();
    await set(pair.id, { hardTokens: 20_000 });
    const cancelled = Promise.withResolvers<void>();
    const run = async function* ({ signal }: ServiceCall) {
      yield message({ $case: 'messageStart', value: { id: KNOWN.message, conversationId: KNOWN.conversation } });
      for (let number = 1; number <= 4; number += 1) {
        const iteration = { number, status: 'planning', documents: [], usage: usage((number - 1) * 9_000, 0) };
        yield message({ $case: 'run', value: { event: { $case: 'iteration', value: iteration } } });
      }
      signal.addEventListener('abort', () => cancelled.resolve());
      await cancelled.promise;
    };
    const stopped = await withEvents(run, () => chat(pair.secretKey, '/stream'));
    expect(stopped.text).toMatch(/event: error\n.*"code":"rate_limited".*is used up.*"retryable":false/);
    await cancelled.promise;
    expect(await read(pair.id)).toMatchObject({ usedTokens: 27_000, state: 'hard_limit' });

    const writer = await newPair();
    await set(writer.id, { hardTokens: 8_000 });
    const novel = async function* () {
      yield message({ $case: 'messageStart', value: { id: KNOWN.message, conversationId: KNOWN.conversation } });
      for (let n = 0; n < 1_000; n += 1) yield message({ $case: 'contentDelta', value: { delta: 'word'.repeat(100) } });
    };
    expect((await withEvents(novel, () => chat(writer.secretKey, '/stream'))).text).toContain('is used up');
    const { usedTokens } = await read(writer.id);
    expect(usedTokens).toBeGreaterThanOrEqual(8_000);
    expect(usedTokens).toBeLessThan(10_000);
  });

  it('is not charged for a reply that fails before it starts, or for a replayed response', async () => {
    const pair = await newPair();
    gateway.services.failWith = new Error('down');
    expect((await chat(pair.secretKey)).status).toBeGreaterThanOrEqual(500);
    gateway.services.failWith = undefined;
    expect(await read(pair.id)).toMatchObject({ usedTokens: 0 });
    const headers = { 'Idempotency-Key': 'budget-once' };
    const first = await chat(pair.secretKey, '', { headers });
    expect((await chat(pair.secretKey, '', { headers })).headers.get('idempotent-replayed')).toBe('true');
    expect(await read(pair.id)).toMatchObject({ usedTokens: tokensOf(first) });
    expect(await reservationsOf(pair.id)).toEqual([]);
  });

  it('waits for a disconnected client: whoever resumes the stream pays once, otherwise the reservation is charged', async () => {
    const pair = await newPair();
    const disconnect = async () => {
      const started = Promise.withResolvers<void>();
      const events = async function* () {
        yield message({ $case: 'messageStart', value: { id: KNOWN.message, conversationId: KNOWN.conversation } });
        started.resolve();
        await new Promise(() => undefined);
      };
      const aborter = new AbortController();
      await withEvents(events, async () => {
        const path = `${gateway.url}/api/v1/teams/${gateway.keys.teamId}/chat/stream`;
        const headers = { 'X-Service-Key': pair.secretKey, 'Content-Type': 'application/json' };
        const response = await fetch(path, {
          method: 'POST',
          headers,
          body: '{"message":"x"}',
          signal: aborter.signal,
        });
        await started.promise;
        expect(response.status).toBe(200);
        aborter.abort();
      });
      expect(await reservationsOf(pair.id)).toHaveLength(1);
    };
    await disconnect();
    await gateway.db.budgetReservation.updateMany({ where: { subject: pair.id }, data: { expiresAt: new Date(0) } });
    await chargeExpiredReservations(gateway.db);
    expect(await reservationsOf(pair.id)).toEqual([]);
    expect((await read(pair.id)).usedTokens).toBe(5_000);

    await disconnect();
    const resume = () => chat(pair.secretKey, '/stream', { headers: { 'Last-Event-ID': `${KNOWN.message}.0.0` } });
    for (const response of [await resume(), await resume()]) expect(response.text).toContain('message_end');
    expect(await reservationsOf(pair.id)).toEqual([]);
    const { usedTokens } = await read(pair.id);
    expect(usedTokens).toBeGreaterThan(5_000);
    expect(usedTokens).toBeLessThan(10_000);
  });

  it('keeps the use of the current month however short the retention is', async () => {
    const pair = await newPair();
    const { teamId } = gateway.keys;
    const old = new Date(Date.UTC(2020, 0));
    const use = { subject: pair.id, teamId, tokens: 7n };
    await gateway.db.budgetUse.createMany({
      data: [
        { ...use, month: month() },
        { ...use, month: old },
      ],
    });
    await purgeBudgetUse(gateway.db, 1);
    expect((await gateway.db.budgetUse.findMany({ where: { subject: pair.id } })).map((row) => row.month)).toEqual([
      month(),
    ]);
  });

  it('ends an expired reservation of a deleted month, and charges the others', async () => {
    const [lost, pair] = [await newPair(), await newPair()];
    for (const { id } of [lost, pair]) {
      const reservation = { id, subject: subjectOf(gateway.keys.teamId, id), month: month() };
      await reserve(gateway.db, reservation, { tokens: 9n, cost: 0n });
    }
    const where = { subject: { in: [lost.id, pair.id] } };
    await gateway.db.budgetReservation.updateMany({ where, data: { expiresAt: new Date(0) } });
    await gateway.db.budgetUse.deleteMany({ where: { subject: lost.id } });
    await chargeExpiredReservations(gateway.db);
    expect(await gateway.db.budgetReservation.findMany({ where })).toEqual([]);
    expect((await read(pair.id)).usedTokens).toBe(9);
  });

  it('counts all budgets and all usage on a page past the end', async () => {
    await chat((await newPair()).secretKey);
    for (const path of ['/api/v1/budgets?', '/api/v1/analytics/usage/breakdown?by=key&']) {
      const first = await gateway.send('GET', `${path}page=1`);
      const past = await gateway.send('GET', `${path}page=500`);
      expect(past.json.data).toEqual([]);
      expect(past.json.meta.total).toBeGreaterThan(0);
      expect(past.json.meta.total).toBe(first.json.meta.total);
    }
  });

  it('holds across replicas and concurrent requests', async () => {
    const pair = await newPair();
    const replica = await gateway.startReplica();
    await set(pair.id, { hardTokens: 10_000 });
    const gate = Promise.withResolvers<void>();
    gateway.services.replyGate = () => gate.promise;
    const path = `/api/v1/teams/${gateway.keys.teamId}/chat`;
    const all = Array.from({ length: 20 }, (_, n) =>
      send(n % 2 ? replica.url : gateway.url, pair.secretKey, 'POST', path, { json: { message: 'x' } }),
    );
    let rejected = 0;
    for (const response of all) void response.then(({ status }) => (rejected += status === 429 ? 1 : 0));
    await waitUntil(() => rejected === 18, { what: 'rejected requests', timeoutMs: 5_000 });
    gate.resolve();
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    gateway.services.replyGate = async () => undefined;
    await replica.stop();
    // Each reserves 5,000 tokens.
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(await reservationsOf(pair.id)).toEqual([]);
  });

  it.each([
    [{ hardTokens: 0 }, 'hardTokens'],
    [{ softTokens: 2, hardTokens: 1 }, 'softTokens'],
    [{ softCost: 2, hardCost: 1 }, 'softCost'],
    [{ hardTokens: 1.5 }, 'hardTokens'],
    [{ tokens: 1 }, 'tokens'],
  ])('rejects %j', async (limits, path) => {
    expectError(await set('people', limits), 400, 'invalid_request', path);
  });

  it('of an unknown subject or another team does not exist', async () => {
    for (const id of ['unknown', gateway.otherKeys.id]) expectError(await set(id, {}), 404, 'not_found');
  });

  it('rejects prices of built-in models and repeated ones', async () => {
    const price = (model: string) => ({ model, inputPerMillion: 1, outputPerMillion: 1 });
    for (const prices of [[price('builtin-extractive')], [price('x'), price('x')]]) {
      expectError(await gateway.send('PUT', '/api/v1/model-prices', { json: { prices } }), 400, 'invalid_request');
    }
  });
});

describe('a test run', () => {
  const charge = (subject: string, more: Partial<TestCharge> = {}): TestCharge => {
    const id = newId('request');
    const { teamId } = gateway.keys;
    return { id, teamId, subject, model: 'gpt-4.1-mini', ended: false, usage: undefined, written: 0, ...more };
  };
  const { resolve, resolved } = {
    /** Waits until a gateway has resolved these charges. Returns the reasons of refusals. */
    resolve: async (...charges: readonly TestCharge[]) => {
      for (const each of charges) gateway.services.testCharges.set(each.id, each);
      const isDone = () => charges.every(({ id }) => !gateway.services.testCharges.has(id));
      await waitUntil(isDone, { what: 'the charges to be resolved', timeoutMs: 10_000 });
      const refused = gateway.services.resolvedCharges.flatMap((request) => request.refused);
      return charges.flatMap(({ id }) => refused.filter((each) => each.id === id).map(({ reason }) => reason));
    },
    resolved: (id: string) =>
      gateway.services.resolvedCharges.filter(({ granted, settled }) => [...granted, ...settled].includes(id)).length,
  };
  const startRun = (key: string) => gateway.send('POST', '/api/v1/test-runs', { key });

  it('is not charged if another gateway settles it while this one reserves', async () => {
    const pair = await newPair();
    const asked = charge(pair.id);
    gateway.services.beforeResolve = async ({ granted }) => granted.filter((id) => id === asked.id);
    await resolve(asked);
    const isFree = async () => (await reservationsOf(pair.id)).length === 0;
    await waitUntil(isFree, { what: 'the reservation to end', timeoutMs: 5_000 });

    // The other way round: this one settles before the other reserves.
    const ended = charge(pair.id, { ended: true });
    gateway.services.beforeResolve = async ({ settled }) => {
      const reservation = { id: ended.id, subject: subjectOf(gateway.keys.teamId, pair.id), month: month() };
      if (settled.includes(ended.id)) await reserve(gateway.db, reservation, { tokens: 5_000n, cost: 0n });
      return [];
    };
    await resolve(ended);
    await waitUntil(isFree, { what: 'the other reservation to end', timeoutMs: 5_000 });
    gateway.services.beforeResolve = async () => [];
    expect(await read(pair.id)).toMatchObject({ usedTokens: 0 });
  });

  it('is charged to whoever started it, counts in usage, and costs what its model costs', async () => {
    const pair = await newPair();
    const prices = [{ model: 'gpt-4.1-mini', inputPerMillion: 1, outputPerMillion: 2 }];
    await gateway.send('PUT', '/api/v1/model-prices', { json: { prices } });
    const asked = charge(pair.id);
    expect(await resolve(asked)).toEqual([]);
    expect(await reservationsOf(pair.id)).toMatchObject([{ id: asked.id, tokens: 5_000n }]);
    await resolve({ ...asked, ended: true, usage: usage(3_000, 500) });
    expect(await reservationsOf(pair.id)).toEqual([]);
    expect(await read(pair.id)).toMatchObject({ usedTokens: 3_500, usedCost: 0.004 });
    const usageOf = async () => {
      const { json } = await gateway.send('GET', '/api/v1/analytics/usage/breakdown?by=key&limit=100');
      return json.data.find(({ id }: { id: string }) => id === pair.id);
    };
    await waitUntil(async () => (await usageOf()) !== undefined, { what: 'the usage', timeoutMs: 10_000 });
    expect(await usageOf()).toMatchObject({ promptTokens: 3_000, completionTokens: 500, requests: 0 });
    // A gateway that was killed before the chat service received the settlement settles again.
    await resolve({ ...asked, ended: true, usage: usage(3_000, 500) });
    expect(resolved(asked.id)).toBe(3);
    expect(await read(pair.id)).toMatchObject({ usedTokens: 3_500 });
    await gateway.send('PUT', '/api/v1/model-prices', { json: { prices: [] } });
  });

  it('is refused once the hard limit is reached, with the reason, and cannot be started', async () => {
    const person = await signInAs(gateway.db, gateway.keys.teamId, 'editor');
    await set(person.id, { hardTokens: 12_000 });
    const charges = Array.from({ length: 10 }, () => charge(person.id));
    const reasons = await resolve(...charges);
    // Three reservations of 5,000 tokens reach the limit.
    expect(reasons).toHaveLength(7);
    expect(reasons[0]).toMatch(
      /^The budget of the person that pays for this run for this month is used up: 12,000 tokens\. It resets on .*An admin of the team can raise it\.$/,
    );
    await resolve(...charges.map((each) => ({ ...each, ended: true, usage: usage(4_500, 500) })));
    const started = await send(gateway.url, '', 'POST', '/api/v1/test-runs', { key: null, headers: person.headers });
    expectError(started, 429, 'rate_limited');
    expect(await read(person.id)).toMatchObject({ usedTokens: 15_000, state: 'hard_limit' });
  });

  it('warns of the soft limit when it starts, and the audit log records it once', async () => {
    const pair = await newPair();
    await set(pair.id, { softTokens: 100 });
    expect((await startRun(pair.secretKey)).headers.get('x-budget-warning')).toBeNull();
    for (const _ of [1, 2]) {
      const asked = charge(pair.id);
      await resolve(asked);
      await resolve({ ...asked, ended: true, usage: usage(100, 10) });
    }
    const started = await startRun(pair.secretKey);
    expect(started.status).toBe(202);
    expect(started.headers.get('x-budget-warning')).toMatch(/^tokens; used=220; limit=100;/);
    const { json } = await gateway.send('GET', `/api/v1/audit?action=reachSoftLimit&resourceId=${pair.id}`);
    expect(json.data).toHaveLength(1);
    expect(await reservationsOf(pair.id)).toEqual([]);
  });

  it('that fails is charged what the model wrote, and nothing if it wrote nothing', async () => {
    const pair = await newPair();
    const [silent, written] = [charge(pair.id), charge(pair.id)];
    await resolve(silent, written);
    await resolve({ ...silent, ended: true }, { ...written, ended: true, written: 400 });
    expect(await read(pair.id)).toMatchObject({ usedTokens: 4_100 });
  });

  it('shares the hard limit with the chats of the same person, on several gateways', async () => {
    const pair = await newPair();
    await set(pair.id, { hardTokens: 20_000 });
    const replica = await gateway.startReplica();
    const charges = Array.from({ length: 12 }, () => charge(pair.id));
    const path = `/api/v1/teams/${gateway.keys.teamId}/chat`;
    const gate = Promise.withResolvers<void>();
    gateway.services.replyGate = () => gate.promise;
    const chats = Array.from({ length: 12 }, (_, n) =>
      send(n % 2 ? replica.url : gateway.url, pair.secretKey, 'POST', path, { json: { message: 'x' } }),
    );
    const reasons = await resolve(...charges);
    gate.resolve();
    const statuses = (await Promise.all(chats)).map(({ status }) => status);
    gateway.services.replyGate = async () => undefined;
    await replica.stop();
    const granted = charges.length - reasons.length;
    // Chats that start after others have ended find what those did not use.
    expect(granted).toBeLessThanOrEqual(4);
    expect(granted + statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4);
    await resolve(...charges.map((each) => ({ ...each, ended: true, usage: usage(4_000, 1_000) })));
    expect((await read(pair.id)).usedTokens).toBeLessThan(20_000 + 5_000 + 1_000);
    expect(await reservationsOf(pair.id)).toEqual([]);
  });
});

describe('reservations', () => {
  /** A reply: what it uses, and whether its process is killed before it settles. */
  const replies = fc.array(fc.record({ actual: fc.integer({ min: 0, max: 3_000 }), isKilled: fc.boolean() }), {
    minLength: 1,
    maxLength: 24,
  });

  it('never exceed a hard limit by more than the replies in flight, and never stay', async () => {
    const reserved = 1_000n;
    await fc.assert(
      fc.asyncProperty(replies, fc.integer({ min: 1, max: 12_000 }), async (plan, hard) => {
        const { id, teamId } = await newPair();
        await gateway.db.budget.create({ data: { teamId, subject: id, hardTokens: BigInt(hard) } });
        const subject = subjectOf(teamId, id);
        let expected = 0n;
        let excess = 0n;
        const actor = { teamId, keyId: id, origin: 'test' };
        await Promise.all(
          plan.map(async ({ actual, isKilled }, n) => {
            const reservation = { id: `${id}.${n}`, subject, month: month() };
            const { refused } = await reserve(gateway.db, reservation, { tokens: reserved, cost: 0n });
            if (refused !== undefined) return;
            expected += isKilled ? reserved : BigInt(actual);
            if (!isKilled && BigInt(actual) > reserved) excess += BigInt(actual) - reserved;
            if (isKilled) return;
            const amount = { tokens: BigInt(actual), cost: 0n };
            await settle(gateway.db, { id: reservation.id }, amount, actor);
            // A retry after a lost response charges nothing.
            expect(await settle(gateway.db, { id: reservation.id }, amount, actor)).toBe(false);
          }),
        );
        await gateway.db.budgetReservation.updateMany({ where: { subject: id }, data: { expiresAt: new Date(0) } });
        await Promise.all([chargeExpiredReservations(gateway.db), chargeExpiredReservations(gateway.db)]);
        expect(await reservationsOf(id)).toEqual([]);
        const { usedTokens } = await read(id);
        expect(BigInt(usedTokens)).toBe(expected);
        expect(BigInt(usedTokens)).toBeLessThan(BigInt(hard) + reserved + excess);
      }),
      { numRuns: runCount({ quick: 10, full: 100 }) },
    );
  });
});
