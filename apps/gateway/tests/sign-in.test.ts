import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lectern/service-kit';
import { timeLimit, waitUntil } from '@lectern/testing';
import { runKeysCommand } from '#cli/run-keys-command';
import { createLink } from '#identity/link-store';
import { hashPassword } from '#identity/passwords';
import { newKey } from '#keys/format';
import { createKeyPair } from '#keys/pair-store';
import { expectError } from './support/expect-error.ts';
import { type SendInit, send, startTestGateway, type TestGateway, type TestResponse } from './support/gateway.ts';
import { signInAs } from './support/people.ts';
import type { Replica } from './support/replica.ts';

const PASSWORD = 'a long enough sentence';

let gateway: TestGateway;
let replica: Replica;
let passwordHash: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  replica = await gateway.startReplica();
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => gateway.stop());

const open = (method: string, path: string, init: SendInit = {}) => gateway.send(method, path, { key: null, ...init });

/** Creates a person who can sign in with `PASSWORD`. */
async function createPerson(role: 'member' | 'editor' | 'admin' | 'owner' = 'member') {
  const id = newId('person');
  const data = { id, teamId: gateway.keys.teamId, email: `${id}@example.com`, name: 'Ada', role, passwordHash };
  return gateway.db.person.create({ data });
}

const signIn = (email: string, password = PASSWORD, headers: Record<string, string> = {}) =>
  open('POST', '/api/v1/session', { json: { email, password }, headers });

/** Returns the `Cookie` header that a browser would send after this response. */
function cookieOf(response: TestResponse): string {
  const [pair = ''] = response.headers.get('set-cookie')?.split(';') ?? [];
  return pair;
}

const whoAmI = (cookie: string, url = gateway.url) =>
  send(url, '', 'GET', '/api/v1/key', { key: null, headers: { Cookie: cookie } });

/** Signs a new person in and returns the cookie. */
async function signedIn(role?: Parameters<typeof createPerson>[0]) {
  const person = await createPerson(role);
  return { person, cookie: cookieOf(await signIn(person.email)) };
}

const newInvitation = async (email = `${newId('person')}@example.com`, role = 'member') => {
  const { json } = await gateway.send('POST', '/api/v1/invitations', { json: { email, role } });
  return { id: String(json.data.id), email, token: String(json.data.url).split('#')[1]! };
};

const useLink = (token: string, body: object = {}) =>
  open('POST', '/api/v1/account-links/use', { json: { token, name: 'Grace', password: PASSWORD, ...body } });

describe('signing in', () => {
  it('sets a cookie that scripts cannot read, and describes the person', async () => {
    const person = await createPerson('editor');
    const response = await signIn(`  ${person.email.toUpperCase()} `);
    expect(response.status).toBe(200);
    expect(response.json.data).toMatchObject({ person: { id: person.id, role: 'editor' }, teamName: 'First team' });
    expect(response.headers.get('set-cookie')).toMatch(
      /^lectern_session=lectern_ss_\w{49}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    );
    const own = await whoAmI(cookieOf(response));
    expect(own.json.data).toMatchObject({ kind: 'session', id: person.id, teamId: person.teamId });
    expect(own.json.data.person.email).toBe(person.email);
  });

  it('gives the same response for a wrong password, an unknown and a deactivated account', async () => {
    const [person, gone] = [await createPerson(), await createPerson()];
    await gateway.db.person.update({ where: { id: gone.id }, data: { status: 'deactivated' } });
    const responses = [
      await signIn(person.email, `${PASSWORD}!`),
      await signIn('unknown@example.com'),
      await signIn(gone.email),
    ];
    for (const response of responses) {
      expectError(response, 401, 'unauthorized', 'email address or the password is wrong');
      expect(response.headers.get('set-cookie')).toBeNull();
    }
    expect(new Set(responses.map(({ json }) => json.error.message)).size).toBe(1);
  });

  it('creates a new session and ends the one that the browser had, so that an attacker cannot plant one', async () => {
    const attacker = await signedIn();
    const victim = await createPerson();
    const response = await signIn(victim.email, PASSWORD, { Cookie: attacker.cookie });
    expect(cookieOf(response)).not.toBe(attacker.cookie);
    expectError(await whoAmI(attacker.cookie), 401, 'unauthorized');
    const planted = `lectern_session=${newKey('session')}`;
    expect(cookieOf(await signIn(victim.email, PASSWORD, { Cookie: planted }))).not.toBe(planted);
    expectError(await whoAmI(planted), 401, 'unauthorized');
  });

  it('ignores two different cookies, because another site could have added one', async () => {
    const [first, second] = [await signedIn(), await signedIn()];
    expectError(await whoAmI(`${first.cookie}; ${second.cookie}`), 401, 'unauthorized');
    expect((await whoAmI(`${first.cookie}; ${first.cookie}`)).status).toBe(200);
  });

  it('rejects sign-in, sign-out and links from pages of other sites', async () => {
    const { email } = await createPerson();
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'https://a.example' },
      { 'X-Lectern-CSRF': '' },
    ]) {
      expectError(await signIn(email, PASSWORD, headers), 403, 'forbidden');
      expectError(await open('DELETE', '/api/v1/session', { headers }), 403, 'forbidden');
      const json = { token: newKey('link'), password: PASSWORD };
      expectError(await open('POST', '/api/v1/account-links/use', { json, headers }), 403, 'forbidden');
    }
  });

  it('is not possible with a session token as a key, or with a key as a session', async () => {
    const { cookie } = await signedIn();
    expectError(await gateway.send('GET', '/api/v1/key', { key: cookie.split('=')[1]! }), 401, 'invalid_key');
    expectError(await whoAmI(`lectern_session=${gateway.keys.secretKey}`), 401, 'unauthorized');
  });
});

