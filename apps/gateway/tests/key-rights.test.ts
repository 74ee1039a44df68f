import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RIGHTS, type Right } from '@lectern/api-spec';
import { timeLimit, waitUntil } from '@lectern/testing';
import { createKeyPair, type NewKeyPair, type PairSettings } from '#keys/pair-store';
import { parseEvents } from './support/events.ts';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { connectMcp } from './support/mcp-client.ts';
import { signInAs } from './support/people.ts';
import { KNOWN } from './support/records.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => gateway.stop());

const KEYS = '/api/v1/api-keys';
const LIMIT_MS = 5_000;

const pairWith = (settings: Partial<PairSettings>): Promise<NewKeyPair> =>
  createKeyPair(gateway.db, gateway.keys.teamId, 'limited', settings);
const from = (address: string) => ({ 'X-Forwarded-For': address });
const search = (key: string, headers: Record<string, string> = {}) =>
  gateway.send('POST', '/api/v1/search', { key, headers, json: { query: 'leave' } });

/** Sends a request until its status changes. */
async function untilStatus(send: () => Promise<{ readonly status: number }>, status: number): Promise<void> {
  await waitUntil(async () => (await send()).status === status, { what: `status ${status}`, timeoutMs: LIMIT_MS });
}

describe('the rights of a key', () => {
  it('are all rights by default', async () => {
    const created = await gateway.send('POST', KEYS, { json: { name: 'Default' } });
    expect(created.json.data).toMatchObject({ rights: RIGHTS, allowed_ips: [] });
    const own = await gateway.send('GET', '/api/v1/key', { key: created.json.data.secretKey });
    expect(own.json.data).toMatchObject({ kind: 'secret', rights: RIGHTS, user: null });
    const published = await gateway.send('GET', '/api/v1/key', { key: created.json.data.publishableKey });
    expect(published.json.data.rights).toEqual(['search', 'documents:read']);
  });

  it('name the missing right and where to change it', async () => {
    const { secretKey } = await pairWith({ rights: ['search'] });
    const response = await gateway.send('DELETE', `/api/v1/documents/${KNOWN.document}`, { key: secretKey });
    expectError(response, 403, 'forbidden', 'does not have the right "documents:write"');
    expect(response.json.error.message).toMatch(/Keys page.*PUT \/api\/v1\/api-keys/);
  });

  it('are stored once each, in a fixed order', async () => {
    const json = { name: 'Order', rights: ['keys', 'search', 'keys'] };
    expect((await gateway.send('POST', KEYS, { json })).json.data.rights).toEqual(['search', 'keys']);
  });

  it.each([
    [{ rights: [] }, 'rights'],
    [{ rights: ['everything'] }, 'rights[0]'],
    [{ rights: null }, 'rights'],
    [{ allowed_ips: ['10.0.0.0/33'] }, 'allowed_ips[0]'],
    [{ allowed_ips: ['10.0.0.1', 'example.com'] }, 'allowed_ips[1]'],
    [{ allowed_ips: Array.from({ length: 101 }, (_, at) => `10.0.0.${at}`) }, 'allowed_ips'],
  ])('are rejected as %j', async (fields, path) => {
    const response = await gateway.send('POST', KEYS, { json: { name: 'Invalid', ...fields } });
    expectError(response, 400, 'invalid_request');
    expect(response.json.error.details.issues[0].path).toBe(path);
  });

  it('take effect within five seconds, for open streams too', async () => {
    const { id, secretKey } = await pairWith({});
    gateway.services.chat = async function* (call) {
      yield { id: 'msg_1.0.0', event: { $case: 'messageStart', value: { id: 'msg_1', conversationId: 'conv_1' } } };
      await new Promise((resolve) => call.signal.addEventListener('abort', resolve, { once: true }));
    };
    const stream = await fetch(`${gateway.url}/api/v1/teams/${gateway.keys.teamId}/chat/stream`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Service-Key': secretKey },
      body: JSON.stringify({ message: 'Leave?' }),
    });
    // Directly in the database, as if another replica had changed it and its event were lost.
    await gateway.db.keyPair.update({ where: { id }, data: { rights: ['search'] } });
    const started = performance.now();
    const events = parseEvents(await stream.text());
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'forbidden' } });
    expect(performance.now() - started).toBeLessThan(timeLimit(LIMIT_MS));
    await untilStatus(() => gateway.send('GET', '/api/v1/models', { key: secretKey }), 403);
    expect((await search(secretKey)).status).toBe(200);
  });

  it('let only a key with the right agents chat with an agent', async () => {
    const json = { message: 'Leave?', agentId: KNOWN.agent };
    const path = `/api/v1/teams/${gateway.keys.teamId}/chat`;
    const { secretKey } = await pairWith({ rights: ['chat'] });
    for (const end of ['', '/stream'])
      expectError(await gateway.send('POST', path + end, { key: secretKey, json }), 403, 'forbidden', '"agents"');
    const both = await pairWith({ rights: ['chat', 'agents'] });
    expect((await gateway.send('POST', path, { key: both.secretKey, json })).status).toBe(200);
  });

  it('limit the tools of MCP', async () => {
    const { secretKey } = await pairWith({ rights: ['search'] });
    const client = await connectMcp(gateway.url, { 'X-Service-Key': secretKey });
    expect((await client.callTool({ name: 'search', arguments: { query: 'leave' } })).isError).not.toBe(true);
    for (const [name, args, right] of [
      ['ask', { question: 'Leave?' }, 'chat'],
      ['get_document', { id: KNOWN.document }, 'documents:read'],
      ['list_collections', {}, 'documents:read'],
    ] as const) {
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError).toBe(true);
      expect(JSON.stringify(result.content)).toContain(right);
    }
    await client.close();
  });
});

