import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKey } from '#keys/format';
import { createKeyPair } from '#keys/pair-store';
import { expectError } from './support/expect-error.ts';
import { send, startTestGateway, type TestGateway } from './support/gateway.ts';

const LIMIT = 5;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    RATE_LIMIT_UNKNOWN_KEYS_PER_MINUTE: String(LIMIT),
    TRUST_PROXY: '127.0.0.1',
  });
});
afterAll(() => gateway.stop());

const from = (address: string, key: string) =>
  gateway.send('GET', '/api/v1/key', { key, headers: { 'X-Forwarded-For': address } });

describe('unknown keys', () => {
  it('are rejected without a query once an address has sent too many', async () => {
    const good = gateway.keys.secretKey;
    expect((await from('192.0.2.1', good)).status).toBe(200);
    for (let n = 0; n < LIMIT; n += 1) expectError(await from('192.0.2.1', newKey('secret')), 401, 'invalid_key');
    const rejected = await from('192.0.2.1', newKey('secret'));
    expectError(rejected, 429, 'rate_limited');
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(rejected.headers.get('x-ratelimit-remaining')).toBe('0');
    const seconds = Number(rejected.headers.get('retry-after'));
    expect(rejected.json.error.message).toBe(
      `Too many invalid API keys from this address. Retry after ${seconds} seconds.`,
    );
    expect(rejected.json.error.details).toEqual({ retryAfter: seconds });
    // Known keys and other addresses still work; a wrong checksum never costs a query.
    expect((await from('192.0.2.1', good)).status).toBe(200);
    expectError(await from('192.0.2.1', `lectern_sk_${randomBytes(9).toString('hex')}`), 401, 'invalid_key');
    expectError(await from('192.0.2.2', newKey('secret')), 401, 'invalid_key');
  });

  it('are rejected even if all of them arrive at once', async () => {
    const keys = Array.from({ length: 40 }, () => newKey('secret'));
    const statuses = await Promise.all(keys.map(async (key) => (await from('192.0.2.4', key)).status));
    expect(statuses.filter((status) => status === 401)).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 429)).toHaveLength(keys.length - LIMIT);
  });

  it('do not count if the key exists, however many requests use it at once', async () => {
    const pair = await createKeyPair(gateway.db, gateway.keys.teamId, 'busy');
    const requests = Array.from({ length: 40 }, () => from('192.0.2.5', pair.secretKey));
    for (const { status } of await Promise.all(requests)) expect(status).toBe(200);
    expectError(await from('192.0.2.5', newKey('secret')), 401, 'invalid_key');
  });

  it('do not lock out valid keys that share their address', async () => {
    for (let n = 0; n < LIMIT; n += 1) await from('192.0.2.6', newKey('secret'));
    const names = Array.from({ length: 20 }, (_, n) => `neighbor ${n}`);
    const pairs = await Promise.all(names.map((name) => createKeyPair(gateway.db, gateway.keys.teamId, name)));
    const sentKeys = pairs.flatMap(({ secretKey }) => [secretKey, newKey('secret')]);
    const statuses = await Promise.all(sentKeys.map(async (key) => (await from('192.0.2.6', key)).status));
    expect(statuses).toEqual(pairs.flatMap(() => [200, 429]));
  });

  it('are limited by default', async () => {
    const replica = await gateway.startReplica({ RATE_LIMIT_UNKNOWN_KEYS_PER_MINUTE: '' });
    const describeKey = (key: string) => send(replica.url, key, 'GET', '/api/v1/key', {});
    expect((await describeKey(gateway.keys.secretKey)).status).toBe(200);
    const keys = Array.from({ length: 300 }, () => newKey('publishable'));
    const statuses = await Promise.all(keys.map(async (key) => (await describeKey(key)).status));
    expect(statuses).toContain(429);
    expect((await describeKey(gateway.keys.secretKey)).status).toBe(200);
    await replica.stop();
  });

  it('count once each while they are remembered', async () => {
    const same = newKey('secret');
    for (let n = 0; n < LIMIT + 2; n += 1) expectError(await from('192.0.2.3', same), 401, 'invalid_key');
    const pair = await createKeyPair(gateway.db, gateway.keys.teamId, 'new');
    expect((await from('192.0.2.3', pair.secretKey)).status).toBe(200);
  });
});
