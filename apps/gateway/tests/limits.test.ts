import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKeyPair, type NewKeyPair } from '#keys/pair-store';
import { expectError } from './support/expect-error.ts';
import { send, startTestGateway, type TestGateway, type TestResponse } from './support/gateway.ts';
import type { Replica } from './support/replica.ts';

let gateway: TestGateway;
let replica: Replica;
let urls: readonly string[];
beforeAll(async () => {
  gateway = await startTestGateway({ TRUST_PROXY: '10.0.0.0/8', MAX_STREAMS_PER_KEY: '2' });
  replica = await gateway.startReplica();
  urls = [gateway.url, replica.url];
});
afterAll(() => gateway.stop());

const PATH = '/api/v1/key';
const header = (response: TestResponse, name: string) => Number(response.headers.get(name));

const pairOf = (perMinute: number) =>
  createKeyPair(gateway.db, gateway.keys.teamId, 'limited', { rateLimitPerMinute: perMinute });

/** When a request was sent and answered, in milliseconds. It was admitted in between. */
interface Span {
  readonly sent: number;
  readonly received: number;
}

/** Sends requests to both gateways, `width` at a time, and returns the admitted ones. */
async function overload(key: string, durationMs: number, width: number) {
  const started = performance.now();
  const admitted: Span[] = [];
  let rejected = 0;
  const worker = async (n: number) => {
    for (let sent = 0; sent < durationMs; ) {
      sent = performance.now() - started;
      const response = await send(urls[n % 2]!, key, 'GET', PATH, {});
      if (response.status === 200) admitted.push({ sent, received: performance.now() - started });
      else {
        expectError(response, 429, 'rate_limited');
        rejected += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: width }, (_, n) => worker(n)));
  return { admitted, rejected };
}

/** Returns by how much the worst window exceeds the refill. A correct limit allows the burst. */
function worstWindow(admitted: readonly Span[], perMs: number): number {
  const byEnd = admitted.toSorted((a, b) => a.received - b.received);
  let worst = 0;
  for (const { sent: start } of admitted) {
    let count = 0;
    for (const { sent, received } of byEnd) {
      if (sent < start) continue;
      count += 1;
      worst = Math.max(worst, count - (received - start) * perMs);
    }
  }
  return worst;
}

