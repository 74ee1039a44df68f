import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lectern/service-kit';
import { timeLimit, waitUntil } from '@lectern/testing';
import { newKey } from '#keys/format';
import { createKeyPair, type NewKeyPair, type PairSettings, rotateKeyPair } from '#keys/pair-store';
import { purgeUserTokens } from '#keys/user-token-store';
import { parseEvents } from './support/events.ts';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { signInAs } from './support/people.ts';
import { KNOWN } from './support/records.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => gateway.stop());

const TOKENS = '/api/v1/user-tokens';
const LIMIT_MS = 5_000;
const user = 'ada@example.com';
const filters = { 'metadata.department': 'HR' };

const pairWith = (settings: Partial<PairSettings> = {}): Promise<NewKeyPair> =>
  createKeyPair(gateway.db, gateway.keys.teamId, 'tokens', settings);
const createToken = (json: Record<string, unknown> = {}, key = gateway.keys.secretKey) =>
  gateway.send('POST', TOKENS, { key, json: { user, ...json } });
async function tokenOf(json: Record<string, unknown> = {}, key?: string): Promise<string> {
  const response = await createToken(json, key);
  expect(response.status).toBe(201);
  return response.json.data.token;
}
const search = (key: string, headers: Record<string, string> = {}, more: Record<string, unknown> = {}) =>
  gateway.send('POST', '/api/v1/search', { key, headers, json: { query: 'leave', ...more } });
const chatPath = (rest = 'chat') => `/api/v1/teams/${gateway.keys.teamId}/${rest}`;
const chat = (key: string, headers: Record<string, string> = {}) =>
  gateway.send('POST', chatPath(), { key, headers, json: { message: 'Leave?' } });
const callerOfLastCall = () => gateway.services.calls.at(-1)!.caller;

async function untilError(send: () => ReturnType<typeof search>, status: number, code: string): Promise<void> {
  let response = await send();
  const hasFailed = async () => {
    if (response.status === 200) response = await send();
    return response.status !== 200;
  };
  await waitUntil(hasFailed, { what: `status ${status}`, timeoutMs: LIMIT_MS });
  expectError(response, status, code);
}

