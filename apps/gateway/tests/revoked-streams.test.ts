import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatEvent } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { newId } from '@lectern/service-kit';
import { timeLimit } from '@lectern/testing';
import { createKeyPair, type NewKeyPair, rotateKeyPair } from '#keys/pair-store';
import { parseEvents } from './support/events.ts';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { job, KNOWN } from './support/records.ts';

let gateway: TestGateway;
let defaults: Pick<TestGateway['services'], 'chat' | 'jobs' | 'replyGate'>;
beforeAll(async () => {
  gateway = await startTestGateway();
  const { chat, jobs, replyGate } = gateway.services;
  defaults = { chat, jobs, replyGate };
});
afterAll(() => gateway.stop());
afterEach(() => void Object.assign(gateway.services, defaults));

const LIMIT_MS = 5_000;
const newPair = () => createKeyPair(gateway.db, gateway.keys.teamId, 'streams');
const teamPath = (rest: string) => `/api/v1/teams/${gateway.keys.teamId}/${rest}`;

const untilAborted = (call: ServiceCall) =>
  new Promise<void>((resolve) => call.signal.addEventListener('abort', () => resolve(), { once: true }));

/**
 * Makes every stream emit its first events and then pause. Resolves when this many service calls
 * are cancelled.
 */
function stall(calls = 1): Promise<void> {
  const cancelled = Promise.withResolvers<void>();
  let remaining = calls;
  const wait = async (call: ServiceCall) => {
    await untilAborted(call);
    remaining -= 1;
    if (remaining === 0) cancelled.resolve();
  };
  gateway.services.chat = async function* (call): AsyncGenerator<ChatEvent> {
    const started = { runId: KNOWN.run, model: 'm', memories: [] };
    yield { id: 'msg_1.0.0', event: { $case: 'messageStart', value: { id: 'msg_1', conversationId: 'conv_1' } } };
    yield { id: 'msg_1.1.0', event: { $case: 'run', value: { event: { $case: 'started', value: started } } } };
    yield { id: 'msg_1.1.4', event: { $case: 'contentDelta', value: { delta: 'Thir' } } };
    await wait(call);
  };
  gateway.services.jobs = async function* (call) {
    yield job;
    await wait(call);
  };
  gateway.services.replyGate = wait;
  return cancelled.promise;
}

const STREAMS = [
  ['a reply', 'POST', 'chat/stream', { message: 'Leave?' }],
  ['a regenerated reply', 'POST', `conversations/${KNOWN.conversation}/regenerate/stream`, {}],
  ['an agent run', 'POST', `/api/v1/agents/${KNOWN.agent}/execute/stream`, { message: 'Leave?' }],
  ['a sync job', 'GET', `/api/v1/connectors/${KNOWN.connector}/sync/${KNOWN.job}/events`, undefined],
] as const;

