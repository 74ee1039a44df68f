import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestNats, testNats, timeLimit } from '@lectern/testing';
import { createKeyPair, revokeKeyPair } from '#keys/pair-store';
import { expectError } from './support/expect-error.ts';
import { send, startTestGateway, type TestGateway } from './support/gateway.ts';
import type { Replica } from './support/replica.ts';

let nats: TestNats;
let gateway: TestGateway;
let replica: Replica;
beforeAll(async () => {
  nats = await testNats();
  gateway = await startTestGateway({ NATS_URL: nats.url });
  replica = await gateway.startReplica();
});
afterAll(async () => {
  await gateway.stop();
  await nats.stop();
});

const describeKey = (url: string, key: string) => send(url, key, 'GET', '/api/v1/key', {});
const newPair = () => createKeyPair(gateway.db, gateway.keys.teamId, 'x');

/** Returns the milliseconds until the replica rejects the key. */
async function untilRejected(key: string): Promise<number> {
  const revoked = performance.now();
  while ((await describeKey(replica.url, key)).status === 200)
    expect(performance.now() - revoked).toBeLessThan(timeLimit(5_000));
  expectError(await describeKey(replica.url, key), 401, 'invalid_key');
  return performance.now() - revoked;
}

describe('a revocation', () => {
  it('reaches another replica over NATS, long before its cache expires', async () => {
    // Replicas connect in the background, so the first attempts may still use cached keys.
    let fastest = Number.POSITIVE_INFINITY;
    for (let n = 0; n < 5 && fastest > 1_000; n += 1) {
      const pair = await newPair();
      expect((await describeKey(replica.url, pair.secretKey)).status).toBe(200);
      expect((await gateway.send('DELETE', `/api/v1/api-keys/${pair.id}`)).status).toBe(200);
      fastest = Math.min(fastest, await untilRejected(pair.secretKey));
    }
    expect(fastest).toBeLessThan(timeLimit(1_000));
  });

  it('takes effect within five seconds even without an event', async () => {
    const pair = await newPair();
    expect((await describeKey(replica.url, pair.secretKey)).status).toBe(200);
    await revokeKeyPair(gateway.db, pair.id);
    await untilRejected(pair.secretKey);
  });

  it('takes effect within five seconds while NATS is down', async () => {
    await nats.kill();
    const pair = await newPair();
    expect((await describeKey(replica.url, pair.secretKey)).status).toBe(200);
    expect((await gateway.send('DELETE', `/api/v1/api-keys/${pair.id}`)).status).toBe(200);
    await untilRejected(pair.secretKey);
  });
});
