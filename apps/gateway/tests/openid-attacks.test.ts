import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lectern/service-kit';
import { type BrowserResponse, createTestBrowser, runCount, type TestBrowser } from '@lectern/testing';
import fc from 'fast-check';
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { accountOf } from '#identity/oidc/account';
import { profileOf } from '#identity/oidc/claims';
import { NO_PASSWORD } from '#identity/passwords';
import { newKey } from '#keys/format';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { addProvider, type TestProvider } from './support/openid.ts';

const EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} };
const now = () => Math.floor(Date.now() / 1000);

let gateway: TestGateway;
let provider: TestProvider;
/** Another provider of the same team, which an attacker controls. */
let evil: TestProvider;
beforeAll(async () => {
  gateway = await startTestGateway();
  provider = await addProvider(gateway, { domains: ['example.org'] });
  evil = await addProvider(gateway, { name: 'Evil login' });
});
afterEach(() => provider.rewriteTokens());
afterAll(async () => {
  await evil?.stop();
  await provider?.stop();
  await gateway?.stop();
});

function addPerson(more: object = {}, at = provider) {
  const subject = newId('person');
  const email = `${subject}@example.org`;
  at.people.set(subject, { email, email_verified: true, name: 'Ada', ...more });
  return { subject, email };
}

const whoAmI = (cookie: string) => gateway.send('GET', '/api/v1/key', { key: null, headers: { Cookie: cookie } });
const isSignedIn = async (browser: TestBrowser) => (await whoAmI(browser.cookiesFor(gateway.url))).status === 200;

/** Expects that a request fails with a page, and that the browser is not signed in. */
async function expectRefused(response: BrowserResponse, browser: TestBrowser, text: string): Promise<void> {
  expect({ status: response.status, url: response.url.origin }).toEqual({ status: 403, url: gateway.url });
  expect(response.text).toContain('You are not signed in');
  expect(response.text).toContain(text);
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(await isSignedIn(browser)).toBe(false);
}

const NOT_STARTED = 'was not started in this browser';
const NOT_VERIFIED = 'could not be verified';

async function signedIn() {
  const person = addPerson();
  const browser = createTestBrowser();
  await provider.signIn(person.subject, browser);
  return { ...person, browser, cookie: browser.cookiesFor(gateway.url) };
}

