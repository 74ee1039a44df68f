import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEgressGuard, type EgressGuard } from '@lectern/egress';
import { prismaOptions } from '@lectern/service-kit';
import { runCount, waitUntil } from '@lectern/testing';
import fc from 'fast-check';
import { noteClientUse, purgeClients } from '#apps/client-store';
import { DATABASE_SCHEMA } from '#context';
import { PrismaClient } from '#gen/prisma/client';
import { purgeGrants } from '#identity/app-grant-store';
import { hashKey } from '#keys/format';
import { type SendInit, startTestGateway, type TestGateway } from './support/gateway.ts';
import { answer, check, pkce, REDIRECT_URI, register, requestOf, sendForm, tokensFor } from './support/oauth-app.ts';
import { signInAs, type TestPerson } from './support/people.ts';

/** The document that the emulated site of an app returns. */
interface Site {
  status: number;
  type: string;
  body: string;
  requests: number;
}

const DOCUMENT_URL = 'https://app.test/client.json';
const documentOf = (more: object = {}) =>
  JSON.stringify({ client_id: DOCUMENT_URL, client_name: 'Documented', redirect_uris: [REDIRECT_URI], ...more });

let gateway: TestGateway;
let site: Server;
let local: EgressGuard;
let ada: TestPerson;
let grace: TestPerson;
const page: Site = { status: 200, type: 'application/json', body: documentOf(), requests: 0 };

beforeAll(async () => {
  site = createServer((_request, response) => {
    page.requests += 1;
    response.writeHead(page.status, { 'Content-Type': page.type, 'Cache-Control': 'max-age=60' });
    response.end(page.body);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const guard = createEgressGuard({ allow: [] });
  local = guard.trusting([origin]);
  // The site has no certificate, so its requests go to its port. All others are guarded as usual.
  const fetch: typeof globalThis.fetch = (input, init) => {
    const url = String(input);
    return url.startsWith('https://app.test/')
      ? local.fetch(url.replace('https://app.test', origin), init)
      : guard.fetch(input, init);
  };
  gateway = await startTestGateway({}, { egress: { ...guard, fetch } });
  ada = await signInAs(gateway.db, gateway.keys.teamId, 'admin');
  grace = await signInAs(gateway.db, gateway.keys.teamId, 'member');
});
afterAll(async () => {
  await gateway.stop();
  await local.close();
  await new Promise((resolve) => site.close(resolve));
});

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const mcp = (token: string) => {
  const headers = { Accept: 'application/json, text/event-stream', Authorization: `Bearer ${token}` };
  return gateway.send('POST', '/mcp', { key: null, json: PING, headers });
};
const token = (form: Record<string, string>) => sendForm(gateway.url, '/oauth/token', form);
const refresh = (clientId: string, refreshToken: string, more: Record<string, string> = {}) =>
  token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken, ...more });
const exchange = (clientId: string, code: string, verifier: string, more: Record<string, string> = {}) =>
  token({ grant_type: 'authorization_code', client_id: clientId, code, code_verifier: verifier, ...more });
const hasEnded = (access: string) =>
  waitUntil(async () => (await mcp(access)).status === 401, { what: 'the end of the access', timeoutMs: 5_000 });

/** Lets a person agree. Returns the code. */
async function codeFor(person: TestPerson, clientId: string, challenge: string, more: Record<string, string> = {}) {
  const response = await answer(gateway.url, person, requestOf(clientId, challenge, more));
  return new URL(response.json.data.redirectTo).searchParams.get('code') ?? '';
}

