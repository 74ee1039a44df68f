import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { timeLimit } from '@lectern/testing';
import { hashKey, newKey } from '#keys/format';
import { createKeyPair } from '#keys/pair-store';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.services.calls.length = 0;
});

const PATH = '/api/v1/collections';
const withHeaders = (headers: Record<string, string>) => gateway.send('GET', PATH, { key: null, headers });
const withKey = (key: string) => gateway.send('GET', PATH, { key });
const newPair = () => createKeyPair(gateway.db, gateway.keys.teamId, 'test');
const lastCaller = () => gateway.services.calls.at(-1)?.caller;

describe('a key', () => {
  it('is accepted in either header, whichever kind it is and whatever the case of the scheme', async () => {
    for (const key of [gateway.keys.secretKey, gateway.keys.publishableKey]) {
      expect((await withHeaders({ 'X-Service-Key': key })).status).toBe(200);
      expect((await withHeaders({ Authorization: `Bearer ${key}` })).status).toBe(200);
      expect((await withHeaders({ Authorization: `bearer  ${key}` })).status).toBe(200);
      expect((await withHeaders({ Authorization: `Bearer ${key}`, 'X-Service-Key': key })).status).toBe(200);
    }
  });

  it('is rejected if the request has two different keys', async () => {
    const { secretKey, publishableKey } = gateway.keys;
    const headers = { Authorization: `Bearer ${publishableKey}`, 'X-Service-Key': secretKey };
    expectError(await withHeaders(headers), 401, 'invalid_key');
    expectError(await withHeaders({ 'X-Service-Key': `${secretKey}, ${publishableKey}` }), 401, 'invalid_key');
  });

  it('is required, and other credentials are rejected', async () => {
    const basic = { Authorization: `Basic ${btoa(gateway.keys.secretKey)}` };
    for (const headers of [{}, { Authorization: 'Bearer' }, { 'X-Service-Key': '' }, { 'X-Service-Key': ' ' }, basic]) {
      expectError(await withHeaders(headers), 401, 'unauthorized');
    }
  });

  it('passes its team, pair and scope to the services', async () => {
    await withKey(gateway.keys.secretKey);
    const { teamId, id } = gateway.keys;
    expect(lastCaller()).toEqual({ teamId, keyId: id, scope: { kind: 'all' }, userEmail: undefined });
    const pair = await newPair();
    await gateway.db.keyPair.update({
      where: { id: pair.id },
      data: { allowAllCollections: false, allowedCollections: ['col_1', 'col_2'] },
    });
    await withKey(pair.secretKey);
    expect(lastCaller()).toMatchObject({ keyId: pair.id, scope: { kind: 'only', ids: ['col_1', 'col_2'] } });
  });

  it('is rejected with key_expired after it expires', async () => {
    const pair = await newPair();
    await gateway.db.keyPair.update({ where: { id: pair.id }, data: { expiresAt: new Date(Date.now() - 1) } });
    expectError(await withKey(pair.secretKey), 401, 'key_expired');
    expectError(await withKey(pair.publishableKey), 401, 'key_expired');
  });

  it('is rejected with invalid_key after it is revoked or rotated out', async () => {
    const revoked = await newPair();
    await gateway.db.keyPair.update({ where: { id: revoked.id }, data: { revokedAt: new Date() } });
    expectError(await withKey(revoked.secretKey), 401, 'invalid_key');
    const rotated = await newPair();
    const where = { hash: hashKey(rotated.secretKey) };
    await gateway.db.apiKey.update({ where, data: { retiresAt: new Date(Date.now() - 1) } });
    expectError(await withKey(rotated.secretKey), 401, 'invalid_key');
    expect((await withKey(rotated.publishableKey)).status).toBe(200);
  });

  it('stops working within five seconds of its revocation', async () => {
    const pair = await newPair();
    expect((await withKey(pair.secretKey)).status).toBe(200);
    await gateway.db.keyPair.update({ where: { id: pair.id }, data: { revokedAt: new Date() } });
    const revoked = performance.now();
    while ((await withKey(pair.secretKey)).status === 200) {
      expect(performance.now() - revoked).toBeLessThan(timeLimit(5_000));
    }
    expectError(await withKey(pair.secretKey), 401, 'invalid_key');
  });

  it('is never stored in plain text', async () => {
    const pair = await newPair();
    const rows = JSON.stringify([await gateway.db.apiKey.findMany(), await gateway.db.keyPair.findMany()]);
    expect(rows).not.toContain(pair.secretKey.slice(11, -6));
    expect(rows).toContain(pair.secretKey.slice(-4));
  });
});

describe('a mistyped key', () => {
  it('is rejected without a query', async () => {
    const other = await startTestGateway();
    try {
      await other.db.$executeRaw`ALTER TABLE api_keys RENAME TO renamed`;
      const key = newKey('secret');
      const mistyped = key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21);
      expectError(await other.send('GET', PATH, { key: mistyped }), 401, 'invalid_key');
      expectError(await other.send('GET', PATH, { key }), 500, 'internal_error');
    } finally {
      await other.stop();
    }
  });
});

describe('X-Service-User', () => {
  const as = (user: string, key: string) => gateway.send('GET', PATH, { key, headers: { 'X-Service-User': user } });

  it('is passed to the services in lowercase for a secret key', async () => {
    await as('Ada.Lovelace@Example.COM', gateway.keys.secretKey);
    expect(lastCaller()?.userEmail).toBe('ada.lovelace@example.com');
  });

  it('must be an email address and come with a secret key', async () => {
    for (const user of ['', 'ada', 'ada@', 'a@b@c', `${'x'.repeat(400)}@example.com`]) {
      expectError(await as(user, gateway.keys.secretKey), 400, 'invalid_request', 'X-Service-User');
    }
    expectError(await as('ada@example.com', gateway.keys.publishableKey), 403, 'forbidden');
  });
});
