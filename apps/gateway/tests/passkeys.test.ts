import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lectern/service-kit';
import { type AuthenticatorFault, createAuthenticator, type SoftCredential, waitUntil } from '@lectern/testing';
import { createLink } from '#identity/link-store';
import { expectError } from './support/expect-error.ts';
import { type SendInit, startTestGateway, type TestGateway, type TestResponse } from './support/gateway.ts';

const ORIGIN = 'https://lectern.example.com';
const PASSWORD = 'a long enough sentence';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ PUBLIC_URL: ORIGIN });
});
afterAll(() => gateway.stop());

const authenticator = createAuthenticator(ORIGIN);

/** A browser with its cookies. */
function createBrowser() {
  const cookies = new Map<string, string>();
  const sendWith = async (method: string, path: string, init: SendInit = {}): Promise<TestResponse> => {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await gateway.send(method, path, { key: null, ...init, headers: { Cookie, ...init.headers } });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  return {
    cookies,
    send: sendWith,
    get: (path: string) => sendWith('GET', path),
    post: (path: string, json?: object, headers: Record<string, string> = {}) =>
      sendWith('POST', path, { json, headers }),
    /** Returns the options of a ceremony. */
    options: async (path: string, json?: object) => (await sendWith('POST', path, { json })).json.data.options,
  };
}
type Browser = ReturnType<typeof createBrowser>;

const newInvitation = async (email = `${newId('person')}@example.com`) => {
  const { json } = await gateway.send('POST', '/api/v1/invitations', { json: { email } });
  return { email, token: String(json.data.url).split('#')[1]! };
};

/** Accepts an invitation with a passkey. */
async function join(browser = createBrowser()) {
  const { email, token } = await newInvitation();
  const options = await browser.options('/api/v1/account-links/passkey-options', { token, name: 'Grace' });
  const credential = authenticator.create(options);
  const passkey = { ...credential.created, name: 'Laptop' };
  const response = await browser.post('/api/v1/account-links/use', { token, name: 'Grace', passkey });
  expect(response.status).toBe(200);
  return { browser, email, credential, person: response.json.data.person };
}

async function joinWithPassword() {
  const browser = createBrowser();
  const { email, token } = await newInvitation();
  const used = await browser.post('/api/v1/account-links/use', { token, name: 'Ada', password: PASSWORD });
  return { browser, email, person: used.json.data.person };
}

const startSignIn = (browser: Browser) => browser.options('/api/v1/session/passkey/options');

async function signIn(credential: SoftCredential, browser = createBrowser(), fault: AuthenticatorFault = {}) {
  const assertion = credential.sign(await startSignIn(browser), fault);
  return browser.post('/api/v1/session/passkey', assertion);
}

async function addPasskey(browser: Browser, fault: AuthenticatorFault = {}, name = 'Phone') {
  const credential = authenticator.create(await browser.options('/api/v1/account/passkeys/options'), fault);
  const response = await browser.post('/api/v1/account/passkeys', { ...credential.created, name });
  return { credential, response };
}

const expectRejected = (response: TestResponse) => {
  expectError(response, 401, 'unauthorized', 'The passkey was not accepted');
  expect(response.headers.getSetCookie()).toEqual([]);
};

describe('an account with a passkey', () => {
  it('is created by an invitation, without a password, and signs in without an address', async () => {
    const { browser, credential, person, email } = await join();
    expect((await browser.get('/api/v1/account')).json.data).toMatchObject({
      person: { id: person.id, email },
      hasPassword: false,
      canUsePasskeys: true,
      passkeys: [{ name: 'Laptop', lastUsedAt: null }],
    });
    const other = createBrowser();
    const response = await signIn(credential, other);
    expect(response.json.data.person.id).toBe(person.id);
    const { data } = (await other.get('/api/v1/account')).json;
    expect(data.passkeys[0].lastUsedAt).not.toBeNull();
    for (const password of ['', 'none', PASSWORD]) {
      const attempt = await createBrowser().post('/api/v1/session', { email, password });
      expect([400, 401]).toContain(attempt.status);
    }
  });

  it('is created by the first owner link', async () => {
    const { token } = await createLink(gateway.db, gateway.otherKeys.teamId, { purpose: 'owner' }, undefined);
    const browser = createBrowser();
    const start = { token, name: 'Ada', email: `${newId('person')}@example.com` };
    expectError(
      await browser.post('/api/v1/account-links/passkey-options', { token, name: 'Ada' }),
      400,
      'invalid_request',
      'email',
    );
    const credential = authenticator.create(await browser.options('/api/v1/account-links/passkey-options', start));
    const passkey = { ...credential.created, name: 'Laptop' };
    const used = await browser.post('/api/v1/account-links/use', { ...start, passkey });
    expect(used.json.data.person).toMatchObject({ email: start.email, role: 'owner' });
    expect((await signIn(credential)).json.data.person.id).toBe(used.json.data.person.id);
  });

  it('requires exactly one of a password and a passkey', async () => {
    const { token } = await newInvitation();
    const browser = createBrowser();
    const options = await browser.options('/api/v1/account-links/passkey-options', { token, name: 'Grace' });
    const passkey = { ...authenticator.create(options).created, name: 'Laptop' };
    for (const way of [{}, { password: PASSWORD, passkey }]) {
      const response = await browser.post('/api/v1/account-links/use', { token, name: 'Grace', ...way });
      expectError(response, 400, 'invalid_request', 'password');
    }
  });

  it('gets more passkeys with names, and removes them, but never the last way to sign in', async () => {
    const { browser, credential } = await join();
    const added = await addPasskey(browser);
    expect(added.response.json.data).toMatchObject({ name: 'Phone', lastUsedAt: null });
    expect((await signIn(added.credential)).status).toBe(200);
    const { passkeys } = (await browser.get('/api/v1/account')).json.data;
    expect(passkeys.map(({ name }: { name: string }) => name)).toEqual(['Laptop', 'Phone']);
    const removed = await browser.send('DELETE', `/api/v1/account/passkeys/${passkeys[0].id}`);
    expect(removed.json.data).toEqual({ id: passkeys[0].id, deleted: true });
    expectRejected(await signIn(credential));
    const last = () => browser.send('DELETE', `/api/v1/account/passkeys/${passkeys[1].id}`);
    expectError(await last(), 409, 'conflict', 'only way to sign in');
    expect((await browser.post('/api/v1/account/password', { password: PASSWORD })).json.data.hasPassword).toBe(true);
    expectError(await browser.post('/api/v1/account/password', { password: PASSWORD }), 409, 'conflict');
    expect((await last()).status).toBe(200);
    expectRejected(await signIn(added.credential));
  });

  it('keeps a way to sign in if two passkeys are removed at once', async () => {
    const { browser } = await join();
    await addPasskey(browser);
    const { passkeys } = (await browser.get('/api/v1/account')).json.data;
    const remove = ({ id }: { id: string }) => browser.send('DELETE', `/api/v1/account/passkeys/${id}`);
    const statuses = (await Promise.all(passkeys.map(remove))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
  });

  it('has at most 20 passkeys', async () => {
    const { browser, person } = await join();
    const row = { personId: person.id, name: 'x', publicKey: Buffer.alloc(1), counter: 0 };
    const data = Array.from({ length: 19 }, () => ({
      ...row,
      id: newId('passkey'),
      credentialId: Buffer.from(newId('passkey')),
    }));
    await gateway.db.passkey.createMany({ data });
    expectError(await browser.post('/api/v1/account/passkeys/options'), 409, 'conflict', '20 passkeys');
  });

  it('loses its passkeys, its password and its sessions with a reset', async () => {
    const { browser, credential, person } = await join();
    await browser.post('/api/v1/account/password', { password: PASSWORD });
    const { json } = await gateway.send('POST', `/api/v1/people/${person.id}/password-reset`);
    const token = json.data.url.split('#')[1];
    const fresh = createBrowser();
    const options = await fresh.options('/api/v1/account-links/passkey-options', { token });
    expect(Buffer.from(options.user.id, 'base64url').toString()).toBe(person.id);
    const next = authenticator.create(options);
    const used = await fresh.post('/api/v1/account-links/use', { token, passkey: { ...next.created, name: 'New' } });
    expect(used.json.data.person.id).toBe(person.id);
    expectRejected(await signIn(credential));
    expectError(await browser.get('/api/v1/account'), 401, 'unauthorized');
    expectError(await fresh.post('/api/v1/session', { email: person.email, password: PASSWORD }), 401, 'unauthorized');
    expect((await signIn(next)).status).toBe(200);
    const audit = (await gateway.send('GET', '/api/v1/audit?action=useAccountLink&limit=1')).json.data;
    expect(audit[0].details).toMatchObject({ purpose: 'reset', passkey: 'New' });
  });

  it('cannot sign in while it is deactivated', async () => {
    const { credential, person } = await join();
    await gateway.send('PUT', `/api/v1/people/${person.id}`, { json: { status: 'deactivated' } });
    expectRejected(await signIn(credential));
    await gateway.send('PUT', `/api/v1/people/${person.id}`, { json: { status: 'active' } });
    expect((await signIn(credential)).status).toBe(200);
  });
});

describe('signing in with a passkey', () => {
  it('rejects a replayed response, also at the same time', async () => {
    const { credential } = await join();
    const browser = createBrowser();
    const assertion = credential.sign(await startSignIn(browser));
    const responses = await Promise.all([1, 2, 3].map(() => browser.post('/api/v1/session/passkey', assertion)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expectRejected(await browser.post('/api/v1/session/passkey', assertion));
  });

  it('rejects the challenge of another browser', async () => {
    const { credential } = await join();
    const attacker = createBrowser();
    const assertion = credential.sign(await startSignIn(attacker));
    const victim = createBrowser();
    expectRejected(await victim.post('/api/v1/session/passkey', assertion));
    await startSignIn(victim);
    expectRejected(await victim.post('/api/v1/session/passkey', assertion));
    expect((await attacker.post('/api/v1/session/passkey', assertion)).status).toBe(200);
  });

  it('rejects challenges that are expired, invented or of another ceremony', async () => {
    const { credential, browser } = await join();
    const start = await startSignIn(browser);
    expectRejected(await signIn(credential, browser, { challenge: Buffer.alloc(32).toString('base64url') }));
    const { challenge } = await browser.options('/api/v1/account/passkeys/options');
    expectRejected(await signIn(credential, browser, { challenge }));
    const { token } = await newInvitation();
    const link = await browser.options('/api/v1/account-links/passkey-options', { token, name: 'Eve' });
    expectRejected(await signIn(credential, browser, { challenge: link.challenge }));
    await gateway.db.passkeyChallenge.updateMany({ data: { expiresAt: new Date() } });
    expectRejected(await browser.post('/api/v1/session/passkey', credential.sign(start)));
  });

  it.each<[string, AuthenticatorFault]>([
    ['the origin of another site', { origin: 'https://lectern.example.com.attacker.example' }],
    ['a plain HTTP origin', { origin: 'http://lectern.example.com' }],
    ['another relying party', { rpId: 'attacker.example' }],
    ['no user verification', { withoutVerification: true }],
    ['the type of a registration', { type: 'webauthn.create' }],
    ['a counter that did not grow', { counter: 1 }],
    ['the handle of another person', { userHandle: Buffer.from('per_someone').toString('base64url') }],
  ])('rejects %s', async (_what, fault) => {
    const { credential } = await join();
    const browser = createBrowser();
    const options = await startSignIn(browser);
    expectRejected(await browser.post('/api/v1/session/passkey', credential.sign(options, fault)));
    // The challenge is used up, so that an attacker cannot try again with it.
    expectRejected(await browser.post('/api/v1/session/passkey', credential.sign(options)));
    expect((await signIn(credential)).status).toBe(200);
  });

  it('rejects the credential of another person, and changed signatures', async () => {
    const [ada, eve] = [await join(), await join()];
    const browser = createBrowser();
    const asAda = { credentialId: ada.credential.id, userHandle: ada.credential.userHandle };
    expectRejected(
      await browser.post('/api/v1/session/passkey', { ...eve.credential.sign(await startSignIn(browser)), ...asAda }),
    );
    const signed = ada.credential.sign(await startSignIn(browser));
    const signature = Buffer.from(signed.signature, 'base64url');
    signature[signature.length - 1]! ^= 1;
    expectRejected(
      await browser.post('/api/v1/session/passkey', { ...signed, signature: signature.toString('base64url') }),
    );
  });

  it('gives the same response for an unknown and a known credential', async () => {
    const { credential } = await join();
    const known = await signIn(credential, createBrowser(), { withoutVerification: true });
    const unknown = authenticator.create({ challenge: 'x', rp: { id: 'x' }, user: { id: credential.userHandle } });
    const other = await signIn(unknown);
    for (const response of [known, other]) expectRejected(response);
    expect(known.json.error).toEqual(other.json.error);
    const options = await startSignIn(createBrowser());
    expect(options).toMatchObject({ rpId: 'lectern.example.com', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
  });

  it('lets only one of two copies of a credential sign in', async () => {
    const { credential, person } = await join();
    const [first, second] = [createBrowser(), createBrowser()];
    const [one, two] = [await startSignIn(first), await startSignIn(second)];
    const responses = await Promise.all([
      first.post('/api/v1/session/passkey', credential.sign(one, { counter: 7 })),
      second.post('/api/v1/session/passkey', credential.sign(two, { counter: 7 })),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await gateway.db.passkey.findFirst({ where: { personId: person.id } })).toMatchObject({ counter: 7n });
  });

  it('creates a new session and ends the one that the browser had', async () => {
    const { browser, credential } = await join();
    const before = browser.cookies.get('__Host-lectern_session')!;
    expect((await signIn(credential, browser)).status).toBe(200);
    const old = { Cookie: `__Host-lectern_session=${before}` };
    expectError(await gateway.send('GET', '/api/v1/account', { key: null, headers: old }), 401, 'unauthorized');
    expect((await browser.get('/api/v1/account')).status).toBe(200);
  });

  it('is not possible from pages of other sites', async () => {
    const { credential, browser } = await join();
    const assertion = credential.sign(await startSignIn(browser));
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'https://a.example' },
      { 'X-Lectern-CSRF': '' },
    ]) {
      for (const path of [
        '/api/v1/session/passkey/options',
        '/api/v1/session/passkey',
        '/api/v1/account/passkeys/options',
        '/api/v1/account/passkeys',
        '/api/v1/account-links/passkey-options',
      ]) {
        expectError(await browser.post(path, assertion, headers), 403, 'forbidden');
      }
    }
    expect((await browser.post('/api/v1/session/passkey', assertion)).status).toBe(200);
  });

  it('is limited by address like passwords', async () => {
    const strict = await startTestGateway({ PUBLIC_URL: ORIGIN, RATE_LIMIT_SIGN_INS_PER_MINUTE: '4' });
    try {
      const assertion = {
        credentialId: 'AAAA',
        clientDataJSON: 'AAAA',
        authenticatorData: 'AAAA',
        signature: 'AAAA',
        userHandle: 'AAAA',
      };
      const statuses: number[] = [];
      for (let n = 0; n < 5; n += 1) {
        const json = { ...assertion, credentialId: `AAA${n}` };
        statuses.push((await strict.send('POST', '/api/v1/session/passkey', { key: null, json })).status);
      }
      expect(statuses).toEqual([401, 401, 401, 401, 429]);
      const challenges = new Set<number>();
      for (let n = 0; n < 41; n += 1) {
        challenges.add((await strict.send('POST', '/api/v1/session/passkey/options', { key: null })).status);
      }
      expect([...challenges]).toEqual([200, 429]);
    } finally {
      await strict.stop();
    }
  });
});

describe('adding a passkey', () => {
  it.each<[string, AuthenticatorFault]>([
    ['another origin', { origin: 'https://attacker.example' }],
    ['another relying party', { rpId: 'attacker.example' }],
    ['no user verification', { withoutVerification: true }],
    ['the type of a sign-in', { type: 'webauthn.get' }],
    ['an invented challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['certificates, whose check would send requests', { format: 'packed' }],
    ['the format of another attestation', { format: 'tpm' }],
  ])('rejects %s', async (_what, fault) => {
    const { browser } = await joinWithPassword();
    expectError((await addPasskey(browser, fault)).response, 400, 'invalid_request', 'attestationObject');
    expect((await browser.get('/api/v1/account')).json.data.passkeys).toEqual([]);
  });

  it('rejects a replayed registration and a credential of another account', async () => {
    const [ada, eve] = [await joinWithPassword(), await joinWithPassword()];
    const { credential, response } = await addPasskey(ada.browser);
    expect(response.status).toBe(201);
    const replayed = { ...credential.created, name: 'Again' };
    expectError(await ada.browser.post('/api/v1/account/passkeys', replayed), 400, 'invalid_request');
    // Eve has a valid challenge and claims the credential of Ada.
    const { challenge } = await eve.browser.options('/api/v1/account/passkeys/options');
    const clientDataJSON = Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge, origin: ORIGIN })).toString(
      'base64url',
    );
    const claimed = { ...credential.created, clientDataJSON, name: 'Mine' };
    expectError(await eve.browser.post('/api/v1/account/passkeys', claimed), 409, 'conflict');
    expect((await signIn(credential)).json.data.person.id).toBe(ada.person.id);
  });

  it('works only in the session that started it', async () => {
    const [ada, eve] = [await joinWithPassword(), await joinWithPassword()];
    const credential = authenticator.create(await eve.browser.options('/api/v1/account/passkeys/options'));
    const body = { ...credential.created, name: 'Planted' };
    expectError(await ada.browser.post('/api/v1/account/passkeys', body), 400, 'invalid_request');
    const again = createBrowser();
    await again.post('/api/v1/session', { email: eve.email, password: PASSWORD });
    expectError(await again.post('/api/v1/account/passkeys', body), 400, 'invalid_request');
    expectError(await createBrowser().post('/api/v1/account/passkeys', body), 401, 'unauthorized');
    expect((await eve.browser.post('/api/v1/account/passkeys', body)).status).toBe(201);
    // The challenge of a link does not work either, even with the id of the person.
    const { token } = await newInvitation();
    const link = await eve.browser.options('/api/v1/account-links/passkey-options', { token, name: 'Eve' });
    const other = { ...authenticator.create(link).created, name: 'Other' };
    expectError(await eve.browser.post('/api/v1/account/passkeys', other), 400, 'invalid_request');
  });

  it('and other ways to sign in need a session that started a short time ago', async () => {
    const { browser, email, person } = await joinWithPassword();
    const added = await addPasskey(browser);
    const createdAt = new Date(Date.now() - 15 * 60_000);
    await gateway.db.session.updateMany({ where: { personId: person.id }, data: { createdAt } });
    const attempts = [
      browser.post('/api/v1/account/passkeys/options'),
      browser.post('/api/v1/account/password', { password: PASSWORD }),
      browser.send('DELETE', `/api/v1/account/passkeys/${added.response.json.data.id}`),
    ];
    for (const response of await Promise.all(attempts)) expectError(response, 403, 'forbidden', 'Sign in again');
    await browser.post('/api/v1/session', { email, password: PASSWORD });
    expect((await browser.post('/api/v1/account/passkeys/options')).status).toBe(200);
  });

  it('belongs to the person who does it: others cannot remove or see it', async () => {
    const [ada, eve] = [await joinWithPassword(), await joinWithPassword()];
    const { response } = await addPasskey(ada.browser);
    expectError(
      await eve.browser.send('DELETE', `/api/v1/account/passkeys/${response.json.data.id}`),
      404,
      'not_found',
    );
    expect((await eve.browser.get('/api/v1/account')).json.data.passkeys).toEqual([]);
  });

  it('survives any bytes', async () => {
    const { browser } = await joinWithPassword();
    const { challenge } = await browser.options('/api/v1/account/passkeys/options');
    const clientDataJSON = Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge, origin: ORIGIN })).toString(
      'base64url',
    );
    const bombs = [
      '9bffffffffffffffff',
      'bbffffffffffffffff',
      '81'.repeat(6_000),
      '5bffffffffffffffff',
      'ff',
      'a0',
      '80',
      '00',
    ];
    for (const hex of bombs) {
      const attestationObject = Buffer.from(hex, 'hex').toString('base64url');
      const response = await browser.post('/api/v1/account/passkeys', { name: 'x', clientDataJSON, attestationObject });
      expectError(response, 400, 'invalid_request', 'attestationObject');
    }
    for (const long of [{ clientDataJSON: 'A'.repeat(5_000) }, { attestationObject: 'A'.repeat(20_000) }]) {
      const body = { name: 'x', clientDataJSON: 'AAAA', attestationObject: 'AAAA', ...long };
      expectError(await browser.post('/api/v1/account/passkeys', body), 400, 'invalid_request', Object.keys(long)[0]);
    }
  });
});