describe('a key that manages keys', () => {
  const narrow: readonly Right[] = ['search', 'keys'];
  const as = (key: string, method: string, path: string, json?: unknown) =>
    gateway.send(method, path, { key, headers: from('10.1.2.3'), ...(json === undefined ? {} : { json }) });

  it('gives new keys its own rights and addresses', async () => {
    const { secretKey } = await pairWith({ rights: [...narrow], allowedIps: ['10.0.0.0/8'] });
    const created = await as(secretKey, 'POST', KEYS, { name: 'New' });
    expect(created.json.data).toMatchObject({ rights: narrow, allowed_ips: ['10.0.0.0/8'] });
    const fewer = await as(secretKey, 'POST', KEYS, { name: 'New', rights: ['search'], allowed_ips: ['10.1.0.0/16'] });
    expect(fewer.json.data).toMatchObject({ rights: ['search'], allowed_ips: ['10.1.0.0/16'] });
  });

  it.each([
    [{ rights: ['search', 'chat'] }, '"chat"'],
    [{ allowed_ips: [] }, '10.0.0.0/8'],
    [{ allowed_ips: ['10.0.0.0/7'] }, '10.0.0.0/8'],
    [{ allowed_ips: ['10.1.0.0/16', '192.0.2.1'] }, '10.0.0.0/8'],
    [{ allowed_ips: ['::/0'] }, '10.0.0.0/8'],
  ])('cannot create or change one to have %j', async (fields, message) => {
    const { secretKey } = await pairWith({ rights: [...narrow], allowedIps: ['10.0.0.0/8'] });
    const own = { rights: ['search'], allowedIps: ['10.0.0.0/8'] };
    const { id } = await pairWith(own);
    expectError(await as(secretKey, 'POST', KEYS, { name: 'New', ...fields }), 403, 'forbidden', message);
    expectError(await as(secretKey, 'PUT', `${KEYS}/${id}`, fields), 403, 'forbidden', message);
    expect(await gateway.db.keyPair.findUnique({ where: { id } })).toMatchObject(own);
  });

  it('cannot rotate or change a key that does more, because the response contains the new keys', async () => {
    const { secretKey } = await pairWith({ rights: [...narrow] });
    const { id, secretKey: wide } = await pairWith({});
    expectError(await as(secretKey, 'POST', `${KEYS}/${id}/rotate`), 403, 'forbidden', '"chat"');
    expectError(await as(secretKey, 'PUT', `${KEYS}/${id}`, { name: 'Renamed' }), 403, 'forbidden', '"chat"');
    expect((await search(wide)).status).toBe(200);
    // It may end access, and narrow a key to its own rights.
    expect((await as(secretKey, 'PUT', `${KEYS}/${id}`, { rights: ['search'] })).status).toBe(200);
    expect((await as(secretKey, 'DELETE', `${KEYS}/${id}`)).status).toBe(200);
  });

  it('cannot use what another replica still knows about it', async () => {
    const { id, secretKey } = await pairWith({});
    expect((await as(secretKey, 'GET', KEYS)).status).toBe(200);
    for (const data of [{ allowedIps: ['10.0.0.0/8'] }, { rights: ['keys'] }]) {
      await gateway.db.keyPair.update({ where: { id }, data });
      expectError(await as(secretKey, 'POST', KEYS, { name: 'Wide' }), 403, 'forbidden', 'narrowed');
      const json = { email: 'mallory@example.com', role: 'admin' };
      expectError(await as(secretKey, 'POST', '/api/v1/invitations', json), 403, 'forbidden');
      await gateway.db.keyPair.update({ where: { id }, data: { allowedIps: [], rights: [...RIGHTS] } });
    }
  });

  it('cannot widen itself', async () => {
    const { id, secretKey } = await pairWith({ rights: [...narrow] });
    expectError(await as(secretKey, 'PUT', `${KEYS}/${id}`, { rights: [...RIGHTS] }), 403, 'forbidden');
  });

  it('cannot rotate an older pair whose publishable key reads every document', async () => {
    const { secretKey } = await pairWith({ rights: ['keys'] });
    const { id } = await pairWith({ rights: ['keys'] });
    await gateway.db.keyPair.update({ where: { id }, data: { publishableReads: 'all' } });
    expectError(await as(secretKey, 'POST', `${KEYS}/${id}/rotate`), 403, 'forbidden', '"search"');
    expectError(await as(secretKey, 'PUT', `${KEYS}/${id}`, { name: 'Renamed' }), 403, 'forbidden', '"search"');
  });

  it('cannot remove its own limits, and gives them to new keys', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const { id, secretKey } = await pairWith({ rateLimitPerMinute: 100, expiresAt });
    for (const json of [{ rate_limit_per_minute: null }, { rate_limit_per_minute: 101 }, { expires_at: null }]) {
      const [name = ''] = Object.keys(json);
      expectError(await as(secretKey, 'PUT', `${KEYS}/${id}`, json), 403, 'forbidden', `"${name}"`);
      expectError(await as(secretKey, 'POST', KEYS, { name: 'New', ...json }), 403, 'forbidden', `"${name}"`);
    }
    const { data } = (await as(secretKey, 'POST', KEYS, { name: 'New' })).json;
    expect(data).toMatchObject({ rate_limit_per_minute: 100, expires_at: expiresAt.toISOString() });
    expectError(await as(secretKey, 'PUT', `/api/v1/budgets/${id}`, { hardTokens: 9 }), 403, 'forbidden', 'own budget');
  });

  it('loses the links it created when it no longer has all rights', async () => {
    const { id, secretKey } = await pairWith({});
    const json = { email: 'links-of-a-key@example.com', role: 'admin' };
    expect((await as(secretKey, 'POST', '/api/v1/invitations', json)).status).toBe(201);
    expect((await gateway.send('PUT', `${KEYS}/${id}`, { json: { name: 'Renamed' } })).status).toBe(200);
    expect(await gateway.db.accountLink.count({ where: { createdBy: id } })).toBe(1);
    expect((await gateway.send('PUT', `${KEYS}/${id}`, { json: { rights: ['keys'] } })).status).toBe(200);
    expect(await gateway.db.accountLink.count({ where: { createdBy: id } })).toBe(0);
  });

  it('cannot give somebody an account, which could do more', async () => {
    for (const settings of [{ rights: [...narrow] }, { allowedIps: ['10.0.0.0/8'] }]) {
      const { secretKey } = await pairWith(settings);
      const json = { email: 'mallory@example.com', role: 'admin' };
      expectError(await as(secretKey, 'POST', '/api/v1/invitations', json), 403, 'forbidden', 'all rights');
      const reset = `/api/v1/people/${KNOWN.person}/password-reset`;
      expectError(await as(secretKey, 'POST', reset), 403, 'forbidden', 'all rights');
      const person = `/api/v1/people/${KNOWN.person}`;
      expectError(await as(secretKey, 'PUT', person, { role: 'admin' }), 403, 'forbidden', 'all rights');
    }
  });

  it('is not needed by a signed-in admin', async () => {
    const { headers } = await signInAs(gateway.db, gateway.keys.teamId, 'admin');
    const { id } = await pairWith({ rights: ['search'] });
    const changed = await gateway.send('PUT', `${KEYS}/${id}`, { key: null, headers, json: { rights: [...RIGHTS] } });
    expect(changed.json.data.rights).toEqual(RIGHTS);
  });
});