async function open([, method, path, json]: (typeof STREAMS)[number], key: string): Promise<Response> {
  const response = await fetch(gateway.url + (path.startsWith('/') ? path : teamPath(path)), {
    method,
    headers: { 'Content-Type': 'application/json', 'X-Service-Key': key },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  expect(response.status).toBe(200);
  return response;
}

/** Ways to end a key or narrow its scope, with the error code of its streams. */
const ENDS: readonly (readonly [string, string, (pair: NewKeyPair) => Promise<unknown>])[] = [
  ['is revoked', 'invalid_key', ({ id }) => gateway.send('DELETE', `/api/v1/api-keys/${id}`)],
  [
    'is revoked elsewhere without an event',
    'invalid_key',
    ({ id }) => gateway.db.keyPair.update({ where: { id }, data: { revokedAt: new Date() } }),
  ],
  ['is rotated out', 'invalid_key', ({ id }) => gateway.send('POST', `/api/v1/api-keys/${id}/rotate`, { json: {} })],
  [
    'is rotated out with an overlap that ends',
    'invalid_key',
    ({ id }) => gateway.db.$transaction((tx) => rotateKeyPair(tx, id, 1)),
  ],
  ['is deleted with its pair', 'invalid_key', ({ id }) => gateway.db.keyPair.delete({ where: { id } })],
  ['expires', 'key_expired', ({ id }) => gateway.db.keyPair.update({ where: { id }, data: { expiresAt: new Date() } })],
  [
    'loses a part of its scope',
    'forbidden',
    ({ id }) => gateway.send('PUT', `/api/v1/api-keys/${id}`, { json: { allow_all_collections: false } }),
  ],
];

describe('open streams', () => {
  it.each(ENDS)('end with one error within five seconds once their key %s', async (_how, code, end) => {
    const cancelled = stall(STREAMS.length);
    const ends = STREAMS.map(async (stream) => {
      const pair = await newPair();
      const response = await open(stream, pair.secretKey);
      await end(pair);
      const endedAt = performance.now();
      const events = parseEvents(await response.text());
      expect(performance.now() - endedAt).toBeLessThan(timeLimit(LIMIT_MS));
      expect(events.filter(({ event }) => event === 'error')).toEqual([events.at(-1)]);
      expect(events.at(-1)?.data).toEqual({
        code,
        message: expect.any(String),
        retryable: false,
        requestId: response.headers.get('x-request-id'),
      });
      expect(events.map(({ event }) => event)).not.toContain('message_end');
    });
    await Promise.all(ends);
    await cancelled;
  });

  it('continue if their key is changed without losing access', async () => {
    const pair = await newPair();
    const release = Promise.withResolvers<void>();
    const { chat } = defaults;
    gateway.services.chat = async function* (call) {
      const [first, ...rest] = await Array.fromAsync(chat(call));
      if (first !== undefined) yield first;
      await release.promise;
      yield* rest;
    };
    const response = await open(STREAMS[0], pair.secretKey);
    const changes = { name: 'Renamed', rate_limit_per_minute: 7, allowed_hosts: ['example.com'] };
    expect((await gateway.send('PUT', `/api/v1/api-keys/${pair.id}`, { json: changes })).status).toBe(200);
    expect((await gateway.send('GET', '/api/v1/key', { key: pair.secretKey })).json.data.name).toBe('Renamed');
    release.resolve();
    expect(parseEvents(await response.text()).at(-1)?.event).toBe('message_end');
  });
});

describe('open streams of a key that is restricted to collections', () => {
  const restricted = (...allowedCollections: string[]) =>
    createKeyPair(gateway.db, gateway.keys.teamId, 'restricted', { allowAllCollections: false, allowedCollections });
  const restrictTo = (pairId: string, ...collections: string[]) =>
    gateway.send('PUT', `/api/v1/api-keys/${pairId}`, { json: { allowed_collections: collections } });

  it('continue if a collection leaves the scope because it was deleted', async () => {
    const deleted = newId('collection');
    const pair = await restricted(KNOWN.collection, deleted);
    const release = Promise.withResolvers<void>();
    const { chat } = defaults;
    gateway.services.chat = async function* (call) {
      yield* (await Array.fromAsync(chat(call))).slice(0, 1);
      await release.promise;
      yield* (await Array.fromAsync(chat(call))).slice(1);
    };
    const response = await open(STREAMS[0], pair.secretKey);
    await restrictTo(pair.id, KNOWN.collection);
    const wasLookedUp = () =>
      gateway.services.calls.some(
        ({ method, request }) => method === 'getCollection' && Reflect.get(Object(request), 'id') === deleted,
      );
    const until = performance.now() + timeLimit(LIMIT_MS);
    while (!wasLookedUp() && performance.now() < until)
      await gateway.send('GET', '/api/v1/key', { key: pair.secretKey });
    expect(wasLookedUp()).toBe(true);
    release.resolve();
    expect(parseEvents(await response.text()).at(-1)?.event).toBe('message_end');
  });

  it('end if it loses an existing collection', async () => {
    const pair = await restricted(KNOWN.collection, newId('collection'));
    const cancelled = stall();
    const response = await open(STREAMS[0], pair.secretKey);
    await restrictTo(pair.id);
    expect(parseEvents(await response.text()).at(-1)?.data).toMatchObject({ code: 'forbidden' });
    await cancelled;
  });
});

describe('a response that is not streamed', () => {
  it('is a plain error for a chat whose key is revoked', async () => {
    const pair = await newPair();
    const cancelled = stall();
    const pending = gateway.send('POST', teamPath('chat'), { key: pair.secretKey, json: { message: 'Leave?' } });
    while (gateway.services.calls.at(-1)?.caller.keyId !== pair.id) await new Promise(setImmediate);
    await gateway.send('DELETE', `/api/v1/api-keys/${pair.id}`);
    expectError(await pending, 401, 'invalid_key');
    await cancelled;
  });

  it('is an error for an MCP call whose key is revoked', async () => {
    const pair = await newPair();
    const cancelled = stall();
    const pending = gateway.send('POST', '/mcp', {
      key: pair.secretKey,
      json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask', arguments: { question: 'Leave?' } } },
      headers: { Accept: 'application/json, text/event-stream' },
    });
    while (gateway.services.calls.at(-1)?.caller.keyId !== pair.id) await new Promise(setImmediate);
    await gateway.send('DELETE', `/api/v1/api-keys/${pair.id}`);
    const { status, json } = await pending;
    expect({ status, code: json.error.data.code }).toEqual({ status: 401, code: 'invalid_key' });
    await cancelled;
  });
});