describe('the account page', () => {
  it('changes the name of the person', async () => {
    const { browser, person } = await joinWithPassword();
    const changed = await browser.send('PUT', '/api/v1/account', { json: { name: ' Ada King ' } });
    expect(changed.json.data.person).toMatchObject({ id: person.id, name: 'Ada King' });
    expectError(await browser.send('PUT', '/api/v1/account', { json: { role: 'owner' } }), 400, 'invalid_request');
  });

  it('lists the sessions of the person and ends one of them, or all', async () => {
    const ada = await joinWithPassword();
    const other = createBrowser();
    await other.post('/api/v1/session', { email: ada.email, password: PASSWORD });
    const eve = await joinWithPassword();
    const { data } = (await ada.browser.get('/api/v1/account/sessions')).json;
    expect(data.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent).sort()).toEqual([false, true]);
    const { id } = data.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
    expectError(await eve.browser.send('DELETE', `/api/v1/account/sessions/${id}`), 404, 'not_found');
    expect((await ada.browser.send('DELETE', `/api/v1/account/sessions/${id}`)).json.data).toEqual({
      id,
      deleted: true,
    });
    expectError(await other.get('/api/v1/account'), 401, 'unauthorized');
    await other.post('/api/v1/session', { email: ada.email, password: PASSWORD });
    expect((await ada.browser.send('DELETE', '/api/v1/account/sessions')).json.data).toEqual({ ended: 2 });
    for (const browser of [ada.browser, other]) expectError(await browser.get('/api/v1/account'), 401, 'unauthorized');
    expect((await eve.browser.get('/api/v1/account')).status).toBe(200);
  });
});