describe('a code', () => {
  it('ends the access if it is used again', async () => {
    const { access_token: access, clientId, code, verifier } = await tokensFor(gateway.url, ada);
    expect((await mcp(access)).status).toBe(200);
    expect((await exchange(clientId, code, verifier)).json.error).toBe('invalid_grant');
    await hasEnded(access);
    const { data } = (await gateway.send('GET', '/api/v1/audit?action=endAppAccess')).json;
    expect(data[0].details.reason).toContain('used twice');
  });

  it('does not work for another client, with another verifier or for another redirect URI, and works afterwards', async () => {
    const [own, other] = await Promise.all([register(gateway.url), register(gateway.url)]);
    const { verifier, challenge } = pkce();
    const code = await codeFor(ada, own, challenge);
    for (const response of [
      await exchange(other, code, verifier),
      await exchange(own, code, pkce().verifier),
      await exchange(own, code, challenge),
      await exchange(own, `${code.slice(0, -1)}${code.endsWith('x') ? 'y' : 'x'}`, verifier),
      await exchange(own, code, verifier, { redirect_uri: 'http://127.0.0.1:1/callback' }),
    ]) {
      expect([response.status, response.json.error]).toEqual([400, 'invalid_grant']);
    }
    const elsewhere = await exchange(own, code, verifier, { resource: 'https://other.example.com/mcp' });
    expect(elsewhere.json.error).toBe('invalid_target');
    expect((await token({ grant_type: 'authorization_code', client_id: own, code })).json.error).toBe(
      'invalid_request',
    );
    expect((await exchange(own, code, verifier)).status).toBe(200);
  });

  it('expires', async () => {
    const clientId = await register(gateway.url);
    const { verifier, challenge } = pkce();
    const code = await codeFor(ada, clientId, challenge);
    await gateway.db.appGrant.update({ where: { codeHash: hashKey(code) }, data: { codeExpiresAt: new Date(0) } });
    expect((await exchange(clientId, code, verifier)).json.error).toBe('invalid_grant');
  });

  it('is exchanged by one of many requests at once', async () => {
    const clientId = await register(gateway.url);
    const { verifier, challenge } = pkce();
    const code = await codeFor(ada, clientId, challenge);
    const responses = await Promise.all(Array.from({ length: 8 }, () => exchange(clientId, code, verifier)));
    const tokens = responses.filter(({ status }) => status === 200);
    expect(tokens.length).toBeLessThanOrEqual(1);
    for (const { json } of tokens) await hasEnded(json.access_token);
  });

  it('does not work after its person was signed out', async () => {
    const person = await signInAs(gateway.db, gateway.keys.teamId, 'member');
    const clientId = await register(gateway.url);
    const { verifier, challenge } = pkce();
    const code = await codeFor(person, clientId, challenge);
    await gateway.send('DELETE', `/api/v1/people/${person.id}/sessions`);
    expect((await exchange(clientId, code, verifier)).json.error).toBe('invalid_grant');
  });
});

