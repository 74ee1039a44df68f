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
let elsewhere: ConnectorClient;
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
  elsewhere = createConnectorClient(`127.0.0.1:${second.port}`, client.caller);
  collectionId = newCollection(system.collection.collections);
});
afterEach(() => elsewhere.close());

const as = () => client.as();
const init = (fields: object = {}) =>
  oauth.initAuthorization(
    { provider: 'google_drive', callbackUrl: CALLBACK, redirectUri: DONE, name: 'Drive', collectionId, ...fields },
    as(),
  );
/** Returns the callback parameters after the user has agreed. */
const agree = async (authorizationUrl: string) => {
  const answer = await fetch(authorizationUrl, { redirect: 'manual' });
  const to = new URL(answer.headers.get('location') ?? 'missing:');
  return { code: to.searchParams.get('code') ?? '', state: to.searchParams.get('state') ?? '' };
};
const complete = (
  fields: { state: string; code?: string; error?: string; browserSecret?: string },
  provider = 'google_drive',
) => oauth.completeAuthorization({ provider, ...fields }, as());
const authorize = async () => {
  const begun = await init();
  expect(await complete(await agree(begun.authorizationUrl))).toMatchObject({ success: true });
  return begun.connectorId;
};
const get = (id: string) => client.connectors.getConnector({ id }, as());
const test = (id: string, through = client) => through.connectors.testConnector({ id }, as());
const tokenRequests = () => google.requests.filter(({ path }) => path === '/token');

