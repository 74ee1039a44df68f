import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { itIf } from '@lectern/testing/skip';
import { createKeyPair } from '#keys/pair-store';
import { rateOf } from '#limits/rate';
import { createRedisStore } from '#limits/redis-store';
import { expectError } from './support/expect-error.ts';
import { send, startTestGateway, type TestGateway } from './support/gateway.ts';
import { type RedisServer, startRedisServer } from './support/redis-server.ts';
import type { Replica } from './support/replica.ts';

/** The URL of a real Redis server to test in addition to the fake one. */
const REAL = process.env.LECTERN_TEST_REDIS_URL;

let server: RedisServer;
let gateway: TestGateway;
let replicas: Replica[];
beforeAll(async () => {
  server = await startRedisServer();
  gateway = await startTestGateway();
  const env = { REDIS_URL: server.url };
  replicas = await Promise.all([gateway.startReplica(env), gateway.startReplica(env)]);
});
afterAll(() => gateway.stop());

const PER_MINUTE = 60;
const pairOf = () => createKeyPair(gateway.db, gateway.keys.teamId, 'x', { rateLimitPerMinute: PER_MINUTE });

/** Sends requests to both replicas in turn and returns how many were admitted. */
async function admittedOf(key: string, total: number): Promise<number> {
  const responses = await Promise.all(
    Array.from({ length: total }, (_, n) => send(replicas[n % 2]!.url, key, 'GET', '/api/v1/key', {})),
  );
  for (const response of responses) if (response.status !== 200) expectError(response, 429, 'rate_limited');
  return responses.filter(({ status }) => status === 200).length;
}

describe.each(['fake server', 'LECTERN_TEST_REDIS_URL'])('buckets in a Redis-compatible server (%s)', (which) => {
  const isFake = which === 'fake server';
  itIf(isFake || REAL !== undefined, 'LECTERN_TEST_REDIS_URL is not set')(
    'grant requests, accept returned ones and refill over time',
    async () => {
      const store = createRedisStore({ url: isFake ? server.url : REAL!, timeoutMs: 2_000 });
      const demand = { name: `test-${Date.now()}`, rate: rateOf(600), needed: 1, wanted: 100 };
      const first = await store.take(demand);
      // A lease is at most 1/32 of the remaining requests.
      expect(first.granted).toBe(18);
      expect(first.tatUs - first.nowUs).toBe(18 * 100_000);
      expect((await store.take({ ...demand, needed: 500, wanted: 500 })).granted).toBe(500);
      const { granted } = await store.take({ ...demand, needed: 500, wanted: 500 });
      expect(granted).toBeGreaterThanOrEqual(82);
      expect(granted).toBeLessThan(90);
      expect((await store.take(demand)).granted).toBeLessThan(5);
      await store.giveBack([{ name: demand.name, us: 10 * 100_000 }]);
      const last = await store.take({ ...demand, needed: 20, wanted: 20 });
      expect(last.granted).toBeGreaterThanOrEqual(9);
      expect(last.granted).toBeLessThan(20);
      await store.close();
    },
  );
});

describe('two gateways with REDIS_URL', () => {
  it('share their limits', async () => {
    const { secretKey } = await pairOf();
    const admitted = await admittedOf(secretKey, 200);
    expect(admitted).toBeGreaterThanOrEqual(PER_MINUTE - 2);
    expect(admitted).toBeLessThanOrEqual(PER_MINUTE + 5);
    // Nothing is stored in PostgreSQL.
    expect(await gateway.db.rateBucket.count()).toBe(0);
  });

  it('fall back to their local shares once it is killed, without a 5xx', async () => {
    const { secretKey } = await pairOf();
    await server.kill();
    const admitted = await admittedOf(secretKey, 200);
    expect(admitted).toBeGreaterThan(PER_MINUTE / 2);
    expect(admitted).toBeLessThanOrEqual(PER_MINUTE + 5);
  });
});