describe('a refresh token', () => {
  it('ends the access if it is used again, also of the thief', async () => {
    const first = await tokensFor(gateway.url, ada);
    const second = await refresh(first.clientId, first.refresh_token);
    expect(second.status).toBe(200);
    expect((await refresh(first.clientId, first.refresh_token)).json.error).toBe('invalid_grant');
    expect((await refresh(first.clientId, second.json.refresh_token)).json.error).toBe('invalid_grant');
    await Promise.all([hasEnded(first.access_token), hasEnded(second.json.access_token)]);
  });

  it('is replaced by at most one of many requests at once', async () => {
    const { clientId, refresh_token: old } = await tokensFor(gateway.url, ada);
    const responses = await Promise.all(Array.from({ length: 8 }, () => refresh(clientId, old)));
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it('gives no more scopes than its person gave', async () => {
    const { clientId, refresh_token: old } = await tokensFor(gateway.url, ada, { scope: 'search' });
    expect((await refresh(clientId, old, { scope: 'search chat' })).json.error).toBe('invalid_scope');
    expect((await refresh(clientId, old, { scope: 'keys' })).json.error).toBe('invalid_scope');
    expect((await refresh(clientId, old, { scope: 'search' })).json.scope).toBe('search');
  });

  it('is replaced 30 times a minute, and then returns when to retry', async () => {
    const first = await tokensFor(gateway.url, ada);
    let response = await refresh(first.clientId, first.refresh_token);
    for (let done = 1; response.status === 200 && done < 40; done += 1) {
      response = await refresh(first.clientId, response.json.refresh_token);
    }
    expect([response.status, response.json.error]).toEqual([429, 'temporarily_unavailable']);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });

  it('does not work for another client or as an access token', async () => {
    const { refresh_token: own } = await tokensFor(gateway.url, ada);
    expect((await refresh(await register(gateway.url), own)).json.error).toBe('invalid_grant');
    expect((await mcp(own)).status).toBe(401);
  });
});

describe('an access token', () => {
  it('does not work for another installation', async () => {
    const { access_token: access } = await tokensFor(gateway.url, ada);
    await gateway.db.appGrant.updateMany({ data: { resource: 'https://other.example.com/mcp' } });
    const response = await mcp(access);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('does not work as a refresh token, in a cookie or with X-Service-User', async () => {
    const { access_token: access, clientId } = await tokensFor(gateway.url, ada);
    expect((await refresh(clientId, access)).json.error).toBe('invalid_grant');
    const headers = { Cookie: `lectern_session=${access}` };
    expect((await gateway.send('GET', '/api/v1/account', { key: null, headers })).status).toBe(401);
    const asOther = { Authorization: `Bearer ${access}`, Accept: 'application/json, text/event-stream' };
    const response = await gateway.send('POST', '/mcp', {
      key: null,
      json: PING,
      headers: { ...asOther, 'X-Service-User': grace.email },
    });
    expect(response.status).toBe(403);
  });

  it('is listed and ended only by its person and admins of the team', async () => {
    await tokensFor(gateway.url, ada);
    const [app] = (await gateway.send('GET', '/api/v1/account/apps', { key: null, headers: ada.headers })).json.data;
    const remove = (path: string, init: SendInit) => gateway.send('DELETE', `${path}/${app.id}`, init);
    const asGrace = { key: null, headers: grace.headers };
    expect((await remove('/api/v1/account/apps', asGrace)).status).toBe(404);
    expect((await remove('/api/v1/apps', asGrace)).status).toBe(403);
    expect((await remove('/api/v1/apps', { key: gateway.otherKeys.secretKey })).status).toBe(404);
    const others = await gateway.send('GET', '/api/v1/apps', { key: gateway.otherKeys.secretKey });
    expect(others.json.data).toEqual([]);
  });
});

describe('an authorization request', () => {
  it.each([
    ['another redirect URI', { redirect_uri: 'https://evil.example/callback' }, 400],
    ['a redirect URI with credentials', { redirect_uri: 'http://127.0.0.1:33418@evil.example/callback' }, 400],
    ['a script as redirect URI', { redirect_uri: 'javascript:alert(1)' }, 400],
    ['an unknown client', { client_id: 'acl_01h455vb4pex5vsknk084sn0zz' }, 404],
    ['no client', { client_id: '' }, 400],
    ['a long state', { state: 'x'.repeat(2_001) }, 400],
  ])('with %s goes nowhere', async (_name, more, status) => {
    const request = requestOf(await register(gateway.url), pkce().challenge, more);
    expect((await check(gateway.url, ada, request)).status).toBe(status);
    expect((await answer(gateway.url, ada, request)).status).toBe(status);
    expect((await answer(gateway.url, ada, request, false)).status).toBe(status);
  });

  it.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['with the PKCE method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
    ['for a token in the URL', { response_type: 'token' }, 'unsupported_response_type'],
    ['for another resource', { resource: 'https://other.example.com/mcp' }, 'invalid_target'],
    ['for scopes that no app can have', { scope: 'keys admin' }, 'invalid_scope'],
  ])('%s is never approved', async (_name, more, error) => {
    const request = requestOf(await register(gateway.url), pkce().challenge, more);
    expect((await check(gateway.url, ada, request)).json.data.problem).toMatch(/\S/);
    const { redirectTo } = (await answer(gateway.url, ada, request)).json.data;
    const { searchParams } = new URL(redirectTo);
    expect([searchParams.get('error'), searchParams.get('code')]).toEqual([error, null]);
  });

  it('with a repeated parameter is rejected', async () => {
    const request = requestOf(await register(gateway.url), pkce().challenge);
    for (const name of ['client_id', 'redirect_uri', 'code_challenge', 'code_challenge_method', 'state', 'scope']) {
      const repeated = `${request}&scope=search&${name}=x`;
      expect((await answer(gateway.url, ada, repeated)).status).toBe(400);
    }
  });

  it('never redirects a browser to another site before the person has agreed', async () => {
    const parts = fc.array(
      fc.tuple(
        fc.constantFrom('client_id', 'redirect_uri', 'scope', 'state', 'error', 'returnTo', 'x'),
        fc.oneof(
          fc.string(),
          fc.constantFrom('https://evil.example', '//evil.example', '\r\nLocation: https://evil.example'),
        ),
      ),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(parts, fc.string({ maxLength: 10 }), async (pairs, raw) => {
        const query = `${new URLSearchParams(pairs)}${encodeURI(raw.toWellFormed())}`;
        const response = await fetch(`${gateway.url}/oauth/authorize?${query}`, { redirect: 'manual' });
        expect(response.status).toBe(302);
        const location = new URL(response.headers.get('location') ?? '', gateway.url);
        expect([location.origin, location.pathname]).toEqual([gateway.url, '/console/connect']);
      }),
      { numRuns: runCount({ quick: 40, full: 500 }) },
    );
  });
});

describe('the page for consent', () => {
  it('cannot be framed', async () => {
    const response = await fetch(`${gateway.url}/console/connect?client_id=x`);
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('cannot be answered by another site, without a session, with a key or by a form', async () => {
    const request = requestOf(await register(gateway.url), pkce().challenge);
    const json = { request, personId: ada.id, approve: true };
    const post = (init: SendInit) => gateway.send('POST', '/api/v1/account/apps/answer', { key: null, json, ...init });
    const { 'X-Lectern-CSRF': _header, ...cookieOnly } = { 'X-Lectern-CSRF': '', ...ada.headers };
    const headers = { ...ada.headers };
    expect((await post({ headers: { ...cookieOnly, 'X-Lectern-CSRF': '' } })).status).toBe(403);
    expect((await post({ headers: { ...headers, 'Sec-Fetch-Site': 'cross-site' } })).status).toBe(403);
    expect((await post({ headers: { ...headers, 'Sec-Fetch-Site': 'same-site' } })).status).toBe(403);
    expect((await post({ headers: { ...headers, Origin: 'https://evil.example' } })).status).toBe(403);
    expect((await post({ headers: {} })).status).toBe(401);
    expect((await post({ key: gateway.keys.secretKey })).status).toBe(403);
    const form = new URLSearchParams({ request, personId: ada.id, approve: 'true' }).toString();
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const asForm = await gateway.send('POST', '/api/v1/account/apps/answer', {
      key: null,
      body: form,
      headers: { ...headers, ...type },
    });
    expect(asForm.status).toBe(415);
    expect(
      await gateway.db.appGrant.count({ where: { clientId: new URLSearchParams(request).get('client_id') ?? '' } }),
    ).toBe(0);
  });
});

describe('a parameter', () => {
  /** Characters that databases, headers or URLs treat differently. */
  const odd = fc.oneof(
    fc.constantFrom('\u0000', 'acl_\u0000', 'https://app.test/\u0000', '\ud800', '\ufffd', '\u2028', "'", '%00', '%ff'),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );
  const numRuns = runCount({ quick: 60, full: 1_000 });

  it('of a form never causes an internal error', async () => {
    const { clientId, code, verifier, refresh_token: refreshToken } = await tokensFor(gateway.url, ada);
    const good: Record<string, string> = {
      client_id: clientId,
      code,
      code_verifier: verifier,
      refresh_token: refreshToken,
      token: refreshToken,
      redirect_uri: REDIRECT_URI,
    };
    const changes = fc.dictionary(fc.constantFrom(...Object.keys(good), 'scope', 'resource'), odd, { minKeys: 1 });
    const requests = fc.constantFrom('authorization_code', 'refresh_token', 'revoke', '\u0000');
    await fc.assert(
      fc.asyncProperty(requests, changes, async (request, change) => {
        const path = request === 'revoke' ? '/oauth/revoke' : '/oauth/token';
        const response = await sendForm(gateway.url, path, { grant_type: request, ...good, ...change });
        expect([200, 400, 401]).toContain(response.status);
      }),
      { numRuns, examples: [['authorization_code', { client_id: '\u0000' }]] },
    );
  });

  it('of an authorization request never causes an internal error', async () => {
    const good = requestOf(await register(gateway.url), pkce().challenge);
    const names = ['client_id', 'redirect_uri', 'state', 'scope', 'code_challenge', 'resource', 'response_type'];
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), odd, { minKeys: 1 }), async (change) => {
        const params = new URLSearchParams(good);
        for (const [name, value] of Object.entries(change)) params.set(name, value);
        for (const response of [
          await check(gateway.url, ada, `${params}`),
          await answer(gateway.url, ada, `${params}`),
          await answer(gateway.url, ada, `${params}`, false),
        ]) {
          // 502: the document of a client does not exist.
          expect([200, 400, 404, 502]).toContain(response.status);
        }
      }),
      { numRuns, examples: [[{ client_id: '\u0000' }], [{ state: '\u0000' }]] },
    );
  });
});

describe('a registration', () => {
  const post = (json: unknown) => gateway.send('POST', '/oauth/register', { key: null, json });

  it('shows a name without characters that imitate the page', async () => {
    const name = `Lectern\u202e\n\u0007 <img src=x onerror=alert(1)>${'x'.repeat(300)}`;
    const clientId = await register(gateway.url, {
      client_name: name,
      logo_uri: 'javascript:alert(1)',
      client_uri: 'javascript:alert(1)',
    });
    const { data } = (await check(gateway.url, ada, requestOf(clientId, pkce().challenge))).json;
    expect(data.name).toMatch(/^Lectern <img src=x onerror=alert\(1\)>x+$/);
    expect(data.name).toHaveLength(100);
    expect(JSON.stringify(data)).not.toContain('javascript:');
  });

  it.each([
    ['no redirect URI', {}],
    ['an empty list', { redirect_uris: [] }],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['plain HTTP', { redirect_uris: ['http://app.example.com/callback'] }],
    ['one bad redirect URI among good ones', { redirect_uris: [REDIRECT_URI, 'https://a.example/#x'] }],
    ['too many', { redirect_uris: Array.from({ length: 11 }, (_, index) => `https://a.example/${index}`) }],
    ['another grant', { redirect_uris: [REDIRECT_URI], grant_types: ['client_credentials'] }],
    ['a number', { redirect_uris: [REDIRECT_URI], client_name: 1 }],
  ])('with %s is rejected', async (_name, json) => {
    const response = await post(json);
    expect(response.status).toBe(400);
    expect(response.json.error).toMatch(/^invalid_(redirect_uri|client_metadata)$/);
  });

  it('with any JSON returns 201 or an error of the RFC', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const response = await post(value);
        expect([201, 400]).toContain(response.status);
        if (response.status === 400) expect(response.json.error).toMatch(/^invalid_/);
      }),
      { numRuns: runCount({ quick: 40, full: 500 }) },
    );
  });

  it('never gets a secret, whatever it asks for', async () => {
    const response = await post({ redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'client_secret_basic' });
    expect(response.json.token_endpoint_auth_method).toBe('none');
    expect(response.json.client_secret).toBeUndefined();
  });
});