describe('a rate limit', () => {
  it('admits exactly the configured number of requests over all replicas, and reports its state', async () => {
    const { secretKey } = await pairOf(60);
    const started = performance.now();
    // Near the end, each of the two replicas can hold one of the remaining requests in its lease.
    for (let n = 0; n < 58; n += 1) {
      const response = await send(urls[n % 2]!, secretKey, 'GET', PATH, {});
      // One request is refilled per second.
      const refilled = (performance.now() - started) / 1_000;
      expect(response.status).toBe(200);
      expect(header(response, 'x-ratelimit-limit')).toBe(60);
      expect(Math.abs(header(response, 'x-ratelimit-remaining') - (59 - n))).toBeLessThanOrEqual(2 + refilled);
    }
    let response = await send(urls[0]!, secretKey, 'GET', PATH, {});
    // Some requests were refilled while the ones above ran.
    for (let n = 0; n < 200 && response.status === 200; n += 1)
      response = await send(urls[n % 2]!, secretKey, 'GET', PATH, {});
    expectError(response, 429, 'rate_limited');
    expect(header(response, 'x-ratelimit-remaining')).toBe(0);
    const now = Date.now() / 1_000;
    expect(header(response, 'x-ratelimit-reset')).toBeGreaterThan(now);
    expect(header(response, 'x-ratelimit-reset')).toBeLessThan(now + 62);
    const retryAfter = header(response, 'retry-after');
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(Number.isInteger(retryAfter)).toBe(true);
    await delay(retryAfter * 1_000);
    expect((await send(urls[1]!, secretKey, 'GET', PATH, {})).status).toBe(200);
  });

  it('is not exceeded in any window under a tenfold overload of two gateways', async () => {
    const perMinute = 240;
    const { secretKey } = await pairOf(perMinute);
    const { admitted, rejected } = await overload(secretKey, 6_000, 24);
    const perMs = perMinute / 60_000;
    // In six seconds the limit refills a tenth of the burst.
    expect(admitted.length + rejected).toBeGreaterThan(perMs * 6_000 * 10);
    expect(worstWindow(admitted, perMs)).toBeLessThanOrEqual(perMinute * 1.01);
    // No requests are lost to leases.
    expect(admitted.length).toBeGreaterThanOrEqual(perMinute);
  });

  it('applies per client for a publishable key, and ignores forged addresses', async () => {
    const { publishableKey } = await pairOf(5);
    const as = (forwarded: string) =>
      gateway.send('GET', PATH, { key: publishableKey, headers: { 'X-Forwarded-For': forwarded } });
    const started = performance.now();
    // There is no proxy, so the client's own headers are not trusted.
    const responses = await Promise.all(
      Array.from({ length: 1_000 }, (_, n) => as(`198.51.100.${n % 250}, 10.9.${n % 8}.1`)),
    );
    const admitted = responses.filter(({ status }) => status === 200).length;
    expect(admitted).toBeGreaterThanOrEqual(5);
    expect(admitted).toBeLessThanOrEqual(5 + 1 + (performance.now() - started) / 12_000);
  });

  it('counts the two keys of a pair separately', async () => {
    const pair = await pairOf(2);
    for (const key of [pair.secretKey, pair.publishableKey]) {
      expect((await gateway.send('GET', PATH, { key })).status).toBe(200);
      expect((await gateway.send('GET', PATH, { key })).status).toBe(200);
      expectError(await gateway.send('GET', PATH, { key }), 429, 'rate_limited');
    }
  });

  it('is reported with rejected requests too', async () => {
    for (const [method, path, status] of [
      ['POST', '/api/v1/search', 400],
      ['GET', '/api/v1/collections/x', 404],
    ] as const) {
      const response = await gateway.send(method, path);
      expect(response.status).toBe(status);
      expect(header(response, 'x-ratelimit-limit')).toBe(1_000_000);
    }
  });
});

describe('streams', () => {
  it('are limited in number per key, and free their slot when they end', async () => {
    const proceed = Promise.withResolvers<void>();
    const { chat } = gateway.services;
    gateway.services.chat = async function* (call) {
      await proceed.promise;
      yield* chat(call);
    };
    const open = () =>
      gateway.send('POST', `/api/v1/teams/${gateway.keys.teamId}/chat/stream`, { json: { message: 'x' } });
    const first = [open(), open()];
    while (gateway.services.calls.filter(({ method }) => method === 'streamChat').length < 2) await delay(5);
    const third = await open();
    expectError(third, 429, 'rate_limited');
    expect(header(third, 'retry-after')).toBe(1);
    proceed.resolve();
    for (const response of await Promise.all(first)) expect(response.status).toBe(200);
    expect((await open()).status).toBe(200);
    gateway.services.chat = chat;
  });
});

describe('replicas without the store of rate limits', () => {
  let pair: NewKeyPair;
  beforeAll(async () => {
    pair = await pairOf(100);
    for (const url of urls) expect((await send(url, pair.secretKey, 'GET', PATH, {})).status).toBe(200);
    await gateway.db.$executeRaw`ALTER TABLE rate_buckets RENAME TO renamed`;
  });

  it('admit their share without errors', async () => {
    const { admitted, rejected } = await overload(pair.secretKey, 2_500, 10);
    expect(rejected).toBeGreaterThan(0);
    expect(admitted.length).toBeGreaterThan(50);
    expect(admitted.length).toBeLessThanOrEqual(110);
  });

  it('use the store again when it is back', async () => {
    await gateway.db.$executeRaw`ALTER TABLE renamed RENAME TO rate_buckets`;
    const { secretKey } = await pairOf(10);
    await delay(1_100);
    const { admitted } = await overload(secretKey, 1_000, 4);
    expect(admitted.length).toBeGreaterThanOrEqual(10);
    expect(admitted.length).toBeLessThanOrEqual(11);
  });
});
