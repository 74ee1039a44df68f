import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConnectorStatus, OAuthServiceDefinition } from '@lectern/contracts';
import type { RunningService } from '@lectern/service-kit';
import { connectGrpc, type GrpcClient, type GrpcConnection } from '@lectern/service-kit';
import { callAs, createCaller, type GoogleDriveServer, startGoogleDriveServer } from '@lectern/testing';
import { type ConnectorClient, createConnectorClient, newCollection } from './support/connector-client.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

const CALLBACK = 'https://lectern.test/api/v1/oauth/callback/google_drive';
const DONE = 'https://lectern.test/console/connectors';

let google: GoogleDriveServer;
let system: TestSystem;
let second: RunningService;
let connections: GrpcConnection[];
let oauth: GrpcClient<typeof OAuthServiceDefinition>;
let client: ConnectorClient;
let replicaClient: ConnectorClient;
let collectionId: string;

beforeAll(async () => {
  google = await startGoogleDriveServer({ redirectUris: [CALLBACK] });
  system = await startSystem({
    env: {
      GOOGLE_API_URL: google.origin,
      GOOGLE_AUTH_URL: `${google.origin}/o/oauth2/v2/auth`,
      GOOGLE_TOKEN_URL: `${google.origin}/token`,
      GOOGLE_CLIENT_ID: google.clientId,
      GOOGLE_CLIENT_SECRET: google.clientSecret,
    },
  });
  second = await system.startReplica();
  connections = [connectGrpc(system.address), connectGrpc(`127.0.0.1:${second.port}`)];
  oauth = connections[0]!.client(OAuthServiceDefinition);
});
afterAll(async () => {
  for (const connection of connections) connection.close();
  await system.stop();
  await google.stop();
});
beforeEach(() => {
  google.fail();
  google.forget();
  client = system.clientOf(createCaller());
  replicaClient = createConnectorClient(`127.0.0.1:${second.port}`, client.caller);
  collectionId = newCollection(system.collection.collections);
});
afterEach(() => replicaClient.close());

const as = () => client.as();
const init = (fields: object = {}) =>
  oauth.initAuthorization(
    { provider: 'google_drive', callbackUrl: CALLBACK, redirectUri: DONE, name: 'Drive', collectionId, ...fields },
    as(),
  );
/** Returns the callback parameters after the user has agreed. */
const agree = async (authorizationUrl: string) => {
  const response = await fetch(authorizationUrl, { redirect: 'manual' });
  const redirect = new URL(response.headers.get('location') ?? 'missing:');
  return { code: redirect.searchParams.get('code') ?? '', state: redirect.searchParams.get('state') ?? '' };
};
const complete = (
  fields: { state: string; code?: string; error?: string; browserSecret?: string },
  provider = 'google_drive',
) => oauth.completeAuthorization({ provider, ...fields }, as());
const authorize = async () => {
  const started = await init();
  expect(await complete(await agree(started.authorizationUrl))).toMatchObject({ success: true });
  return started.connectorId;
};
const get = (id: string) => client.connectors.getConnector({ id }, as());
const test = (id: string, through = client) => through.connectors.testConnector({ id }, as());
const tokenRequests = () => google.requests.filter(({ path }) => path === '/token');

