import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@lectern/testing';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { answer, check, OauthApp, pkce, register, requestOf, sendForm, tokensFor, visit } from './support/oauth-app.ts';
import { signInAs, type TestPerson } from './support/people.ts';

let gateway: TestGateway;
let ada: TestPerson;
beforeAll(async () => {
  gateway = await startTestGateway();
  ada = await signInAs(gateway.db, gateway.keys.teamId, 'member');
});
afterAll(() => gateway.stop());

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const ACCEPT = { Accept: 'application/json, text/event-stream' };

const mcp = (token: string | null, json: object = PING) =>
  gateway.send('POST', '/mcp', {
    key: null,
    json,
    headers: token === null ? ACCEPT : { ...ACCEPT, Authorization: `Bearer ${token}` },
  });

const refresh = (clientId: string, token: string, more: Record<string, string> = {}) =>
  sendForm(gateway.url, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: token,
    ...more,
  });

const hasEnded = (token: string) =>
  waitUntil(async () => (await mcp(token)).status === 401, { what: 'the end of the access', timeoutMs: 5_000 });

describe('an app', () => {
  it('is connected with the OAuth client of the MCP SDK, and acts as the person', async () => {
    const app = new OauthApp(gateway.url);
    const client = await app.connectAs(ada);
    const found = await client.callTool({ name: 'search', arguments: { query: 'leave' } });
    expect(found.isError).toBeUndefined();
    const { caller } = gateway.services.calls.at(-1) ?? {};
    expect(caller).toMatchObject({ userEmail: ada.email, keyId: ada.id, noAgents: true });
    expect(caller?.mayManage).toBeFalsy();
    await client.close();
  });

  it('renews its access by itself', async () => {
    const app = new OauthApp(gateway.url);
    await (await app.connectAs(ada)).close();
    const first = app.current?.access_token ?? '';
    await gateway.db.appToken.updateMany({ where: { kind: 'access' }, data: { expiresAt: new Date(0) } });
    await hasEnded(first);
    const client = await app.connect();
    await client.callTool({ name: 'list_collections' });
    expect(app.current?.access_token).not.toBe(first);
    await client.close();
  });

  it('finds the authorization server from a response without a credential', async () => {
    const response = await mcp(null);
    expect(response.status).toBe(401);
    const metadata = `${gateway.url}/.well-known/oauth-protected-resource/mcp`;
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer realm="Lectern", scope="search documents:read chat", resource_metadata="${metadata}"`,
    );
    const resource = await gateway.send('GET', '/.well-known/oauth-protected-resource/mcp', { key: null });
    expect(resource.json).toMatchObject({ resource: `${gateway.url}/mcp`, authorization_servers: [gateway.url] });
    const server = await gateway.send('GET', '/.well-known/oauth-authorization-server', { key: null });
    expect(server.json).toMatchObject({
      issuer: gateway.url,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
  });

  it('receives the refusal of the person', async () => {
    const clientId = await register(gateway.url);
    const target = new URL(`/oauth/authorize?${requestOf(clientId, pkce().challenge)}`, gateway.url);
    const back = await visit(target, ada, false);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'state-of-the-app',
      iss: gateway.url,
    });
    expect(back.searchParams.has('code')).toBe(false);
  });

  it('is described to the person before it gets access', async () => {
    const clientId = await register(gateway.url, { client_name: 'Claude' });
    const response = await check(gateway.url, ada, requestOf(clientId, pkce().challenge, { scope: 'search openid' }));
    expect(response.json.data).toMatchObject({
      name: 'Claude',
      publisher: null,
      destination: { kind: 'device', name: '127.0.0.1:33418' },
      scopes: ['search'],
      problem: null,
      person: { id: ada.id, email: ada.email },
    });
  });

  it('has only the scopes that it was given, and learns which ones it needs', async () => {
    const { access_token: token, scope } = await tokensFor(gateway.url, ada, { scope: 'search' });
    expect(scope).toBe('search');
    const call = (name: string, args: object) =>
      mcp(token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
    expect((await call('search', { query: 'leave' })).json.result.isError).toBeUndefined();
    const refused = await call('ask', { question: 'leave?' });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="search chat"');
  });

  it('cannot use its token for the API', async () => {
    const { access_token: token } = await tokensFor(gateway.url, ada);
    const headers = { Authorization: `Bearer ${token}` };
    const response = await gateway.send('GET', '/api/v1/collections', { key: null, headers });
    expect(response.status).toBe(403);
    expect((await gateway.send('GET', '/api/v1/account', { key: null, headers })).status).toBe(403);
  });
});

describe('the access of an app', () => {
  it.each([
    [
      'the person disconnects it',
      async () => {
        const [app] = (await gateway.send('GET', '/api/v1/account/apps', { key: null, headers: ada.headers })).json
          .data;
        await gateway.send('DELETE', `/api/v1/account/apps/${app.id}`, { key: null, headers: ada.headers });
      },
    ],
    [
      'an admin disconnects it',
      async () => {
        const [app] = (await gateway.send('GET', '/api/v1/apps')).json.data;
        expect(app.person.email).toBe(ada.email);
        expect((await gateway.send('DELETE', `/api/v1/apps/${app.id}`)).status).toBe(200);
      },
    ],
    [
      'an admin signs the person out',
      async () => {
        await gateway.send('DELETE', `/api/v1/people/${ada.id}/sessions`);
      },
    ],
    [
      'an admin deactivates the person',
      async () => {
        await gateway.send('PUT', `/api/v1/people/${ada.id}`, { json: { status: 'deactivated' } });
      },
    ],
  ])('ends within 5 seconds when %s', async (_name, end) => {
    ada = await signInAs(gateway.db, gateway.keys.teamId, 'member');
    const { access_token: token, clientId, refresh_token: refreshToken } = await tokensFor(gateway.url, ada);
    expect((await mcp(token)).status).toBe(200);
    await end();
    await hasEnded(token);
    expect((await refresh(clientId, refreshToken)).json.error).toBe('invalid_grant');
    ada = await signInAs(gateway.db, gateway.keys.teamId, 'member');
  });

  it('ends when the app revokes it', async () => {
    const { access_token: token, refresh_token: refreshToken, clientId } = await tokensFor(gateway.url, ada);
    const revoked = await sendForm(gateway.url, '/oauth/revoke', { token: refreshToken, client_id: clientId });
    expect(revoked.status).toBe(200);
    await hasEnded(token);
  });

  it('is in the audit log', async () => {
    const { clientId } = await tokensFor(gateway.url, ada, { scope: 'search' });
    const events = (await gateway.send('GET', '/api/v1/audit?action=connectApp')).json.data;
    expect(events[0]).toMatchObject({
      actor: { user: ada.email, keyId: null },
      details: { client: clientId, destination: '127.0.0.1:33418', scopes: ['search'] },
    });
  });
});

describe('an answer', () => {
  it('counts only for the person who saw the request', async () => {
    const other = await signInAs(gateway.db, gateway.keys.teamId, 'member');
    const request = requestOf(await register(gateway.url), pkce().challenge);
    const response = await answer(gateway.url, { ...ada, id: other.id }, request);
    expect(response.status).toBe(409);
  });
});