describe('registrations', () => {
  it('are limited per address and in total, and unused ones are deleted', async () => {
    const limited = await startTestGateway({ RATE_LIMIT_SIGN_INS_PER_MINUTE: '5' });
    const options = prismaOptions({ url: limited.databaseUrl, schema: DATABASE_SCHEMA, maxConnections: 1 });
    const db = new PrismaClient(options);
    try {
      const post = () =>
        limited.send('POST', '/oauth/register', { key: null, json: { redirect_uris: [REDIRECT_URI] } });
      const statuses = [];
      for (let done = 0; done < 7; done += 1) statuses.push((await post()).status);
      expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429]);

      const createdAt = new Date(Date.now() - 61 * 60_000);
      const old = Array.from({ length: 10_000 }, (_, index) => ({ id: `flood-${index}`, name: 'x', createdAt }));
      await db.appClient.createMany({ data: old });
      await purgeClients(db);
      // The fresh ones and the one with access stay.
      expect(await db.appClient.count()).toBe(6);
    } finally {
      await db.$disconnect();
      await limited.stop();
    }
  });

  it('replace the oldest unused ones, and never one that is used or has a document', async () => {
    const { appClient } = gateway.db;
    const rows = Array.from({ length: 10_000 }, (_, index) => {
      return { id: `flood-${index}`, name: 'x', createdAt: new Date(Date.now() - 10_000 - index) };
    });
    const old = { name: 'x', createdAt: new Date(0) };
    await appClient.createMany({
      data: [
        ...rows,
        { id: 'flood-used', ...old, lastUsedAt: new Date() },
        { id: 'flood-document', ...old, freshUntil: new Date() },
      ],
    });
    const clientId = await register(gateway.url);
    expect((await check(gateway.url, ada, requestOf(clientId, pkce().challenge))).status).toBe(200);
    expect(await appClient.count({ where: { lastUsedAt: null, freshUntil: null, grants: { none: {} } } })).toBe(10_000);
    const ids = ['flood-0', 'flood-9999', 'flood-used', 'flood-document'];
    const left = await appClient.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
    expect(left.map(({ id }) => id)).toEqual(['flood-0', 'flood-document', 'flood-used']);
    await appClient.deleteMany({ where: { id: { startsWith: 'flood-' } } });
  });

  it('cannot be used once they are deleted', async () => {
    await expect(noteClientUse(gateway.db, 'acl_01h455vb4pex5vsknk084sn0zz')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('expired'),
    });
  });
});

