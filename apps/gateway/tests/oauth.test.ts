import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { KNOWN } from './support/records.ts';

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

describe('starting an authorization', () => {
  const init = (json: object) => gateway.send('post', '/api/v1/oauth/init', { json: { provider: 'notion', ...json } });

  it('uses a callback URL at the address of the request', async () => {
    const { json } = await init({ connectorId: KNOWN.connector, redirectUri: `${gateway.url}/console` });
    expect(json.data).toMatchObject({ authorizationUrl: expect.stringContaining('https://'), state: 's' });
    expect(new Date(json.data.expiresAt).toISOString()).toBe(json.data.expiresAt);
    expect(gateway.services.calls.at(-1)?.request).toMatchObject({
      callbackUrl: `${gateway.url}/api/v1/oauth/callback/notion`,
      redirectUri: `${gateway.url}/console`,
      connectorId: KNOWN.connector,
    });
  });

  it.each(['https://evil.test/', 'javascript:alert(1)', '/console'])(
    'rejects the redirect URI %s',
    async (redirectUri) => {
      const { status, json } = await init({ connectorId: KNOWN.connector, redirectUri });
      expect(status).toBe(400);
      expect(json.error.details.issues[0].path).toBe('redirectUri');
    },
  );
});

describe('the callback of an authorization', () => {
  it('is rate-limited per client address', async () => {
    const limited = await startTestGateway({ RATE_LIMIT_OAUTH_CALLBACKS_PER_MINUTE: '3', TRUST_PROXY: '127.0.0.1' });
    try {
      const from = (address: string) =>
        limited.send('GET', '/api/v1/oauth/callback/notion?state=nonsense&code=x', {
          key: null,
          headers: { 'X-Forwarded-For': address },
        });
      for (let n = 0; n < 3; n += 1) expectError(await from('192.0.2.1'), 400, 'invalid_request', 'state');
      const rejected = await from('192.0.2.1');
      expectError(rejected, 429, 'rate_limited', 'Too many authorization callbacks from this address. Retry after ');
      expect(rejected.headers.get('retry-after')).toBe(String(rejected.json.error.details.retryAfter));
      expectError(await from('192.0.2.2'), 400, 'invalid_request', 'state');
    } finally {
      await limited.stop();
    }
  });

  it('needs no key and acts for the team that the state names', async () => {
    const response = await withState();
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
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
  ])('redirects the user with the outcome', async (success, status) => {
    const redirectUri = 'https://app.example.com/done?tab=2';
    gateway.services.authorization = { connectorId: KNOWN.connector, provider: 'notion', success, redirectUri };
    const response = await withState();
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(`${redirectUri}&connectorId=${KNOWN.connector}&status=${status}`);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('is rejected if the name of the provider is invalid', async () => {
    for (const provider of ['a%00b', '%F0%9F%92%A9']) {
      const response = await gateway.send(
        'GET',
        `/api/v1/oauth/callback/${provider}?state=${gateway.keys.teamId}.x&code=x`,
      );
      expectError(response, 400, 'invalid_request', 'provider');
    }
  });

  it.each([
    ['is missing', ''],
    ['is malformed', '?state=abc&code=x'],
    ['is given twice', '?state=a&state=b'],
  ])('is rejected if the state %s', async (_, query) => {
    const response = await callback(query);
    expect(response.status).toBe(400);
    expect(JSON.stringify(await response.json())).toContain('state');
  });
});

describe('an authorization', () => {
  const BROWSER = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0', 'Sec-Fetch-Site': 'cross-site' };
  const state = () => `${gateway.keys.teamId}.abc`;
  const openCallback = (headers: Record<string, string>, query: Record<string, string> = {}) =>
    fetch(
      `${gateway.url}/api/v1/oauth/callback/notion?${new URLSearchParams({ state: state(), code: 'c0de', ...query })}`,
      { redirect: 'manual', headers },
    );
  const init = (headers: Record<string, string>) =>
    gateway.send('post', '/api/v1/oauth/init', {
      json: { provider: 'notion', connectorId: KNOWN.connector },
      headers,
    });
  const lastRequest = () => gateway.services.calls.at(-1)?.request;
  const completed = () => gateway.services.calls.filter(({ method }) => method === 'completeAuthorization').length;

  it('is bound to its browser by a cookie if a page of this server started it', async () => {
    const response = await init({ Origin: gateway.url });
    const cookie = response.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      /^lectern_oauth_start_[\da-f]{16}=[\w-]{43}; Path=\/api\/v1\/oauth\/callback\/notion; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    const [, secret = ''] = /=([\w-]{43});/.exec(cookie) ?? [];
    expect(lastRequest()).toMatchObject({ browserSecret: secret });
    expect(response.json.data).toMatchObject({ state: 's', authorizationUrl: expect.stringContaining('https://') });
    expect(response.text).not.toContain(secret);
  });

  it.each([
    ['a server', {}],
    ['a page of another site', { Origin: 'https://evil.test' }],
    ['a page without an origin', { Origin: 'null' }],
  ])('is not bound if %s started it', async (_who, headers) => {
    const response = await init(headers);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(Reflect.get(Object(lastRequest()), 'browserSecret')).toBeUndefined();
  });

  it('is matched by the secret that the browser sends', async () => {
    gateway.services.isBound = true;
    try {
      const name = `lectern_oauth_start_${createHash('sha256').update(state()).digest('hex').slice(0, 16)}`;
      expect((await openCallback({ ...BROWSER, Cookie: `a=b; ${name}=${'x'.repeat(43)}; c=d` })).status).toBe(200);
      expect(lastRequest()).toMatchObject({ code: 'c0de', browserSecret: 'x'.repeat(43) });
      await openCallback({ ...BROWSER, Cookie: 'lectern_oauth_start_0123456789abcdef=other' });
      expect(Reflect.get(Object(lastRequest()), 'browserSecret')).toBeUndefined();
    } finally {
      gateway.services.isBound = false;
    }
  });

  it('must be confirmed with a click in the returning browser if a server started it', async () => {
    const before = completed();
    const prompt = await openCallback(BROWSER);
    const page = await prompt.text();
    expect(prompt.status).toBe(200);
    expect(prompt.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(prompt.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page).toContain('Wiki &lt;b&gt;');
    expect(page).toContain('First team');
    expect(page).not.toContain('<script');
    const [, link = ''] = /href="(\?[^"]*confirm=[^"]*)"/.exec(page) ?? [];
    const query = Object.fromEntries(new URLSearchParams(link.replaceAll('&amp;', '&')));
    expect(query).toMatchObject({ state: state(), code: 'c0de' });
    const { confirm = '' } = query;
    // A person who has or guesses the link does not have the cookie.
    for (const other of [{}, { Cookie: `lectern_oauth_confirm_0123456789abcdef=${confirm}` }]) {
      expect((await openCallback({ ...BROWSER, ...other }, { confirm })).headers.get('content-type')).toContain(
        'text/html',
      );
    }
    const cookie = (prompt.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    expect(
      (await openCallback({ ...BROWSER, Cookie: cookie }, { confirm: 'y'.repeat(43) })).headers.get('content-type'),
    ).toContain('text/html');
    expect(completed()).toBe(before);
    const done = await openCallback({ ...BROWSER, Cookie: cookie }, { confirm });
    expect(await done.json()).toMatchObject({ data: { status: 'success' } });
    expect(completed()).toBe(before + 1);
  });

  it('is denied, or completed by a program, without a confirmation if a server started it', async () => {
    const before = completed();
    await fetch(`${gateway.url}/api/v1/oauth/callback/notion?state=${state()}&error=access_denied`, {
      headers: BROWSER,
    });
    await openCallback({});
    await openCallback({ 'User-Agent': 'python-requests/2.32', Accept: '*/*' });
    expect(completed()).toBe(before + 3);
  });
});