describe('a user token', () => {
  it('is created with the scope, the filters and the rights of the request', async () => {
    const json = { user: 'Ada@Example.com', collections: [KNOWN.collection], filters, rights: ['chat', 'search'] };
    const before = Date.now();
    const { status, json: body } = await createToken({ ...json, expiresIn: 60 });
    const after = Date.now();
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^utk_/),
      token: expect.stringMatching(/^lectern_ut_/),
      user,
      collections: [KNOWN.collection],
      filters,
      rights: ['search', 'chat'],
      expiresAt: expect.any(String),
    });
    const expiresAt = Date.parse(body.data.expiresAt);
    expect(expiresAt).toBeGreaterThanOrEqual(before + 60_000);
    expect(expiresAt).toBeLessThanOrEqual(after + 60_000);
    const stored = await gateway.db.userToken.findUnique({ where: { id: body.data.id } });
    expect(JSON.stringify(stored)).not.toContain(body.data.token.slice(11, 40));
    const own = await gateway.send('GET', '/api/v1/key', { key: body.data.token });
    expect(own.json.data).toMatchObject({
      kind: 'user_token',
      user,
      person: null,
      rights: ['search', 'chat'],
      allow_all_collections: false,
      allowed_collections: [KNOWN.collection],
      expires_at: body.data.expiresAt,
    });
  });

  it('can search for an hour by default', async () => {
    const before = Date.now();
    const { json } = await createToken();
    const after = Date.now();
    expect(json.data).toMatchObject({ rights: ['search'], collections: null, filters: null });
    const expiresAt = Date.parse(json.data.expiresAt);
    expect(expiresAt).toBeGreaterThanOrEqual(before + 3_600_000);
    expect(expiresAt).toBeLessThanOrEqual(after + 3_600_000);
  });

  it.each([
    [{ user: 'ada' }, 'user'],
    [{ collections: [] }, 'collections'],
    [{ collections: [newId('collection')] }, 'collections[0]'],
    [{ collections: [KNOWN.collection, 'nonsense'] }, 'collections[1]'],
    [{ filters: { autor: 'Ada' } }, 'filters.autor'],
    [{ filters: { author: { $like: 'A' } } }, 'filters.author.$like'],
    [{ filters: { author: 'x'.repeat(5_000) } }, 'filters'],
    [{ rights: [] }, 'rights'],
    [{ rights: ['agents'] }, 'rights[0]'],
    [{ expiresIn: 59 }, 'expiresIn'],
    [{ expiresIn: 86_401 }, 'expiresIn'],
  ])('is rejected as %j', async (fields, path) => {
    const response = await createToken(fields);
    expectError(response, 400, 'invalid_request');
    expect(response.json.error.details.issues[0].path).toBe(path);
  });

  it('makes requests of its user, with its collections and its filters', async () => {
    const token = await tokenOf({ collections: [KNOWN.collection], filters, rights: ['search', 'chat'] });
    expect((await search(token)).status).toBe(200);
    const caller = {
      teamId: gateway.keys.teamId,
      keyId: gateway.keys.id,
      userEmail: user,
      scope: { kind: 'only', ids: [KNOWN.collection] },
      filters,
    };
    expect(callerOfLastCall()).toEqual(caller);
    expect((await chat(token)).status).toBe(200);
    expect(callerOfLastCall()).toEqual(caller);
    // Filters of the request are separate, so they cannot replace those of the token.
    await search(token, {}, { filters: { 'metadata.department': 'Legal' } });
    expect(callerOfLastCall()).toEqual(caller);
  });

  it('reads as its user even without filters', async () => {
    await search(await tokenOf());
    expect(callerOfLastCall()).toEqual({
      teamId: gateway.keys.teamId,
      keyId: gateway.keys.id,
      userEmail: user,
      scope: { kind: 'all' },
    });
  });

  it('cannot act for another user, sign requests or create tokens', async () => {
    const token = await tokenOf({ rights: ['search', 'chat'] });
    expectError(await search(token, { 'X-Service-User': 'bob@example.com' }), 403, 'forbidden');
    expectError(await createToken({}, token), 403, 'forbidden');
    expectError(await createToken({}, gateway.keys.publishableKey), 403, 'forbidden');
    const { headers } = await signInAs(gateway.db, gateway.keys.teamId, 'owner');
    expectError(await gateway.send('POST', TOKENS, { key: null, headers, json: { user } }), 403, 'forbidden');
    const asUser = { 'X-Service-User': user };
    expectError(await gateway.send('POST', TOKENS, { headers: asUser, json: { user } }), 403, 'forbidden');
  });

  it('needs its own right and that of its key', async () => {
    expectError(await chat(await tokenOf()), 403, 'forbidden', 'This user token does not have the right "chat"');
    expectError(
      await search(await tokenOf({ rights: ['chat'] })),
      403,
      'forbidden',
      'This user token does not have the right "search"',
    );
    const { id, secretKey } = await pairWith();
    const token = await tokenOf({ rights: ['search', 'chat'] }, secretKey);
    const json = { rights: ['search'] };
    expect((await gateway.send('PUT', `/api/v1/api-keys/${id}`, { json })).status).toBe(200);
    expectError(await chat(token), 403, 'forbidden', 'created this user token does not have the right "chat"');
    expect((await search(token)).status).toBe(200);
    expectError(await createToken({ rights: ['chat'] }, secretKey), 403, 'forbidden', '"chat"');
    expectError(
      await gateway.send('GET', `/api/v1/documents/${KNOWN.document}`, { key: token }),
      403,
      'forbidden',
      '"documents:read"',
    );
  });

  it('never has more collections than its key has now', async () => {
    const { id, secretKey } = await pairWith();
    const all = await tokenOf({}, secretKey);
    const one = await tokenOf({ collections: [KNOWN.collection] }, secretKey);
    const other = newId('collection');
    const data = { allowAllCollections: false, allowedCollections: [other] };
    await gateway.db.keyPair.update({ where: { id }, data });
    await search(all);
    expect(callerOfLastCall().scope).toEqual({ kind: 'only', ids: [other] });
    await search(one);
    expect(callerOfLastCall().scope).toEqual({ kind: 'only', ids: [] });
    const { secretKey: limited } = await pairWith(data);
    expectError(await createToken({ collections: [KNOWN.collection] }, limited), 403, 'forbidden');
  });

  it('works only where the publishable key works', async () => {
    const { secretKey } = await pairWith({ allowedHosts: ['example.com'], allowedIps: ['127.0.0.1', '10.0.0.0/8'] });
    const token = await tokenOf({}, secretKey);
    const allowed = await search(token, { Origin: 'https://example.com' });
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, 'https://example.com']);
    const foreign = await search(token, { Origin: 'https://attacker.example' });
    expectError(foreign, 403, 'forbidden', 'Host not allowed');
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    expectError(await search(token), 403, 'forbidden', 'Host not allowed');
    const elsewhere = { Origin: 'https://example.com', 'X-Forwarded-For': '192.0.2.1' };
    expectError(await search(token, elsewhere), 403, 'forbidden', 'Address not allowed');
  });
});