describe('a session', () => {
  it('ends on every gateway with sign-out, so that a stolen cookie is useless', async () => {
    const { cookie } = await signedIn();
    expect((await whoAmI(cookie, replica.url)).status).toBe(200);
    const response = await open('DELETE', '/api/v1/session', { headers: { Cookie: cookie } });
    expect(response.json.data).toEqual({ signedOut: true, providerUrl: null });
    expect(response.headers.get('set-cookie')).toContain('lectern_session=; Path=/; Max-Age=0');
    expectError(await whoAmI(cookie), 401, 'unauthorized', 'session has ended');
    const ended = performance.now();
    const isEnded = async () => (await whoAmI(cookie, replica.url)).status === 401;
    await waitUntil(isEnded, { what: 'the session to end', timeoutMs: 60_000, intervalMs: 50 });
    expect(performance.now() - ended).toBeLessThan(timeLimit(5_000));
  });

  it('ends without a request for too long, and at its absolute end', async () => {
    for (const data of [{ lastSeenAt: new Date(Date.now() - 8 * 86_400_000) }, { expiresAt: new Date() }]) {
      const { cookie, person } = await signedIn();
      await gateway.db.session.updateMany({ where: { personId: person.id }, data });
      expectError(await whoAmI(cookie), 401, 'unauthorized', 'session has ended');
    }
  });

  it('follows a change of the role and ends when the person is deactivated', async () => {
    const { cookie, person } = await signedIn('editor');
    const headers = { Cookie: cookie };
    const create = () => open('POST', '/api/v1/collections', { json: { name: 'Handbook' }, headers });
    expect((await create()).status).toBe(201);
    await gateway.send('PUT', `/api/v1/people/${person.id}`, { json: { role: 'member' } });
    expectError(await create(), 403, 'forbidden', 'role editor');
    await gateway.send('PUT', `/api/v1/people/${person.id}`, { json: { status: 'deactivated' } });
    expectError(await whoAmI(cookie), 401, 'unauthorized');
    await gateway.send('PUT', `/api/v1/people/${person.id}`, { json: { status: 'active' } });
    expectError(await whoAmI(cookie), 401, 'unauthorized');
  });

  it('is listed with its browser, and an admin can end it', async () => {
    const { cookie, person } = await signedIn();
    const path = `/api/v1/people/${person.id}/sessions`;
    const { data } = (await gateway.send('GET', path)).json;
    expect(data).toEqual([expect.objectContaining({ ip: '127.0.0.1', isCurrent: false })]);
    expect((await gateway.send('DELETE', path)).json.data).toEqual({ ended: 1 });
    expectError(await whoAmI(cookie), 401, 'unauthorized');
  });

  it('ends everywhere when the person changes the password', async () => {
    const { cookie, person } = await signedIn();
    const json = { email: person.email, password: PASSWORD, newPassword: 'another long sentence' };
    const changed = await open('POST', '/api/v1/session/password', { json, headers: { Cookie: cookie } });
    expectError(await whoAmI(cookie), 401, 'unauthorized');
    expect((await whoAmI(cookieOf(changed))).status).toBe(200);
    expectError(await signIn(person.email), 401, 'unauthorized');
    expect((await signIn(person.email, 'another long sentence')).status).toBe(200);
  });

  it('is recorded in the audit log under the person, without a key', async () => {
    const { cookie, person } = await signedIn('editor');
    await open('POST', '/api/v1/collections', { json: { name: 'Handbook' }, headers: { Cookie: cookie } });
    const { data } = (await gateway.send('GET', '/api/v1/audit?limit=2')).json;
    const actor = { keyId: null, user: person.email, name: 'Ada' };
    expect(data).toEqual([
      expect.objectContaining({ action: 'createCollection', actor }),
      expect.objectContaining({ action: 'signIn', actor, resource: { type: 'person', id: person.id } }),
    ]);
    expect(JSON.stringify(data)).not.toContain('lectern_ss_');
  });
});