describe('an attacker', () => {
  it('cannot plant a session that the victim then signs in to', async () => {
    const { subject } = addPerson();
    const attacker = await signedIn();
    for (const planted of [
      attacker.cookie.split('; ').find((it) => it.startsWith('lectern_session=')) ?? '',
      `lectern_session=${newKey('session')}`,
    ]) {
      const victim = createTestBrowser();
      victim.setCookie(gateway.url, planted);
      await provider.signIn(subject, victim);
      expect(victim.cookiesFor(gateway.url)).not.toContain(planted);
      expectError(await whoAmI(planted), 401, 'unauthorized');
      expect(await isSignedIn(victim)).toBe(true);
    }
  });

  it('cannot end a session or start one with a POST from another site', async () => {
    const { cookie, browser } = await signedIn();
    const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://attacker.example' };
    expectError(await gateway.send('DELETE', '/api/v1/session', { key: null, headers }), 403, 'forbidden');
    for (const path of [`/sign-in/${provider.id}`, `/sign-in/${provider.id}/callback`]) {
      expectError(await gateway.send('POST', path, { key: null, headers, body: 'a=b' }), 405, 'method_not_allowed');
    }
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('cannot use a stolen cookie after the sign-out', async () => {
    const { cookie } = await signedIn();
    await gateway.send('DELETE', '/api/v1/session', { key: null, headers: { Cookie: cookie } });
    expectError(await whoAmI(cookie), 401, 'unauthorized', 'session has ended');
  });

  it('cannot use a response twice', async () => {
    const { subject } = addPerson();
    const browser = createTestBrowser();
    const callback = await provider.callbackFor(subject, browser);
    const [first, second] = await Promise.all(
      [1, 2].map(() => browser.open(callback, ({ pathname }) => pathname === '/console')),
    );
    expect([first?.status, second?.status].sort()).toEqual([302, 403]);
    const third = await browser.open(callback);
    expect(third.status).toBe(403);
    expect(third.text).toContain(NOT_STARTED);
  });

  it('cannot use a response after ten minutes', async () => {
    const { subject } = addPerson();
    const browser = createTestBrowser();
    const callback = await provider.callbackFor(subject, browser);
    await gateway.db.signInAttempt.updateMany({ data: { expiresAt: new Date() } });
    await expectRefused(await browser.open(callback), browser, NOT_STARTED);
  });

  it('cannot sign a victim in to another account with a response of their own browser', async () => {
    const { subject } = addPerson();
    const attacker = createTestBrowser();
    const callback = await provider.callbackFor(subject, attacker);
    const victim = createTestBrowser();
    await expectRefused(await victim.open(callback), victim, NOT_STARTED);
    // Nor if the victim has just started a sign-in.
    await provider.start(victim);
    await expectRefused(await victim.open(callback), victim, NOT_STARTED);
    // The failed attempts did not use it up.
    await attacker.open(callback, ({ pathname }) => pathname === '/console');
    expect(await isSignedIn(attacker)).toBe(true);
  });

  it('cannot use the code of a victim in another browser, or twice', async () => {
    const { subject } = addPerson();
    const victim = createTestBrowser();
    const stolen = await provider.callbackFor(subject, victim);
    const attacker = createTestBrowser();
    const own = await provider.callbackFor(addPerson().subject, attacker);
    own.searchParams.set('code', String(stolen.searchParams.get('code')));
    await expectRefused(await attacker.open(own), attacker, NOT_VERIFIED);
    const again = await provider.callbackFor(subject, victim);
    again.searchParams.set('code', String(stolen.searchParams.get('code')));
    await expectRefused(await victim.open(again), victim, NOT_VERIFIED);
  });

  it('cannot use an ID token of another sign-in', async () => {
    const { subject } = addPerson();
    let captured: unknown;
    provider.rewriteTokens((response) => {
      captured ??= response.id_token;
      return { ...response, id_token: captured };
    });
    await provider.signIn(subject, createTestBrowser());
    expect(captured).toEqual(expect.any(String));
    const browser = createTestBrowser();
    await expectRefused(await provider.signIn(subject, browser), browser, NOT_VERIFIED);
  });

  it('cannot pass the response of one provider off as that of another', async () => {
    const { subject } = addPerson({}, evil);
    const { subject: honest } = addPerson();
    const browser = createTestBrowser();
    const fromEvil = await evil.callbackFor(subject, browser);
    const toHonest = new URL(fromEvil);
    toHonest.pathname = `/sign-in/${provider.id}/callback`;
    await expectRefused(await browser.open(toHonest), browser, NOT_STARTED);
    // The victim starts at the evil provider, which sends the victim to the honest one.
    const fromHonest = await provider.callbackFor(honest, browser);
    const mixed = new URL(await evil.callbackFor(subject, browser));
    for (const name of ['code', 'iss']) mixed.searchParams.set(name, String(fromHonest.searchParams.get(name)));
    await expectRefused(await browser.open(mixed), browser, NOT_VERIFIED);
    // Without the issuer, which both providers announce.
    const without = await provider.callbackFor(honest, browser);
    without.searchParams.delete('iss');
    await expectRefused(await browser.open(without), browser, NOT_VERIFIED);
    const wrong = await provider.callbackFor(honest, browser);
    wrong.searchParams.set('iss', evil.issuer);
    await expectRefused(await browser.open(wrong), browser, NOT_VERIFIED);
  });

  it('cannot take over an account with an address that the provider did not verify', async () => {
    const victim = newId('person');
    const email = `${victim}@example.org`;
    const row = { id: victim, teamId: gateway.keys.teamId, email, name: 'Victim', role: 'admin' } as const;
    await gateway.db.person.create({ data: { ...row, passwordHash: NO_PASSWORD } });
    await gateway.send('POST', '/api/v1/invitations', { json: { email: 'invited@example.org' } });
    const claims = [
      { email, email_verified: false },
      { email, email_verified: undefined },
      { email: email.toUpperCase(), email_verified: false },
      { email: 'invited@example.org', email_verified: false },
      { email: undefined, email_verified: true },
      { email: 'not an address', email_verified: true },
    ];
    for (const claim of claims) {
      const { subject } = addPerson(claim);
      const browser = createTestBrowser();
      await expectRefused(await provider.signIn(subject, browser), browser, 'did not confirm your email address');
    }
    expect(await gateway.db.personIdentity.count({ where: { personId: victim } })).toBe(0);
    // A provider without this domain cannot either, even if it reports the address as verified.
    const { subject } = addPerson({ email }, evil);
    const browser = createTestBrowser();
    await expectRefused(await evil.signIn(subject, browser), browser, 'may not sign in to the account');
  });

  it('cannot use an address of an organization from a private Google account', async () => {
    const google = {
      ...{ id: 'idp', slug: 'google', name: 'Google', issuer: 'https://accounts.google.com', domains: ['example.org'] },
      teamId: gateway.keys.teamId,
      defaultRole: 'member',
      trustsAddresses: false,
      allowsOwners: false,
    } as const;
    const claims = { sub: 'x', email: 'ada@example.org', email_verified: true };
    const profile = (more: object) => profileOf({ ...claims, ...more }, 'groups')!;
    await expect(accountOf(gateway.db, google, profile({}))).rejects.toThrow('did not confirm');
    await expect(accountOf(gateway.db, google, profile({ hd: 'other.org' }))).rejects.toThrow('did not confirm');
    const rollback = gateway.db.$transaction(async (tx) => {
      await tx.identityProvider.create({
        data: {
          id: 'idp',
          teamId: google.teamId,
          slug: 'google',
          name: 'Google',
          issuer: google.issuer,
          clientId: 'x',
          sealed: Buffer.from('x'),
          wrappedKey: Buffer.from('x'),
          masterKeyVersion: 1,
        },
      });
      const { person } = await accountOf(tx, google, profile({ hd: 'example.org' }));
      throw new Error(`created ${person.email}`);
    });
    await expect(rollback).rejects.toThrow('created ada@example.org');
  });

  it('cannot redirect a person to another site after the sign-in', async () => {
    const { subject } = addPerson();
    const browser = createTestBrowser();
    await provider.signIn(subject, browser);
    const own = new URL(gateway.url);
    const part = fc.constantFrom(
      '/',
      '//',
      '\\',
      '/\\',
      'https:',
      'javascript:',
      '@',
      '.',
      '..',
      '%2f',
      '%5c',
      '\t',
      '\n',
      '\u0000',
      'evil.example',
      '/console',
      'console',
      '?',
      '#',
      ':',
      ' ',
      '[',
      'alert(1)',
      own.host,
      '/api/v1/session',
    );
    const target = fc.oneof(
      fc.array(part, { maxLength: 6 }).map((parts) => parts.join('')),
      fc.webUrl(),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(target, async (returnTo) => {
        const last = await provider.signIn(subject, browser, returnTo);
        const location = new URL(String(last.headers.get('location')));
        expect(location.origin).toBe(own.origin);
        expect(location.pathname).toMatch(/^\/console(?:\/|$)/);
      }),
      { numRuns: runCount({ quick: 100, full: 1_000 }) },
    );
  });

  it('cannot read or set the sign-in of a browser over plain HTTP or from a sibling domain', async () => {
    const secure = await startTestGateway({ PUBLIC_URL: 'https://lectern.example.com' });
    const other = await addProvider(secure, { domains: ['example.org'] });
    try {
      const response = await fetch(`${secure.url}/sign-in/${other.id}`, { redirect: 'manual' });
      expect(response.headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^__Host-lectern_sign_in=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
        ),
      ]);
      const location = new URL(String(response.headers.get('location')));
      expect(location.searchParams.get('redirect_uri')).toBe(
        `https://lectern.example.com/sign-in/${other.id}/callback`,
      );
      expect(location.searchParams.get('code_challenge_method')).toBe('S256');
      // The database alone is not enough to finish a sign-in.
      const [attempt] = await secure.db.signInAttempt.findMany();
      for (const name of ['state', 'nonce', 'code_challenge']) {
        expect(JSON.stringify(attempt)).not.toContain(location.searchParams.get(name));
      }
    } finally {
      await other.stop();
      await secure.stop();
    }
  });

  it('cannot exhaust the memory with the response of a provider', async () => {
    const server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ filler: 'x'.repeat(2 * 1024 * 1024) }));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const json = { name: 'Large', slug: 'large', issuer, clientId: 'x', clientSecret: 'x' };
      const response = await gateway.send('POST', '/api/v1/identity-providers', { json });
      expectError(response, 400, 'invalid_request', 'issuer');
      expect(response.text).toContain('larger than 1 MiB');
    } finally {
      server.close();
    }
  });

  it('cannot start endless sign-ins from one address', async () => {
    const strict = await startTestGateway({ RATE_LIMIT_SIGN_INS_PER_MINUTE: '2' });
    const other = await addProvider(strict, { domains: ['example.org'] });
    try {
      const statuses = [];
      for (let n = 0; n < 22; n += 1) {
        statuses.push((await fetch(`${strict.url}/sign-in/${other.id}`, { redirect: 'manual' })).status);
      }
      expect([statuses.at(0), statuses.at(-1)]).toEqual([302, 429]);
    } finally {
      await other.stop();
      await strict.stop();
    }
  });
});

