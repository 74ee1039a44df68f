import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKey } from '#keys/format';
import { createKeyPair } from '#keys/pair-store';
import { expectError } from './support/expect-error.ts';
import { send, startTestGateway, type TestGateway } from './support/gateway.ts';
import type { Replica } from './support/replica.ts';
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts';

let gateway: TestGateway;
let proxies: TcpProxy[];
let replicas: Replica[];
beforeAll(async () => {
  gateway = await startTestGateway();
  const databaseUrl = new URL(gateway.databaseUrl);
  const target = Number(databaseUrl.port);
  proxies = await Promise.all([startTcpProxy(target), startTcpProxy(target)]);
  replicas = await Promise.all(
    proxies.map(({ port }) => {
      databaseUrl.port = String(port);
      return gateway.startReplica({ DATABASE_URL: databaseUrl.href });
    }),
  );
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all(proxies.map((proxy) => proxy.cut()));
});

const search = (url: string, key: string) =>
  send(url, key, 'POST', '/api/v1/search', { json: { query: 'x' }, headers: { 'Content-Type': 'application/json' } });

describe('replicas without PostgreSQL', () => {
  it('accept cached keys within their share of the limit, without a 5xx', async () => {
    const perMinute = 120;
    const { secretKey } = await createKeyPair(gateway.db, gateway.keys.teamId, 'x', { rateLimitPerMinute: perMinute });
    for (const { url } of replicas) expect((await search(url, secretKey)).status).toBe(200);
    await Promise.all(proxies.map((proxy) => proxy.cut()));
    const started = performance.now();
    let admitted = 0;
    let rejected = 0;
    // Longer than a key is cached.
    while (performance.now() - started < 7_000) {
      for (const response of await Promise.all(replicas.map(({ url }) => search(url, secretKey)))) {
        if (response.status === 200) admitted += 1;
        else {
          expectError(response, 429, 'rate_limited');
          expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
          rejected += 1;
        }
      }
    }
    expect(rejected).toBeGreaterThan(0);
    expect(admitted).toBeGreaterThan(perMinute / 2);
    expect(admitted).toBeLessThanOrEqual(perMinute * 1.01 + (perMinute / 60) * 8);
    // An unknown key cannot be checked.
    expectError(await search(replicas[0]!.url, newKey('secret')), 503, 'unavailable');
    await Promise.all(proxies.map((proxy) => proxy.repair()));
    const fresh = await createKeyPair(gateway.db, gateway.keys.teamId, 'y');
    expect((await search(replicas[0]!.url, fresh.secretKey)).status).toBe(200);
  });
});