describe('the allowed addresses of a key', () => {
  it('are normalized', async () => {
    const json = { name: 'Normal', allowed_ips: ['10.1.2.3/8', '::ffff:192.0.2.1', '2001:DB8::/32', '10.0.0.0/8'] };
    const { data } = (await gateway.send('POST', KEYS, { json })).json;
    expect(data.allowed_ips).toEqual(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']);
  });

  it('apply to both keys, by the address that a trusted proxy reports', async () => {
    const { secretKey, publishableKey } = await pairWith({ allowedIps: ['10.0.0.0/8', '2001:db8::/32'] });
    for (const key of [secretKey, publishableKey]) {
      for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::7']) {
        expect((await search(key, from(address))).status).toBe(200);
      }
      for (const address of ['11.0.0.1', '2001:db9::7', '10.1.2.3, 192.0.2.1']) {
        expectError(await search(key, from(address)), 403, 'forbidden', 'Address not allowed');
      }
      expect((await search(key)).status).toBe(403);
    }
  });

  it('do not let others use up the rate limit', async () => {
    const { secretKey } = await pairWith({ allowedIps: ['10.0.0.0/8'], rateLimitPerMinute: 2 });
    for (let n = 0; n < 5; n += 1) expect((await search(secretKey, from('192.0.2.1'))).status).toBe(403);
    expect((await search(secretKey, from('10.0.0.1'))).status).toBe(200);
  });

  it('take effect within five seconds', async () => {
    const { id, secretKey } = await pairWith({});
    expect((await search(secretKey, from('192.0.2.1'))).status).toBe(200);
    await gateway.db.keyPair.update({ where: { id }, data: { allowedIps: ['10.0.0.0/8'] } });
    await untilStatus(() => search(secretKey, from('192.0.2.1')), 403);
    expect((await search(secretKey, from('10.0.0.1'))).status).toBe(200);
  });
});
