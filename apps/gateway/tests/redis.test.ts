import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { itIf } from '@lectern/testing/skip';
import { createKeyPair } from '#keys/pair-store';
import { rateOf } from '#limits/rate';
import { createRedisStore } from '#limits/redis-store';
import { send, startTestGateway, type TestGateway } from './support/gateway.ts';
import { type RedisServer, startRedisServer } from './support/redis-server.ts';
import { expectRefusal } from './support/refusal.ts';
import type { Replica } from './support/replica.ts';

/** The address of a real Redis server to test with, besides the fake one. */
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

/** Sends requests to both replicas in turns; answers how many were admitted. */
async function admittedOf(key: string, total: number): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: total }, (_, n) => send(replicas[n % 2]!.url, key, 'GET', '/api/v1/key', {})),
  );
  for (const answer of answers) if (answer.status !== 200) expectRefusal(answer, 429, 'rate_limited');
  return answers.filter(({ status }) => status === 200).length;
}

describe.each(['fake server', 'LECTERN_TEST_REDIS_URL'])('buckets in a Redis-compatible server (%s)', (which) => {
  const isFake = which === 'fake server';
  itIf(isFake || REAL !== undefined, 'LECTERN_TEST_REDIS_URL is not set')(
    'are taken from, given back to and full again in time',
    async () => {
      const store = createRedisStore({ url: isFake ? server.url : REAL!, timeoutMs: 2_000 });
      const demand = { name: `test-${Date.now()}`, rate: rateOf(600), needed: 1, wanted: 100 };
      const first = await store.take(demand);
      // A lease is at most a thirty-second part of what is left.
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
  it('share their limits there', async () => {
    const { secretKey } = await pairOf();
    const admitted = await admittedOf(secretKey, 200);
    expect(admitted).toBeGreaterThanOrEqual(PER_MINUTE - 2);
    expect(admitted).toBeLessThanOrEqual(PER_MINUTE + 5);
    // PostgreSQL knows nothing of it.
    expect(await gateway.db.rateBucket.count()).toBe(0);
  });

  it('go by their shares once it is killed, without a 5xx', async () => {
    const { secretKey } = await pairOf();
    await server.kill();
    const admitted = await admittedOf(secretKey, 200);
    expect(admitted).toBeGreaterThan(PER_MINUTE / 2);
    expect(admitted).toBeLessThanOrEqual(PER_MINUTE + 5);
  });
});
