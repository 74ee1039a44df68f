import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { KNOWN } from './support/records.ts';
import { expectRefusal } from './support/refusal.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.services.authorization = { connectorId: KNOWN.connector, provider: 'notion', success: true };
});

const callback = (query: string) =>
  fetch(`${gateway.url}/api/v1/oauth/callback/notion${query}`, { redirect: 'manual', headers: {} });
const withState = () => callback(`?state=${gateway.keys.teamId}.abc&code=c0de&scope=extra`);

describe('beginning an authorisation', () => {
  const init = (json: object) => gateway.send('post', '/api/v1/oauth/init', { json: { provider: 'notion', ...json } });

  it('names the callback at the address that was asked', async () => {
    const { json } = await init({ connectorId: KNOWN.connector, redirectUri: `${gateway.url}/console` });
    expect(json.data).toMatchObject({ authorizationUrl: expect.stringContaining('https://'), state: 's' });
    expect(new Date(json.data.expiresAt).toISOString()).toBe(json.data.expiresAt);
    expect(gateway.services.calls.at(-1)?.request).toMatchObject({
      callbackUrl: `${gateway.url}/api/v1/oauth/callback/notion`,
      redirectUri: `${gateway.url}/console`,
      connectorId: KNOWN.connector,
    });
  });

  it.each(['https://evil.test/', 'javascript:alert(1)', '/console'])('refuses to lead to %s', async (redirectUri) => {
    const { status, json } = await init({ connectorId: KNOWN.connector, redirectUri });
    expect(status).toBe(400);
    expect(json.error.details.issues[0].path).toBe('redirectUri');
  });
});

describe('the callback of an authorisation', () => {
  it('is limited for each client address', async () => {
    const limited = await startTestGateway({ RATE_LIMIT_OAUTH_CALLBACKS_PER_MINUTE: '3', TRUST_PROXY: '127.0.0.1' });
    try {
      const from = (address: string) =>
        limited.send('GET', '/api/v1/oauth/callback/notion?state=nonsense&code=x', {
          key: null,
          headers: { 'X-Forwarded-For': address },
        });
      for (let n = 0; n < 3; n += 1) expectRefusal(await from('192.0.2.1'), 400, 'invalid_request', 'state');
      const refused = await from('192.0.2.1');
      expectRefusal(refused, 429, 'rate_limited', 'Too many authorization callbacks from this address. Retry after ');
      expect(refused.headers.get('retry-after')).toBe(String(refused.json.error.details.retryAfter));
      expectRefusal(await from('192.0.2.2'), 400, 'invalid_request', 'state');
    } finally {
      await limited.stop();
    }
  });

  it('needs no key and acts for the team that the state names', async () => {
    const answer = await withState();
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      data: { connectorId: KNOWN.connector, provider: 'notion', status: 'success' },
    });
    expect(gateway.services.calls.at(-1)).toMatchObject({
      request: { provider: 'notion', code: 'c0de', state: `${gateway.keys.teamId}.abc` },
      caller: { teamId: gateway.keys.teamId, keyId: undefined },
    });
  });

  it.each([
    [true, 'success'],
    [false, 'error'],
  ])('sends the user on with the outcome', async (success, status) => {
    const redirectUri = 'https://app.example.com/done?tab=2';
    gateway.services.authorization = { connectorId: KNOWN.connector, provider: 'notion', success, redirectUri };
    const answer = await withState();
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(`${redirectUri}&connectorId=${KNOWN.connector}&status=${status}`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('is refused where the provider has a name that none can have', async () => {
    for (const provider of ['a%00b', '%F0%9F%92%A9']) {
      const answer = await gateway.send(
        'GET',
        `/api/v1/oauth/callback/${provider}?state=${gateway.keys.teamId}.x&code=x`,
      );
      expectRefusal(answer, 400, 'invalid_request', 'provider');
    }
  });

  it.each([
    ['is missing', ''],
    ['is no state', '?state=abc&code=x'],
    ['is given twice', '?state=a&state=b'],
  ])('is refused where the state %s', async (_, query) => {
    const answer = await callback(query);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(await answer.json())).toContain('state');
  });
});