describe('a client ID metadata document', () => {
  const request = (more: Record<string, string> = {}) => requestOf(DOCUMENT_URL, pkce().challenge, more);

  it('names its publisher, is cached, and lets the app connect', async () => {
    const before = page.requests;
    const { data } = (await check(gateway.url, ada, request())).json;
    expect(data).toMatchObject({ name: 'Documented', publisher: 'app.test' });
    const { verifier, challenge } = pkce();
    const code = await codeFor(ada, DOCUMENT_URL, challenge);
    expect((await exchange(DOCUMENT_URL, code, verifier)).status).toBe(200);
    expect(page.requests - before).toBe(1);
  });

  it.each([
    ['describes another client', { body: documentOf({ client_id: 'https://app.test/other.json' }) }],
    ['has no redirect URI', { body: documentOf({ redirect_uris: [] }) }],
    ['has a secret', { body: documentOf({ client_secret: 'x' }) }],
    ['requires authentication', { body: documentOf({ token_endpoint_auth_method: 'private_key_jwt' }) }],
    ['is larger than 16 KiB', { body: documentOf({ more: 'x'.repeat(20_000) }) }],
    ['is not JSON', { body: '<html>' }],
    ['is a web page', { type: 'text/html' }],
    ['does not exist', { status: 404 }],
    ['redirects', { status: 302 }],
  ])('is not used if it %s', async (_name, change) => {
    await gateway.db.appClient.updateMany({ where: { id: DOCUMENT_URL }, data: { freshUntil: new Date(0) } });
    Object.assign(page, { status: 200, type: 'application/json', body: documentOf() }, change);
    expect((await check(gateway.url, ada, request())).status).toBe(502);
    expect((await answer(gateway.url, ada, request())).status).toBe(502);
    Object.assign(page, { status: 200, type: 'application/json', body: documentOf() });
  });

  it.each([
    'https://127.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/client.json',
  ])('is not read from %s', async (clientId) => {
    const response = await check(gateway.url, ada, requestOf(clientId, pkce().challenge));
    expect(response.status).toBe(502);
  });

  it.each([
    'http://app.test/client.json',
    'https://app.test',
    'https://app.test/',
    'https://app.test:8443/c.json',
    'https://user@app.test/c.json',
    'https://app.test/a/../client.json',
    'https://app.test/client.json#x',
  ])('is not read from %s, which is no client id', async (clientId) => {
    const before = page.requests;
    expect((await check(gateway.url, ada, requestOf(clientId, pkce().challenge))).status).toBe(404);
    expect(page.requests).toBe(before);
  });

  it('is not read for somebody who is not signed in', async () => {
    const before = page.requests;
    await gateway.db.appClient.updateMany({ where: { id: DOCUMENT_URL }, data: { freshUntil: new Date(0) } });
    await fetch(`${gateway.url}/oauth/authorize?${request()}`, { redirect: 'manual' });
    await gateway.send('POST', '/api/v1/account/apps/check', { key: null, json: { request: request() } });
    expect(page.requests).toBe(before);
  });
});