describe('an authorization that a browser started', () => {
  const browserSecret = 'b'.repeat(43);
  const rejection = { code: 'invalid_request', message: expect.stringContaining('another browser') };

  it('can be completed only by that browser, and an attempt by another one does not change it', async () => {
    const started = await init({ browserSecret });
    const callback = await agree(started.authorizationUrl);
    await expect(complete(callback)).rejects.toMatchObject(rejection);
    await expect(complete({ ...callback, browserSecret: 'c'.repeat(43) })).rejects.toMatchObject(rejection);
    expect(tokenRequests()).toEqual([]);
    expect(await complete({ ...callback, browserSecret })).toMatchObject({ success: true });
    await expect(complete({ ...callback, browserSecret })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('can be distinguished from one that a server started, without consuming it', async () => {
    const describe = (state: string, provider = 'google_drive') =>
      oauth.describeAuthorization({ provider, state }, as());
    const bound = await init({ browserSecret });
    const unbound = await init({ name: 'By a server' });
    expect(await describe(bound.state)).toEqual({ connectorName: 'Drive', isBound: true });
    expect(await describe(unbound.state)).toEqual({ connectorName: 'By a server', isBound: false });
    await expect(describe(unbound.state, 'notion')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(describe('unknown')).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await complete(await agree(unbound.authorizationUrl))).toMatchObject({ success: true });
  });
});

describe('an authorization', () => {
  it('creates a pending connector and activates it when its user returns', async () => {
    const started = await init();
    const url = new URL(started.authorizationUrl);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: google.clientId,
      redirect_uri: CALLBACK,
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: started.state,
      access_type: 'offline',
    });
    expect(started.expiresAt?.getTime()).toBeGreaterThan(Date.now() + 9 * 60_000);
    expect(started.expiresAt?.getTime()).toBeLessThan(Date.now() + 11 * 60_000);
    expect(await get(started.connectorId)).toMatchObject({ status: ConnectorStatus.PENDING_AUTH, collectionId });
    await expect(client.sync(started.connectorId)).rejects.toMatchObject({ code: 'conflict' });

    const callback = await agree(started.authorizationUrl);
    expect(await complete(callback)).toEqual({
      connectorId: started.connectorId,
      provider: 'google_drive',
      success: true,
      redirectUri: DONE,
    });
    expect(await get(started.connectorId)).toMatchObject({ status: ConnectorStatus.ACTIVE, statusReason: undefined });
    expect(await test(started.connectorId)).toMatchObject({ success: true });
  });

  it('can be used once, for its provider and its team', async () => {
    const started = await init();
    const callback = await agree(started.authorizationUrl);
    const rejection = { code: 'invalid_request', details: { issues: [{ path: 'state' }] } };
    await expect(complete(callback, 'notion')).rejects.toMatchObject(rejection);
    await expect(
      oauth.completeAuthorization({ provider: 'google_drive', ...callback }, callAs(createCaller())),
    ).rejects.toMatchObject(rejection);
    await expect(complete({ ...callback, state: `${callback.state.slice(0, -4)}0000` })).rejects.toMatchObject(
      rejection,
    );
    const twice = await Promise.allSettled([complete(callback), complete(callback)]);
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(complete(callback)).rejects.toMatchObject(rejection);
    expect(tokenRequests()).toHaveLength(1);
  });

  it('expires after ten minutes', async () => {
    const started = await init();
    const callback = await agree(started.authorizationUrl);
    await system.rows("UPDATE connector.oauth_states SET expires_at = now() - interval '1 second'");
    await expect(complete(callback)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('stores neither state nor verifier in plaintext', async () => {
    const started = await init();
    const rows = JSON.stringify(await system.rows("SELECT *, encode(sealed, 'escape') FROM connector.oauth_states"));
    expect(rows).not.toContain(started.state.split('.')[1]);
  });

  it('leaves the connector pending with a reason if the user denies it', async () => {
    const started = await init();
    expect(await complete({ state: started.state, error: 'access_denied' })).toMatchObject({
      success: false,
      redirectUri: DONE,
      message: 'The authorization was denied.',
    });
    expect(await get(started.connectorId)).toMatchObject({
      status: ConnectorStatus.PENDING_AUTH,
      statusReason: 'The authorization was denied.',
    });
  });

  it('fails with instructions for an unknown code or a response without a refresh token', async () => {
    const started = await init();
    expect(await complete({ state: started.state, code: 'invented' })).toMatchObject({
      success: false,
      message: expect.stringContaining('Start the authorization again'),
    });
    const again = await init({ name: undefined, collectionId: undefined, connectorId: started.connectorId });
    expect(again.connectorId).toBe(started.connectorId);
    const callback = await agree(again.authorizationUrl);
    google.oauth.withholdRefreshTokens(true);
    expect(await complete(callback)).toMatchObject({
      success: false,
      message: expect.stringContaining('refresh token'),
    });
    google.oauth.withholdRefreshTokens(false);
    expect((await get(started.connectorId)).status).toBe(ConnectorStatus.PENDING_AUTH);
  });

  it.each([
    ['an unknown provider', { provider: 's3' }, 'invalid_request'],
    ['neither a connector nor a name', { name: undefined }, 'invalid_request'],
    ['an unknown collection', { collectionId: 'col_00000000000000000000000000' }, 'not_found'],
    ['an unknown connector', { name: undefined, collectionId: undefined, connectorId: 'con_x' }, 'not_found'],
    ['a provider without an application', { provider: 'notion' }, 'unavailable'],
  ])('is rejected for %s', async (_, fields, code) => {
    await expect(init(fields)).rejects.toMatchObject({ code });
  });
});

describe('tokens', () => {
  it('are renewed once by any number of processes when the source rejects them', async () => {
    const id = await authorize();
    await Promise.all([test(id), test(id, replicaClient)]);
    google.oauth.expireAccess();
    google.forget();
    const reports = await Promise.all(
      Array.from({ length: 12 }, (_, n) => test(id, n % 2 === 0 ? client : replicaClient)),
    );
    expect(reports.every(({ success }) => success)).toBe(true);
    expect(tokenRequests()).toHaveLength(1);
  });

  it('are renewed before they expire', async () => {
    google.oauth.setLifetime(30);
    const id = await authorize();
    google.oauth.setLifetime(3_599);
    google.forget();
    expect(await test(id)).toMatchObject({ success: true });
    // The expired token was not sent.
    expect(google.requests[0]?.path).toBe('/token');
    google.forget();
    await test(id);
    expect(tokenRequests()).toEqual([]);
  });

  it('leave the connector active if they cannot be renewed for a while', async () => {
    const id = await authorize();
    google.oauth.expireAccess();
    google.fail(({ path }) => (path === '/token' ? { kind: 'status', status: 503 } : undefined));
    expect(await test(id)).toMatchObject({ success: false });
    expect((await get(id)).status).toBe(ConnectorStatus.ACTIVE);
    google.fail();
    expect(await test(id)).toMatchObject({ success: true });
  });

  it('make the connector pending when the provider revokes them', async () => {
    const id = await authorize();
    google.oauth.revoke();
    expect(await test(id)).toMatchObject({ success: false });
    expect(await get(id)).toMatchObject({
      status: ConnectorStatus.PENDING_AUTH,
      statusReason: expect.stringContaining('Authorize the connector again'),
    });
    const again = await init({ name: undefined, collectionId: undefined, connectorId: id });
    expect(await complete(await agree(again.authorizationUrl))).toMatchObject({ success: true, connectorId: id });
    expect(await test(id)).toMatchObject({ success: true });
    expect((await get(id)).status).toBe(ConnectorStatus.ACTIVE);
  });
});