describe('at an address without TLS or a domain', () => {
  it('passkeys are not offered, and the error names the reason', async () => {
    const plain = await startTestGateway();
    try {
      const options = await plain.send('POST', '/api/v1/session/passkey/options', { key: null });
      expectError(options, 409, 'conflict', 'Passkeys do not work at this address');
      const { json } = await plain.send('POST', '/api/v1/invitations', { json: { email: 'x@example.com' } });
      const token = json.data.url.split('#')[1];
      const opened = await plain.send('POST', '/api/v1/account-links/open', { key: null, json: { token } });
      expect(opened.json.data.canUsePasskeys).toBe(false);
    } finally {
      await plain.stop();
    }
  });
});

describe('failed attempts to sign in', () => {
  const hourNow = () => Math.floor(Date.now() / 3_600_000);
  const failures = async (personId: string) => {
    const path = `/api/v1/audit?action=signInFailed&resourceId=${personId}`;
    const events: { readonly details: { readonly attempts: number } }[] = (await gateway.send('GET', path)).json.data;
    return { events, attempts: events.reduce((sum, { details }) => sum + details.attempts, 0) };
  };

  it('are counted in one event of the audit log for each account and hour', async () => {
    const hour = hourNow();
    const { email, person } = await joinWithPassword();
    const { credential, person: other } = await join();
    const attempt = async (address = email) => {
      const response = await createBrowser().post('/api/v1/session', { email: address, password: 'wrong' });
      expectError(response, 401, 'unauthorized');
    };
    for (let n = 0; n < 3; n += 1) await attempt();
    expectRejected(await signIn(credential, createBrowser(), { counter: 1 }));
    await attempt('unknown@example.com');
    const until = async (id: string, attempts: number) => {
      const isCounted = async () => (await failures(id)).attempts === attempts;
      await waitUntil(isCounted, { what: 'the attempts to be counted', timeoutMs: 4_000, intervalMs: 50 });
      const { events } = await failures(id);
      expect(events.length).toBeLessThanOrEqual(1 + hourNow() - hour);
      return events;
    };
    for (const event of await until(person.id, 3)) {
      expect(event).toMatchObject({ ip: '127.0.0.1', actor: { keyId: null, user: null } });
      expect(event.details).toEqual({ attempts: expect.any(Number), email, addresses: ['127.0.0.1'] });
    }
    await attempt();
    await until(person.id, 4);
    await until(other.id, 1);
    expect(
      await gateway.db.auditEvent.count({ where: { details: { path: ['email'], equals: 'unknown@example.com' } } }),
    ).toBe(0);
  });
});