describe('tokens', () => {
  /** What a client can do, in any order and with any of the codes and tokens so far. */
  const step = fc.record({
    action: fc.constantFrom('agree', 'exchange', 'exchange', 'refresh', 'refresh', 'revoke'),
    person: fc.nat(1),
    client: fc.nat(1),
    which: fc.nat(20),
  });

  interface Grant {
    readonly owner: number;
    readonly client: number;
    readonly code: string;
    readonly verifier: string;
    state: 'new' | 'active' | 'ended';
    /** The refresh token that works. */
    current: string | undefined;
    readonly access: string[];
  }

  it('work exactly as long as in a model of the RFCs', async () => {
    const clients = [await register(gateway.url), await register(gateway.url)];
    const people = [ada, grace];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
        const grants: Grant[] = [];
        const refreshTokens: { readonly grant: Grant; readonly token: string }[] = [];
        const receive = (grant: Grant, json: { access_token: string; refresh_token: string }) => {
          grant.state = 'active';
          grant.current = json.refresh_token;
          grant.access.push(json.access_token);
          refreshTokens.push({ grant, token: json.refresh_token });
        };
        for (const { action, person, client, which } of steps) {
          const clientId = clients[client] ?? '';
          if (action === 'agree') {
            const { verifier, challenge } = pkce();
            const code = await codeFor(people[person] ?? ada, clientId, challenge);
            grants.push({ owner: person, client, code, verifier, state: 'new', current: undefined, access: [] });
            continue;
          }
          const grant = grants[which % Math.max(1, grants.length)];
          if (action === 'exchange' && grant !== undefined) {
            const response = await exchange(clientId, grant.code, grant.verifier);
            const isOwn = grant.client === client;
            expect(response.status).toBe(isOwn && grant.state === 'new' ? 200 : 400);
            if (!isOwn) continue;
            if (grant.state === 'new') receive(grant, response.json);
            else grant.state = 'ended';
          }
          const known = refreshTokens[which % Math.max(1, refreshTokens.length)];
          if (known === undefined) continue;
          const isOwn = known.grant.client === client;
          if (action === 'refresh') {
            const works = isOwn && known.grant.state === 'active' && known.grant.current === known.token;
            const response = await refresh(clientId, known.token);
            expect(response.status).toBe(works ? 200 : 400);
            if (works) receive(known.grant, response.json);
            else if (isOwn) known.grant.state = 'ended';
          }
          if (action === 'revoke') {
            const form = { token: known.token, client_id: clientId };
            expect((await sendForm(gateway.url, '/oauth/revoke', form)).status).toBe(200);
            if (isOwn) known.grant.state = 'ended';
          }
        }
        for (const { state, access } of grants) {
          for (const each of access) {
            if (state === 'active') expect((await mcp(each)).status).toBe(200);
            else await hasEnded(each);
          }
        }
      }),
      { numRuns: runCount({ quick: 10, full: 100 }) },
    );
  }, 600_000);

  it('are deleted with their grants when they have expired', async () => {
    await tokensFor(gateway.url, ada);
    await gateway.db.appToken.updateMany({ data: { expiresAt: new Date(0) } });
    await gateway.db.appGrant.updateMany({ data: { codeExpiresAt: new Date(0) } });
    await purgeGrants(gateway.db);
    expect(await gateway.db.appGrant.count()).toBe(0);
    expect(await gateway.db.appToken.count()).toBe(0);
  });
});