describe('an authorisation that a browser started', () => {
  const browserSecret = 'b'.repeat(43);
  const rejection = { code: 'invalid_request', message: expect.stringContaining('another browser') };

  it('can be completed only by that browser, and an attempt by another one does not change it', async () => {
    const begun = await init({ browserSecret });
    const back = await agree(begun.authorizationUrl);
    await expect(complete(back)).rejects.toMatchObject(rejection);
    await expect(complete({ ...back, browserSecret: 'c'.repeat(43) })).rejects.toMatchObject(rejection);
    expect(tokenRequests()).toEqual([]);
    expect(await complete({ ...back, browserSecret })).toMatchObject({ success: true });
    await expect(complete({ ...back, browserSecret })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('can be distinguished from one that a server started, without consuming it', async () => {
    const describe = (state: string, provider = 'google_drive') =>
      oauth.describeAuthorization({ provider, state }, as());
    const bound = await init({ browserSecret });
    const free = await init({ name: 'By a server' });
    expect(await describe(bound.state)).toEqual({ connectorName: 'Drive', isBound: true });
    expect(await describe(free.state)).toEqual({ connectorName: 'By a server', isBound: false });
    await expect(describe(free.state, 'notion')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(describe('unknown')).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await complete(await agree(free.authorizationUrl))).toMatchObject({ success: true });
  });
});

describe('an authorisation', () => {
  it('creates a pending connector and activates it when its user returns', async () => {
    const begun = await init();
    const url = new URL(begun.authorizationUrl);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: google.clientId,
      redirect_uri: CALLBACK,
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: begun.state,
      access_type: 'offline',
    });
    expect(begun.expiresAt?.getTime()).toBeGreaterThan(Date.now() + 9 * 60_000);
    expect(begun.expiresAt?.getTime()).toBeLessThan(Date.now() + 11 * 60_000);
    expect(await get(begun.connectorId)).toMatchObject({ status: ConnectorStatus.PENDING_AUTH, collectionId });
    await expect(client.sync(begun.connectorId)).rejects.toMatchObject({ code: 'conflict' });

    const back = await agree(begun.authorizationUrl);
    expect(await complete(back)).toEqual({
      connectorId: begun.connectorId,
      provider: 'google_drive',
      success: true,
      redirectUri: DONE,
    });
    expect(await get(begun.connectorId)).toMatchObject({ status: ConnectorStatus.ACTIVE, statusReason: undefined });
    expect(await test(begun.connectorId)).toMatchObject({ success: true });
  });

  it('can be used once, for its provider and its team', async () => {
    const begun = await init();
    const back = await agree(begun.authorizationUrl);
    const rejection = { code: 'invalid_request', details: { issues: [{ path: 'state' }] } };
    await expect(complete(back, 'notion')).rejects.toMatchObject(rejection);
    await expect(
      oauth.completeAuthorization({ provider: 'google_drive', ...back }, callAs(createCaller())),
    ).rejects.toMatchObject(rejection);
    await expect(complete({ ...back, state: `${back.state.slice(0, -4)}0000` })).rejects.toMatchObject(rejection);
    const twice = await Promise.allSettled([complete(back), complete(back)]);
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(complete(back)).rejects.toMatchObject(rejection);
    expect(tokenRequests()).toHaveLength(1);
  });

  it('expires after ten minutes', async () => {
    const begun = await init();
    const back = await agree(begun.authorizationUrl);
    await system.rows("UPDATE connector.oauth_states SET expires_at = now() - interval '1 second'");
    await expect(complete(back)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('stores neither state nor verifier in plaintext', async () => {
    const begun = await init();
    const rows = JSON.stringify(await system.rows("SELECT *, encode(sealed, 'escape') FROM connector.oauth_states"));
    expect(rows).not.toContain(begun.state.split('.')[1]);
  });

  it('leaves the connector pending with a reason if the user denies it', async () => {
    const begun = await init();
    expect(await complete({ state: begun.state, error: 'access_denied' })).toMatchObject({
      success: false,
      redirectUri: DONE,
      message: 'The authorisation was denied.',
    });
    expect(await get(begun.connectorId)).toMatchObject({
      status: ConnectorStatus.PENDING_AUTH,
      statusReason: 'The authorisation was denied.',
    });
  });

  it('fails with instructions for an unknown code or a response without a refresh token', async () => {
    const begun = await init();
    expect(await complete({ state: begun.state, code: 'invented' })).toMatchObject({
      success: false,
      message: expect.stringContaining('Start the authorisation again'),
    });
    const again = await init({ name: undefined, collectionId: undefined, connectorId: begun.connectorId });
    expect(again.connectorId).toBe(begun.connectorId);
    const back = await agree(again.authorizationUrl);
    google.oauth.withholdRefreshTokens(true);
    expect(await complete(back)).toMatchObject({ success: false, message: expect.stringContaining('refresh token') });
    google.oauth.withholdRefreshTokens(false);
    expect((await get(begun.connectorId)).status).toBe(ConnectorStatus.PENDING_AUTH);
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
  it('that the source rejects are renewed once by any number of processes', async () => {
    const id = await authorize();
    await Promise.all([test(id), test(id, elsewhere)]);
    google.oauth.expireAccess();
    google.forget();
    const reports = await Promise.all(Array.from({ length: 12 }, (_, n) => test(id, n % 2 === 0 ? client : elsewhere)));
    expect(reports.every(({ success }) => success)).toBe(true);
    expect(tokenRequests()).toHaveLength(1);
  });

  it('are renewed before they expire', async () => {
    google.oauth.setLifetime(30);
    const id = await authorize();
    google.oauth.setLifetime(3_599);
    google.forget();
    expect(await test(id)).toMatchObject({ success: true });
    // Renewed without having been rejected first.
    expect(google.requests[0]?.path).toBe('/token');
    google.forget();
    await test(id);
    expect(tokenRequests()).toEqual([]);
  });

  it('that cannot be renewed for a while do not change the connector', async () => {
    const id = await authorize();
    google.oauth.expireAccess();
    google.fail(({ path }) => (path === '/token' ? { kind: 'status', status: 503 } : undefined));
    expect(await test(id)).toMatchObject({ success: false });
    expect((await get(id)).status).toBe(ConnectorStatus.ACTIVE);
    google.fail();
    expect(await test(id)).toMatchObject({ success: true });
  });

  it('that the provider has revoked make the connector pending', async () => {
    const id = await authorize();
    google.oauth.revoke();
    expect(await test(id)).toMatchObject({ success: false });
    expect(await get(id)).toMatchObject({
      status: ConnectorStatus.PENDING_AUTH,
      statusReason: expect.stringContaining('Authorise the connector again'),
    });
    const again = await init({ name: undefined, collectionId: undefined, connectorId: id });
    expect(await complete(await agree(again.authorizationUrl))).toMatchObject({ success: true, connectorId: id });
    expect(await test(id)).toMatchObject({ success: true });
    expect((await get(id)).status).toBe(ConnectorStatus.ACTIVE);
  });
});