const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const sign = (claims: JWTPayload, key: KeyObject | Uint8Array = provider.signingKey, alg = 'RS256', typ = 'JWT') =>
  new SignJWT(claims).setProtectedHeader({ alg, kid: provider.keyId, typ }).sign(key);

/** A changed token: its claims, and how it is signed. */
type Forged = readonly [string, (claims: JWTPayload) => Promise<string> | string];

const FORGED: readonly Forged[] = [
  ['signed with another key', (claims) => sign(claims, otherKey)],
  ['without a signature', (claims) => new UnsecuredJWT(claims).encode()],
  [
    'signed with the client secret',
    (claims) => sign(claims, Buffer.from(provider.clientSecret.padEnd(32, 'x')), 'HS256'),
  ],
  [
    'changed after it was signed',
    async (claims) => {
      const [head, , signature] = (await sign(claims)).split('.');
      return [head, Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url'), signature].join(
        '.',
      );
    },
  ],
  ['of another issuer', (claims) => sign({ ...claims, iss: evil.issuer })],
  ['for another client', (claims) => sign({ ...claims, aud: 'another-client' })],
  ['that has expired', (claims) => sign({ ...claims, exp: now() - 3_600, iat: now() - 7_200 })],
];

describe('an ID token', () => {
  it.each([
    ...FORGED,
    ['without a nonce', ({ nonce: _, ...claims }) => sign(claims)],
    ['with another nonce', (claims) => sign({ ...claims, nonce: 'x' })],
    [
      'for several clients without the one it was issued to',
      (claims) => sign({ ...claims, aud: ['lectern', 'x'], azp: 'x' }),
    ],
    ['without a subject', ({ sub: _, ...claims }) => sign(claims)],
    ['that is not a token', () => 'x.y.z'],
  ] satisfies readonly Forged[])('%s is refused', async (_name, forge) => {
    const { subject } = addPerson();
    let idToken = '';
    provider.rewriteTokens((response) => ({ ...response, id_token: idToken }));
    /** Finishes a sign-in with a token for its nonce. */
    const finish = async (browser: TestBrowser, create: Forged[1]) => {
      const callback = await provider.callbackFor(subject, browser);
      const times = { iat: now(), exp: now() + 600 };
      idToken = await create({
        iss: provider.issuer,
        aud: provider.clientId,
        sub: subject,
        nonce: nonceOf(browser, callback),
        ...times,
      });
      return browser.open(callback, ({ pathname }) => pathname === '/console');
    };
    // The same token works if it is not changed.
    expect((await finish(createTestBrowser(), (claims) => sign(claims))).status).toBe(302);
    const browser = createTestBrowser();
    await expectRefused(await finish(browser, forge), browser, NOT_VERIFIED);
  });
});