describe('an invitation', () => {
  it('creates an account with its role and address, once', async () => {
    const { email, token } = await newInvitation(undefined, 'editor');
    const opened = await open('POST', '/api/v1/account-links/open', { json: { token } });
    expect(opened.json.data).toMatchObject({ purpose: 'invitation', email, teamName: 'First team' });
    // The link decides the address.
    const used = await useLink(token, { email: 'someone.else@example.com' });
    expect(used.json.data.person).toMatchObject({ email, role: 'editor', name: 'Grace' });
    expect((await whoAmI(cookieOf(used))).status).toBe(200);
    expectError(await useLink(token), 400, 'invalid_request', 'token');
    expectError(await open('POST', '/api/v1/account-links/open', { json: { token } }), 400, 'invalid_request', 'token');
  });

  it('creates one account even if it is used twice at once', async () => {
    const { email, token } = await newInvitation();
    const statuses = (await Promise.all([useLink(token), useLink(token), useLink(token)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 400, 400]);
    expect(await gateway.db.person.count({ where: { email } })).toBe(1);
  });

  it('stops working when it expires, is deleted or is replaced', async () => {
    const expired = await newInvitation();
    await gateway.db.accountLink.update({ where: { id: expired.id }, data: { expiresAt: new Date() } });
    const deleted = await newInvitation();
    await gateway.send('DELETE', `/api/v1/invitations/${deleted.id}`);
    const replaced = await newInvitation();
    await newInvitation(replaced.email);
    for (const { token } of [expired, deleted, replaced]) {
      expectError(await useLink(token), 400, 'invalid_request', 'token');
    }
  });

  it('stops working when the person who sent it loses the right to invite', async () => {
    const admin = await signInAs(gateway.db, gateway.keys.teamId, 'admin');
    const json = { email: 'left-behind@example.com', role: 'admin' };
    const sent = await open('POST', '/api/v1/invitations', { json, headers: admin.headers });
    await gateway.send('PUT', `/api/v1/people/${admin.id}`, { json: { status: 'deactivated' } });
    expectError(await useLink(sent.json.data.url.split('#')[1]), 400, 'invalid_request', 'token');
  });

  it('stops working when an operator revokes the key that created it', async () => {
    const pair = await createKeyPair(gateway.db, gateway.keys.teamId, 'revoked');
    const json = { email: 'left-behind@example.com', role: 'admin' };
    const sent = await gateway.send('POST', '/api/v1/invitations', { json, key: pair.secretKey });
    await runKeysCommand(['revoke', pair.id], gateway.databaseUrl);
    expectError(await useLink(sent.json.data.url.split('#')[1]), 400, 'invalid_request', 'token');
  });

  it('requires a strong password and a name', async () => {
    const { token } = await newInvitation();
    for (const password of ['short', 'aaaaaaaaaaaaaaaa'])
      expectError(await useLink(token, { password }), 400, 'invalid_request', 'password');
    const json = { token, password: PASSWORD };
    expectError(await open('POST', '/api/v1/account-links/use', { json }), 400, 'invalid_request', 'name');
    expect((await useLink(token)).status).toBe(200);
  });

  it('does not reveal the people of other teams', async () => {
    const { email, token } = await newInvitation();
    const data = { id: newId('person'), teamId: gateway.otherKeys.teamId, email, name: 'Eve', passwordHash };
    await gateway.db.person.create({ data: { ...data, role: 'member' } });
    const refused = await useLink(token);
    expectError(refused, 409, 'conflict', 'cannot be created');
    expect(refused.text).not.toContain('already');
  });

  it('is refused for an address that has an account', async () => {
    const { email } = await createPerson();
    expectError(await gateway.send('POST', '/api/v1/invitations', { json: { email } }), 409, 'conflict');
  });
});

describe('a password reset', () => {
  it('sets a new password, ends the sessions, and works once', async () => {
    const { cookie, person } = await signedIn();
    const created = await gateway.send('POST', `/api/v1/people/${person.id}/password-reset`);
    const token = created.json.data.url.split('#')[1];
    const used = await useLink(token, { password: 'an entirely new sentence' });
    expect(used.json.data.person.id).toBe(person.id);
    expectError(await whoAmI(cookie), 401, 'unauthorized');
    expectError(await signIn(person.email), 401, 'unauthorized');
    expectError(await useLink(token), 400, 'invalid_request', 'token');
  });

  it('does not survive a change of the password', async () => {
    const { person } = await signedIn();
    const { json } = await gateway.send('POST', `/api/v1/people/${person.id}/password-reset`);
    const changed = { email: person.email, password: PASSWORD, newPassword: 'another long sentence' };
    expect((await open('POST', '/api/v1/session/password', { json: changed })).status).toBe(200);
    expectError(await useLink(json.data.url.split('#')[1]), 400, 'invalid_request', 'token');
  });

  it('is recorded with who created it', async () => {
    const { person } = await signedIn();
    const { json } = await gateway.send('POST', `/api/v1/people/${person.id}/password-reset`);
    await useLink(json.data.url.split('#')[1]);
    const { data } = (await gateway.send('GET', '/api/v1/audit?limit=1')).json;
    const details = { purpose: 'reset', createdBy: gateway.keys.id };
    expect(data).toEqual([expect.objectContaining({ action: 'useAccountLink', details })]);
  });

  it('does not survive a change of the role, and is refused for a deactivated account', async () => {
    const { person } = await signedIn();
    const reset = async () => {
      const { json } = await gateway.send('POST', `/api/v1/people/${person.id}/password-reset`);
      return json.data.url.split('#')[1];
    };
    const first = await reset();
    await gateway.send('PUT', `/api/v1/people/${person.id}`, { json: { role: 'admin' } });
    expectError(await useLink(first), 400, 'invalid_request', 'token');
    await gateway.send('PUT', `/api/v1/people/${person.id}`, { json: { status: 'deactivated' } });
    expectError(await gateway.send('POST', `/api/v1/people/${person.id}/password-reset`), 409, 'conflict');
  });
});

describe('owners', () => {
  it('are created by a one-time link, which replaces an earlier one', async () => {
    const { teamId } = gateway.keys;
    const first = await createLink(gateway.db, teamId, { purpose: 'owner' }, undefined);
    const second = await createLink(gateway.db, teamId, { purpose: 'owner' }, undefined);
    const account = { email: 'Owner@Example.com' };
    expectError(await useLink(first.token, account), 400, 'invalid_request', 'token');
    expectError(await useLink(second.token), 400, 'invalid_request', 'email');
    const used = await useLink(second.token, account);
    expect(used.json.data.person).toMatchObject({ email: 'owner@example.com', role: 'owner' });
  });

  it('can only be managed by owners', async () => {
    const { db, keys } = gateway;
    const [owner, admin] = [await signInAs(db, keys.teamId, 'owner'), await signInAs(db, keys.teamId, 'admin')];
    const attempts = [
      ['PUT', `/api/v1/people/${owner.id}`, { role: 'member' }],
      ['PUT', `/api/v1/people/${owner.id}`, { status: 'deactivated' }],
      ['PUT', `/api/v1/people/${admin.id}`, { role: 'owner' }],
      ['POST', `/api/v1/people/${owner.id}/password-reset`, undefined],
      ['DELETE', `/api/v1/people/${owner.id}/sessions`, undefined],
      ['POST', '/api/v1/invitations', { email: 'me@example.com', role: 'owner' }],
    ] as const;
    for (const [method, path, json] of attempts) {
      expectError(await open(method, path, { json, headers: admin.headers }), 403, 'forbidden', 'Only an owner');
      expectError(await gateway.send(method, path, { json }), 403, 'forbidden', 'Only an owner');
    }
    const promoted = await open('PUT', `/api/v1/people/${admin.id}`, {
      json: { role: 'owner' },
      headers: owner.headers,
    });
    expect(promoted.json.data.role).toBe('owner');
  });

  it('are changed only as the caller read them', async () => {
    const { id } = await createPerson();
    const path = `/api/v1/people/${id}`;
    const headers = { 'If-Match': String((await gateway.send('GET', path)).headers.get('etag')) };
    const change = (role: string) => gateway.send('PUT', path, { json: { role }, headers });
    const responses = await Promise.all([change('editor'), change('admin')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
    // A sign-in is no change.
    const fresh = { 'If-Match': String(responses.find(({ status }) => status === 200)?.headers.get('etag')) };
    await gateway.db.person.update({ where: { id }, data: { lastSignInAt: new Date() } });
    expect((await gateway.send('PUT', path, { json: { role: 'member' }, headers: fresh })).status).toBe(200);
  });

  it('never become none, even if two of them leave at once', async () => {
    const { db, otherKeys } = gateway;
    const owners = [await signInAs(db, otherKeys.teamId, 'owner'), await signInAs(db, otherKeys.teamId, 'owner')];
    const leave = ({ id, headers }: (typeof owners)[number], json: object) =>
      open('PUT', `/api/v1/people/${id}`, { json, headers });
    const responses = await Promise.all([
      leave(owners[0]!, { role: 'member' }),
      leave(owners[1]!, { status: 'deactivated' }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    const where = { teamId: otherKeys.teamId, role: 'owner', status: 'active' } as const;
    expect(await db.person.count({ where })).toBe(1);
  });
});

describe('attempts to sign in', () => {
  it('are limited by account and by address, and successes do not count', async () => {
    const strict = await startTestGateway({ RATE_LIMIT_SIGN_INS_PER_MINUTE: '6', TRUST_PROXY: '127.0.0.1' });
    try {
      const attempt = (email: string, address: string, password = PASSWORD) =>
        strict.send('POST', '/api/v1/session', {
          key: null,
          json: { email, password },
          headers: { 'X-Forwarded-For': address },
        });
      const data = {
        id: newId('person'),
        teamId: strict.keys.teamId,
        email: 'a@example.com',
        name: 'Ada',
        passwordHash,
      };
      await strict.db.person.create({ data: { ...data, role: 'member' } });
      for (let n = 0; n < 10; n += 1) expect((await attempt('a@example.com', '192.0.2.1')).status).toBe(200);
      // One account, one address.
      for (let n = 0; n < 3; n += 1) expect((await attempt('a@example.com', '192.0.2.2', 'wrong')).status).toBe(401);
      const blocked = await attempt('a@example.com', '192.0.2.2');
      expectError(blocked, 429, 'rate_limited', 'this account');
      // The person signs in from elsewhere.
      expect((await attempt('a@example.com', '192.0.2.1')).status).toBe(200);
      // One account, very many addresses.
      const statuses = new Set<number>();
      for (let n = 0; n < 120 && !statuses.has(429); n += 1)
        statuses.add((await attempt('z@example.com', `203.0.113.${n}`)).status);
      expect([...statuses]).toEqual([401, 429]);
      expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0);
      // One address, many accounts.
      for (let n = 0; n < 6; n += 1) expect((await attempt(`b${n}@example.com`, '198.51.100.1')).status).toBe(401);
      expectError(await attempt('c@example.com', '198.51.100.1'), 429, 'rate_limited', 'this address');
    } finally {
      await strict.stop();
    }
  });
});

describe('over TLS', () => {
  it('links are https URLs if a trusted proxy reports TLS', async () => {
    const proxied = await startTestGateway({ TRUST_PROXY: '127.0.0.1' });
    try {
      const urlOf = async (proto: string) => {
        const headers = { 'X-Forwarded-Proto': proto };
        const { json } = await proxied.send('POST', '/api/v1/invitations', {
          json: { email: 'x@example.com' },
          headers,
        });
        return String(json.data.url);
      };
      expect(await urlOf('HTTPS, http')).toMatch(/^https:/);
      expect(await urlOf('http, https')).toMatch(/^http:/);
    } finally {
      await proxied.stop();
    }
  });

  it('the cookie belongs to this host alone, and a cookie of plain HTTP counts for nothing', async () => {
    const secure = await startTestGateway({ PUBLIC_URL: 'https://lectern.example.com' });
    try {
      const { db, keys, url } = secure;
      const data = { id: newId('person'), teamId: keys.teamId, email: 'tls@example.com', name: 'Ada', passwordHash };
      await db.person.create({ data: { ...data, role: 'member' } });
      const json = { email: 'tls@example.com', password: PASSWORD };
      const response = await secure.send('POST', '/api/v1/session', { key: null, json });
      expect(response.headers.get('set-cookie')).toMatch(
        /^__Host-lectern_session=\w+; Path=\/; .*SameSite=Lax; Secure$/,
      );
      const cookie = cookieOf(response);
      expect((await whoAmI(cookie, url)).status).toBe(200);
      expectError(await whoAmI(cookie.replace('__Host-', ''), url), 401, 'unauthorized');
      const invited = await secure.send('POST', '/api/v1/invitations', { json: { email: 'x@example.com' } });
      expect(invited.json.data.url).toMatch(/^https:\/\/lectern\.example\.com\/console\/join#lectern_ln_\w{49}$/);
    } finally {
      await secure.stop();
    }
  });
});