describe('the end of a user token', () => {
  it('is its expiry', async () => {
    const { json } = await createToken();
    await gateway.db.userToken.update({ where: { id: json.data.id }, data: { expiresAt: new Date(Date.now() - 1) } });
    expectError(await search(json.data.token), 401, 'key_expired', 'user token');
  });

  it.each<[string, string, (pair: NewKeyPair) => Promise<unknown>]>([
    ['the revocation of its key', 'invalid_key', ({ id }) => gateway.send('DELETE', `/api/v1/api-keys/${id}`)],
    [
      'the revocation of its key elsewhere without an event',
      'invalid_key',
      ({ id }) => gateway.db.keyPair.update({ where: { id }, data: { revokedAt: new Date() } }),
    ],
    ['the rotation of its key', 'invalid_key', ({ id }) => gateway.db.$transaction((tx) => rotateKeyPair(tx, id, 0))],
    [
      'the expiry of its key',
      'key_expired',
      ({ id }) => gateway.db.keyPair.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } }),
    ],
  ])('is %s, within five seconds and for open streams', async (_name, code, end) => {
    const pair = await pairWith();
    const token = await tokenOf({ rights: ['search', 'chat'] }, pair.secretKey);
    expect((await search(token)).status).toBe(200);
    const { chat: usual } = gateway.services;
    gateway.services.chat = async function* (call) {
      yield { id: 'msg_1.0.0', event: { $case: 'messageStart', value: { id: 'msg_1', conversationId: 'conv_1' } } };
      await new Promise((resolve) => call.signal.addEventListener('abort', resolve, { once: true }));
    };
    const stream = await fetch(gateway.url + chatPath('chat/stream'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ message: 'Leave?' }),
    });
    expect(stream.status).toBe(200);
    const started = performance.now();
    await end(pair);
    const events = parseEvents(await stream.text());
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { code, retryable: false } });
    expect(performance.now() - started).toBeLessThan(timeLimit(LIMIT_MS));
    gateway.services.chat = usual;
    await untilError(() => search(token), 401, code);
  });

  it('deletes its row a day later', async () => {
    const { json } = await createToken();
    const { id } = json.data;
    const expiresAt = new Date(Date.now() - 25 * 3_600_000);
    await gateway.db.userToken.update({ where: { id }, data: { expiresAt } });
    await purgeUserTokens(gateway.db);
    expect(await gateway.db.userToken.findUnique({ where: { id } })).toBeNull();
  });

  it('is not the end of another token', async () => {
    expectError(await search(newKey('userToken')), 401, 'invalid_key');
    const [one, other] = [await createToken(), await tokenOf()];
    await gateway.db.userToken.delete({ where: { id: one.json.data.id } });
    expect((await search(other)).status).toBe(200);
  });
});

describe('an Idempotency-Key', () => {
  const key = () => ({ 'Idempotency-Key': newKey('link') });

  it('replays a chat only to tokens with the same user, scope and filters', async () => {
    const headers = key();
    const rights = ['search', 'chat'];
    const [first, renewed] = [await tokenOf({ filters, rights }), await tokenOf({ filters, rights })];
    const others = [
      await tokenOf({ rights }),
      await tokenOf({ filters: { 'metadata.department': 'Legal' }, rights }),
      await tokenOf({ filters, rights, collections: [KNOWN.collection] }),
      await tokenOf({ filters, rights, user: 'bob@example.com' }),
    ];
    expect((await chat(first, headers)).headers.get('idempotent-replayed')).toBeNull();
    expect((await chat(renewed, headers)).headers.get('idempotent-replayed')).toBe('true');
    for (const token of others) expect((await chat(token, headers)).headers.get('idempotent-replayed')).toBeNull();
  });

  it('returns the same token to a retry, and stores it encrypted', async () => {
    const headers = key();
    const send = () => gateway.send('POST', TOKENS, { headers, json: { user } });
    const [first, retry] = [await send(), await send()];
    expect(retry.headers.get('idempotent-replayed')).toBe('true');
    expect(retry.json.data).toEqual(first.json.data);
    const rows = await gateway.db.idempotentRequest.findMany();
    for (const { answer } of rows) expect(Buffer.from(answer ?? []).toString()).not.toContain(first.json.data.token);
  });
});