/** The nonce of an attempt, which only the browser's cookie and the gateway's code know. */
function nonceOf(browser: TestBrowser, callback: URL): string {
  const secret = /lectern_sign_in=([\w-]{43})/.exec(browser.cookiesFor(gateway.url))?.[1] ?? '';
  return createHmac('sha256', secret)
    .update(`nonce\n${callback.searchParams.get('state')}`)
    .digest('base64url');
}

describe('a logout token', () => {
  const logOut = (token: string, more: object = {}) =>
    gateway.send('POST', `/sign-in/${provider.id}/back-channel-logout`, {
      key: null,
      body: new URLSearchParams({ logout_token: token }),
      ...more,
    });
  const claimsFor = (sub: string): JWTPayload => ({
    iss: provider.issuer,
    aud: 'lectern',
    sub,
    iat: now(),
    exp: now() + 120,
    jti: newId('request'),
    events: EVENT,
  });

  it('ends all sessions of its subject, once', async () => {
    const { browser, subject } = await signedIn();
    const token = await sign(claimsFor(subject), undefined, 'RS256', 'logout+jwt');
    expect((await logOut(token)).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(false);
    await provider.signIn(subject, browser);
    expectError(await logOut(token), 400, 'invalid_request', 'logout_token');
    expect(await isSignedIn(browser)).toBe(true);
  });

  it.each([
    ...FORGED,
    ['that is old', ({ exp: _, ...claims }) => sign({ ...claims, iat: now() - 3_600 })],
    ['without a time', ({ iat: _, ...claims }) => sign(claims)],
    ['without an id', ({ jti: _, ...claims }) => sign(claims)],
    ['without the event', ({ events: _, ...claims }) => sign(claims)],
    ['with another event', (claims) => sign({ ...claims, events: { x: {} } })],
    ['with a nonce, like an ID token', (claims) => sign({ ...claims, nonce: 'x' })],
    ['without a subject and a session', ({ sub: _, ...claims }) => sign(claims)],
    ['that is not a token', () => 'x'],
  ] satisfies readonly Forged[])('%s is refused', async (_name, forge) => {
    const { browser, subject } = await signedIn();
    const forged = await forge(claimsFor(subject));
    expectError(await logOut(forged), 400, 'invalid_request', 'logout_token');
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('of another provider ends nothing', async () => {
    const { browser, subject } = await signedIn();
    const claims = { ...claimsFor(subject), iss: evil.issuer };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: evil.keyId }).sign(evil.signingKey);
    const body = new URLSearchParams({ logout_token: token });
    const sent = await gateway.send('POST', `/sign-in/${evil.id}/back-channel-logout`, { key: null, body });
    // It is valid for its own provider, which has not signed this person in.
    expect(sent.json.data).toEqual({ ended: 0 });
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('must arrive as one field of a small form', async () => {
    const token = await sign(claimsFor('x'));
    const twice = new URLSearchParams([
      ['logout_token', token],
      ['logout_token', token],
    ]);
    expectError(await logOut(token, { body: twice }), 400, 'invalid_request', 'logout_token');
    expectError(await logOut(token, { body: new URLSearchParams() }), 400, 'invalid_request', 'logout_token');
    expectError(await logOut('x'.repeat(70_000)), 413, 'payload_too_large');
    const headers = { 'Content-Type': 'application/json' };
    expectError(await logOut(token, { body: '{}', headers }), 415, 'unsupported_media_type');
  });
});
