import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger, createSecrets, newId } from '@lectern/service-kit';
import { type BrowserResponse, createTestBrowser, type TestBrowser, timeLimit, waitUntil } from '@lectern/testing';
import { definedProviderStore } from '#identity/oidc/defined-providers';
import { NO_PASSWORD } from '#identity/passwords';
import { lockPeople } from '#identity/person-store';
import { expectError } from './support/expect-error.ts';
import { send, startTestGateway, type TestGateway } from './support/gateway.ts';
import { addProvider, type TestProvider } from './support/openid.ts';
import { signInAs } from './support/people.ts';
import type { Replica } from './support/replica.ts';

let gateway: TestGateway;
let replica: Replica;
/** People with addresses of example.org get accounts. */
let provider: TestProvider;
beforeAll(async () => {
  gateway = await startTestGateway();
  replica = await gateway.startReplica();
  provider = await addProvider(gateway, { domains: ['example.org'] });
});
afterAll(async () => {
  await provider?.stop();
  await gateway?.stop();
});

/** Adds a person to the provider. Returns the subject and the address. */
function addPerson(more: object = {}, at: TestProvider = provider) {
  const subject = newId('person');
  const email = `${subject}@example.org`;
  at.people.set(subject, { email, email_verified: true, name: 'Ada Lovelace', ...more });
  return { subject, email };
}

const whoAmI = (browser: TestBrowser, url = gateway.url) =>
  send(url, '', 'GET', '/api/v1/key', { key: null, headers: { Cookie: browser.cookiesFor(gateway.url) } });

const signOut = (browser: TestBrowser) =>
  gateway.send('DELETE', '/api/v1/session', { key: null, headers: { Cookie: browser.cookiesFor(gateway.url) } });

/** Expects a page with the reason why the person is not signed in. */
function expectFailure(response: BrowserResponse, status: number, text: string): void {
  expect({ status: response.status, page: response.text.includes('You are not signed in') }).toEqual({
    status,
    page: true,
  });
  expect(response.text).toContain(text);
  expect(response.headers.getSetCookie()).toEqual([]);
}

const createAccount = (email: string, more: object = {}) =>
  gateway.db.person.create({
    data: {
      ...{ id: newId('person'), teamId: gateway.keys.teamId, email, name: 'Ada', role: 'member' },
      passwordHash: NO_PASSWORD,
      ...more,
    },
  });

describe('signing in with an identity provider', () => {
  it('shows why it failed in the language of the browser', async () => {
    const pageOf = async (path: string, language: string) =>
      (await fetch(`${gateway.url}${path}`, { headers: { 'Accept-Language': language } })).text();
    const callback = `/sign-in/${provider.id}/callback?state=unknown`;
    const reason = 'Diese Anmeldung wurde nicht in diesem Browser begonnen';
    expect(await pageOf(callback, 'de-CH, de;q=0.9, en;q=0.5')).toContain(`<p lang="de">${reason}`);
    expect(await pageOf(callback, 'en, de;q=0.5')).toContain('<p lang="en">This sign-in was not started');
    expect(await pageOf(callback, 'fr')).toContain('<p lang="en">This sign-in was not started');
    const removed = `/sign-in/${newId('identityProvider')}`;
    expect(await pageOf(removed, 'de')).toContain('<p lang="de">Diesen Identitätsanbieter gibt es nicht');
  });

  it('creates an account for a verified address of its domains, and returns to the page', async () => {
    const { subject, email } = addPerson();
    const browser = createTestBrowser();
    const last = await provider.signIn(subject, browser, '/console/agents?tab=1#x');
    expect(last.headers.get('location')).toBe(`${gateway.url}/console/agents?tab=1#x`);
    expect(last.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^lectern_session=lectern_ss_\w{49}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/),
    ]);
    const own = await whoAmI(browser);
    expect(own.json.data).toMatchObject({ kind: 'session', person: { email, role: 'member' } });
    const { data } = (await gateway.send('GET', '/api/v1/audit?limit=3')).json;
    const details = expect.objectContaining({ provider: provider.id });
    expect(data.map((event: object) => Reflect.get(event, 'action'))).toEqual([
      'signIn',
      'linkIdentity',
      'createPerson',
    ]);
    expect(data).toEqual(
      data.map(() => expect.objectContaining({ actor: { keyId: null, user: email, name: 'Ada Lovelace' }, details })),
    );
    expect(JSON.stringify(data)).not.toContain(provider.clientSecret);
  });

  it('finds the account by the subject, also after its address changed at the provider', async () => {
    const { subject } = addPerson();
    const first = createTestBrowser();
    await provider.signIn(subject, first);
    const { id } = (await whoAmI(first)).json.data;
    addPerson({ email: 'other@elsewhere.example', email_verified: false });
    provider.people.set(subject, { email: 'other@elsewhere.example', email_verified: false });
    const second = createTestBrowser();
    await provider.signIn(subject, second);
    expect((await whoAmI(second)).json.data.id).toBe(id);
  });

  it('uses an invitation of the address, with its role', async () => {
    const { subject, email } = addPerson({ email: 'invited@elsewhere.example' });
    const address = provider.people.get(subject)!.email ?? email;
    const refused = await provider.signIn(subject);
    expectFailure(refused, 403, `There is no account for ${address}`);
    await gateway.send('POST', '/api/v1/invitations', { json: { email: address, role: 'editor' } });
    const browser = createTestBrowser();
    await provider.signIn(subject, browser);
    expect((await whoAmI(browser)).json.data.person).toMatchObject({ email: address, role: 'editor' });
    const { data } = (await gateway.send('GET', '/api/v1/invitations')).json;
    expect(JSON.stringify(data)).not.toContain(address);
  });

  it('signs in to an existing account only if its domain is configured', async () => {
    const known = addPerson();
    const { id } = await createAccount(known.email, { role: 'editor' });
    const browser = createTestBrowser();
    await provider.signIn(known.subject, browser);
    expect((await whoAmI(browser)).json.data).toMatchObject({ id, person: { role: 'editor' } });
    const foreign = addPerson({ email: 'known@elsewhere.example' });
    await createAccount('known@elsewhere.example');
    expectFailure(await provider.signIn(foreign.subject), 403, 'may not sign in to the account');
    const otherTeam = addPerson();
    await createAccount(otherTeam.email, { teamId: gateway.otherKeys.teamId });
    expectFailure(await provider.signIn(otherTeam.subject), 403, 'There is no account');
  });

  it('signs in to an account that SCIM manages for it', async () => {
    const email = 'provisioned@elsewhere.example';
    const { subject } = addPerson({ email });
    const { id } = await createAccount(email);
    const { teamId, slug } = await gateway.db.identityProvider.findUniqueOrThrow({ where: { id: provider.id } });
    const known = { personId: id, teamId, userName: email };
    await gateway.db.scimUser.create({ data: { ...known, source: 'other' } });
    expectFailure(await provider.signIn(subject), 403, 'may not sign in to the account');
    await gateway.db.scimUser.create({ data: { ...known, source: slug } });
    const browser = createTestBrowser();
    await provider.signIn(subject, browser);
    expect((await whoAmI(browser)).json.data.id).toBe(id);
  });

  it('refuses deactivated people, and shows them why', async () => {
    const { subject } = addPerson();
    const browser = createTestBrowser();
    await provider.signIn(subject, browser);
    const { id } = (await whoAmI(browser)).json.data;
    await gateway.send('PUT', `/api/v1/people/${id}`, { json: { status: 'deactivated' } });
    expectError(await whoAmI(browser), 401, 'unauthorized');
    expectFailure(await provider.signIn(subject), 403, 'Your account is deactivated');
  });

  it('updates the groups at each sign-in, which give principals and roles', async () => {
    const { subject } = addPerson({ groups: ['Staff', 'Editors'] });
    const browser = createTestBrowser();
    await provider.signIn(subject, browser);
    const slug = `p${new URL(provider.issuer).port}`;
    const groups = (await gateway.send('GET', '/api/v1/groups?limit=100')).json.data;
    const editors = groups.find(
      ({ name, source }: { name: string; source: string }) => name === 'Editors' && source === slug,
    );
    await gateway.send('PUT', `/api/v1/groups/${editors.id}`, { json: { role: 'editor' } });
    expect((await whoAmI(browser)).json.data.person).toMatchObject({ role: 'member', effectiveRole: 'editor' });
    const before = gateway.services.calls.length;
    const headers = { Cookie: browser.cookiesFor(gateway.url) };
    await gateway.send('POST', '/api/v1/search', { key: null, json: { query: 'x' }, headers });
    const caller = gateway.services.calls[before]?.caller;
    expect(JSON.stringify(caller)).toContain(`group:${slug}/Editors`);
    expect(JSON.stringify(caller)).toContain(`group:${slug}/Staff`);
    provider.people.set(subject, { ...provider.people.get(subject), groups: ['Staff'] });
    await provider.signIn(subject, browser);
    expect((await whoAmI(browser)).json.data.person.effectiveRole).toBe('member');
    // Without the claim, the person is in no group.
    provider.people.set(subject, { ...provider.people.get(subject), groups: [] });
    await provider.signIn(subject, browser);
    const members = await gateway.db.groupMember.count({ where: { group: { source: slug, name: 'Staff' } } });
    expect(members).toBe(0);
  });

  it('reads claims at the userinfo endpoint if the ID token has none', async () => {
    const thin = await addProvider(
      gateway,
      { domains: ['example.org'], groupsClaim: 'groups' },
      { hasFullTokens: false },
    );
    try {
      const { subject, email } = addPerson({ groups: ['Staff'] }, thin);
      const browser = createTestBrowser();
      await thin.signIn(subject, browser);
      expect((await whoAmI(browser)).json.data.person.email).toBe(email);
      const where = { source: `p${new URL(thin.issuer).port}`, name: 'Staff' };
      expect(await gateway.db.group.count({ where })).toBe(1);
    } finally {
      await thin.stop();
    }
  });

  it('needs the permission of an owner to sign in owners', async () => {
    const owner = await signInAs(gateway.db, gateway.keys.teamId, 'owner');
    const admin = await signInAs(gateway.db, gateway.keys.teamId, 'admin');
    const { subject, email } = addPerson();
    await createAccount(email, { role: 'owner' });
    expectFailure(await provider.signIn(subject), 403, 'Owners cannot sign in with Acme login');
    const path = `/api/v1/identity-providers/${provider.id}`;
    const allow = (headers: Readonly<Record<string, string>>, allowsOwners = true) =>
      gateway.send('PUT', path, { key: null, json: { allowsOwners }, headers });
    expectError(await allow(admin.headers), 403, 'forbidden', 'Only an owner');
    expectError(await gateway.send('PUT', path, { json: { allowsOwners: true } }), 403, 'forbidden', 'Only an owner');
    expect((await allow(owner.headers)).status).toBe(200);
    const browser = createTestBrowser();
    await provider.signIn(subject, browser);
    expect((await whoAmI(browser)).json.data.person.role).toBe('owner');
    // An admin could make it a provider of their own.
    const changed = await gateway.send('PUT', path, { key: null, json: { clientId: 'x' }, headers: admin.headers });
    expectError(changed, 403, 'forbidden', 'Only an owner');
    expectError(await gateway.send('DELETE', path), 403, 'forbidden', 'Only an owner');
    await allow(owner.headers, false);
  });

  it('leaves a person who becomes an owner only the password', async () => {
    const owner = await signInAs(gateway.db, gateway.keys.teamId, 'owner');
    const { subject } = addPerson();
    const browser = createTestBrowser();
    await provider.signIn(subject, browser);
    const { id } = (await whoAmI(browser)).json.data;
    const credentialId = new Uint8Array(Buffer.from(newId('passkey')));
    const passkey = {
      id: newId('passkey'),
      personId: id,
      name: 'x',
      credentialId,
      publicKey: credentialId,
      counter: 0,
    };
    await gateway.db.passkey.create({ data: passkey });
    await gateway.db.person.update({ where: { id }, data: { passwordHash: 'kept' } });
    const promote = { key: null, json: { role: 'owner' }, headers: owner.headers };
    expect((await gateway.send('PUT', `/api/v1/people/${id}`, promote)).status).toBe(200);
    await waitUntil(async () => (await whoAmI(browser)).status === 401, {
      what: 'the end',
      timeoutMs: timeLimit(5_000),
    });
    const include = { passkeys: true, identities: true, sessions: true } as const;
    const left = await gateway.db.person.findUniqueOrThrow({ where: { id }, include });
    expect(left).toMatchObject({ passwordHash: 'kept', passkeys: [], identities: [], sessions: [] });
    const [event] = (await gateway.send('GET', '/api/v1/audit?limit=1')).json.data;
    const details = { role: 'owner', endedSessions: 1, removedPasskeys: 1, removedIdentities: 1 };
    expect(event).toMatchObject({ action: 'updatePerson', details });
    const reset = await gateway.send('POST', `/api/v1/people/${id}/password-reset`, {
      key: null,
      headers: owner.headers,
    });
    expect(reset.status).toBe(201);
  });

  /** Changes the provider while a sign-in waits for the lock of its transaction. */
  const signInWhile = async (data: { readonly [setting: string]: unknown }) => {
    const { subject } = addPerson();
    const browser = createTestBrowser();
    const url = await provider.callbackFor(subject, browser);
    const waiting = async () => {
      const [row] = await gateway.db.$queryRaw<{ n: bigint }[]>`SELECT count(*) AS n FROM pg_locks WHERE NOT granted`;
      return Number(row?.n) > 0;
    };
    const response = await gateway.db.$transaction(
      async (tx) => {
        await lockPeople(tx, gateway.keys.teamId);
        const opened = browser.open(url, () => true);
        await waitUntil(waiting, { what: 'the sign-in that waits', timeoutMs: timeLimit(10_000) });
        await tx.identityProvider.update({ where: { id: provider.id }, data });
        return { opened };
      },
      { timeout: 30_000 },
    );
    return { subject, opened: response.opened };
  };

  it('is refused if the provider reads other claims meanwhile', async () => {
    const { groupsClaim } = await gateway.db.identityProvider.findUniqueOrThrow({ where: { id: provider.id } });
    const { opened } = await signInWhile({ groupsClaim: 'other_groups' });
    expectFailure(await opened, 403, 'was changed or removed during this sign-in');
    await gateway.db.identityProvider.update({ where: { id: provider.id }, data: { groupsClaim } });
  });

  it('continues if another setting changes meanwhile, and follows the new one', async () => {
    const { domains } = await gateway.db.identityProvider.findUniqueOrThrow({ where: { id: provider.id } });
    const changed = await signInWhile({ defaultRole: 'member', scopes: ['profile', 'email'] });
    expect((await changed.opened).status).toBe(302);
    const closed = await signInWhile({ domains: [] });
    expectFailure(await closed.opened, 403, 'invitation');
    await gateway.db.identityProvider.update({ where: { id: provider.id }, data: { domains } });
  });

  it('works in two tabs at once', async () => {
    const { subject } = addPerson();
    const browser = createTestBrowser();
    const first = await provider.callbackFor(subject, browser);
    const second = await provider.callbackFor(subject, browser);
    const opened = [];
    for (const url of [first, second]) opened.push(await browser.open(url, ({ pathname }) => pathname === '/console'));
    expect(opened.map(({ status }) => status)).toEqual([302, 302]);
  });

  it('shows what to do if the provider does not respond', async () => {
    const gone = await addProvider(gateway, { domains: ['example.org'] });
    const { subject } = addPerson({}, gone);
    const browser = createTestBrowser();
    const callback = await gone.callbackFor(subject, browser);
    await gone.stop();
    expectFailure(await browser.open(callback), 502, 'Acme login cannot be used now');
    expectFailure(await browser.open(`${gateway.url}/sign-in/${newId('identityProvider')}`), 404, 'not');
  });

  it('requires PUBLIC_URL, because anybody can send any Host', async () => {
    const response = await fetch(`${gateway.url}/sign-in/${provider.id}`, { redirect: 'manual' });
    expect(response.status).toBe(302);
    const { request } = await import('node:http');
    const status = await new Promise<number>((resolve, reject) => {
      const url = new URL(`/sign-in/${provider.id}`, gateway.url);
      const sent = request(url, { headers: { Host: 'evil.example' } }, (received) => {
        received.resume();
        resolve(Number(received.statusCode));
      });
      sent.on('error', reject).end();
    });
    expect(status).toBe(503);
  });
});

describe('signing out', () => {
  it('ends the session here, and leads to the sign-out of the provider', async () => {
    const { subject } = addPerson();
    const browser = createTestBrowser();
    await provider.signIn(subject, browser);
    const { json } = await signOut(browser);
    expect(json.data.signedOut).toBe(true);
    expectError(await whoAmI(browser), 401, 'unauthorized');
    const url = new URL(json.data.providerUrl);
    expect(url.origin).toBe(provider.issuer);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${gateway.url}/console`);
    expect(url.searchParams.get('id_token_hint')?.split('.')).toHaveLength(3);
    const page = await browser.open(url);
    const xsrf = /name="xsrf" value="(\w+)"/.exec(page.text)?.[1] ?? '';
    const form = new URL(/action="([^"]+)"/.exec(page.text)?.[1] ?? '', url);
    const left = await browser.submit(form, { xsrf, logout: 'yes' });
    expect(left.url.href).toBe(`${gateway.url}/console`);
    // The provider asks who signs in again.
    const again = await provider.start(browser);
    expect(again.url.pathname).toMatch(/^\/interaction\//);
  });

  it('works while the provider is away', async () => {
    const gone = await addProvider(gateway, { domains: ['example.org'] });
    const { subject } = addPerson({}, gone);
    const browser = createTestBrowser();
    await gone.signIn(subject, browser);
    await gone.stop();
    // The next version of the settings is not cached.
    await gateway.db.identityProvider.update({ where: { id: gone.id }, data: { name: 'Gone' } });
    const { json } = await signOut(browser);
    expect(json.data).toEqual({ signedOut: true, providerUrl: null });
  });

  it('at the provider ends the sessions everywhere within 5 s', async () => {
    const { subject } = addPerson();
    const [browser, other] = [createTestBrowser(), createTestBrowser()];
    await provider.signIn(subject, browser);
    await provider.signIn(subject, other);
    expect((await whoAmI(browser, replica.url)).status).toBe(200);
    const page = await browser.open(`${provider.issuer}/session/end`);
    const xsrf = /name="xsrf" value="(\w+)"/.exec(page.text)?.[1] ?? '';
    await browser.submit(new URL(`${provider.issuer}/session/end/confirm`), { xsrf, logout: 'yes' });
    const ended = performance.now();
    const isEnded = async () => (await whoAmI(browser, replica.url)).status === 401;
    await waitUntil(isEnded, { what: 'the session to end', timeoutMs: 60_000, intervalMs: 50 });
    expect(performance.now() - ended).toBeLessThan(timeLimit(5_000));
    expectError(await whoAmI(browser), 401, 'unauthorized');
    // Another session at the provider is another session here.
    expect((await whoAmI(other)).status).toBe(200);
  });
});

describe('a session from a provider', () => {
  it('expires and can be ended like any other', async () => {
    const { subject } = addPerson();
    const browser = createTestBrowser();
    await provider.signIn(subject, browser);
    const { id } = (await whoAmI(browser)).json.data;
    await gateway.send('DELETE', `/api/v1/people/${id}/sessions`);
    expectError(await whoAmI(browser), 401, 'unauthorized');
    await provider.signIn(subject, browser);
    await gateway.db.session.updateMany({ where: { personId: id }, data: { expiresAt: new Date() } });
    await gateway.send('PUT', `/api/v1/people/${id}`, { json: { name: 'Ada' } });
    expectError(await whoAmI(browser), 401, 'unauthorized');
  });

  it('ends when its provider is deleted, and the account stays', async () => {
    const other = await addProvider(gateway, { domains: ['example.org'] });
    try {
      const { subject, email } = addPerson({ groups: ['Staff'] }, other);
      const browser = createTestBrowser();
      await other.signIn(subject, browser);
      expect((await whoAmI(browser)).status).toBe(200);
      expect((await gateway.send('DELETE', `/api/v1/identity-providers/${other.id}`)).status).toBe(200);
      expectError(await whoAmI(browser), 401, 'unauthorized');
      const person = await gateway.db.person.findUniqueOrThrow({ where: { email }, include: { groups: true } });
      expect(person.groups).toEqual([]);
    } finally {
      await other.stop();
    }
  });
});

describe('an identity provider', () => {
  const create = (json: object, headers: Record<string, string> = {}) =>
    gateway.send('POST', '/api/v1/identity-providers', {
      json: { ...valid(), slug: `s${Math.random().toString(36).slice(2, 10)}`, ...json },
      headers,
    });
  const valid = () => {
    const { issuer, clientId, clientSecret } = provider;
    return { name: 'Valid', issuer, clientId, clientSecret };
  };

  it('is stored without a readable secret, which no response contains', async () => {
    const created = await create({});
    const { id } = created.json.data;
    const responses = [
      created,
      await gateway.send('GET', `/api/v1/identity-providers/${id}`),
      await gateway.send('GET', '/api/v1/identity-providers'),
      await gateway.send('PUT', `/api/v1/identity-providers/${id}`, {
        json: { clientSecret: `${provider.clientSecret}2` },
      }),
      await gateway.send('GET', '/api/v1/audit'),
    ];
    for (const { status, text } of responses) {
      expect(status).toBeLessThan(300);
      expect(text).not.toContain(provider.clientSecret);
    }
    const row = await gateway.db.identityProvider.findUniqueOrThrow({ where: { id } });
    expect(
      JSON.stringify(row, (_, value) => (value?.type === 'Buffer' ? Buffer.from(value).toString() : value)),
    ).not.toContain(provider.clientSecret);
  });

  it('is rejected if its metadata is missing or blocked, with the reason', async () => {
    const { issuer } = provider;
    for (const [bad, reason] of [
      [`${issuer}/nothing`, 'response is not valid'],
      ['http://127.0.0.1:1', 'could not be reached'],
      ['http://169.254.169.254', 'must be an https URL'],
      ['https://169.254.169.254', 'not a public address'],
      ['https://10.0.0.1', 'not a public address'],
      [issuer.replace('127.0.0.1', 'localhost'), 'not'],
    ] as const) {
      const response = await create({ issuer: bad });
      expectErrorWithAddress(response, reason);
    }
  });

  /** The message may name the address, because the admin gave it. */
  function expectErrorWithAddress(response: Awaited<ReturnType<typeof create>>, reason: string) {
    expect(response.status).toBe(400);
    const [issue] = response.json.error.details.issues;
    expect(issue.path).toBe('issuer');
    expect(issue.message).toContain(reason);
  }

  it('has a short name of its own in the team', async () => {
    const slug = `p${new URL(provider.issuer).port}`;
    expectError(await create({ slug }), 409, 'conflict');
    expectError(await create({ slug: 'lectern' }), 400, 'invalid_request', 'slug');
    expectError(await create({ slug: 'a/b' }), 400, 'invalid_request', 'slug');
  });

  it('is on the sign-in page of everybody unless it is hidden, with its name only', async () => {
    const { id } = (await create({ name: 'Hidden', isShown: false })).json.data;
    const shown = async () => (await gateway.send('GET', '/api/v1/session/providers', { key: null })).json.data;
    const button = { id: provider.id, name: 'Acme login', url: `/sign-in/${provider.id}` };
    // All teams share the page, so only the operator adds to it.
    expect(await shown()).toEqual([]);
    const ids = { id: { in: [provider.id, id] } };
    await gateway.db.identityProvider.updateMany({ where: ids, data: { isFromSettings: true } });
    expect(await shown()).toEqual([button]);
    await gateway.db.identityProvider.updateMany({ where: ids, data: { isFromSettings: false } });
  });

  it('is one of at most 20 of a team', async () => {
    const { secretKey, teamId } = gateway.otherKeys;
    const createThere = (slug: string) =>
      gateway.send('POST', '/api/v1/identity-providers', { key: secretKey, json: { ...valid(), slug } });
    const row = { teamId, name: 'Full', issuer: provider.issuer, clientId: 'x', masterKeyVersion: 1, isShown: false };
    const bytes = new Uint8Array(1);
    const existing = await gateway.db.identityProvider.count({ where: { teamId } });
    const rows = Array.from({ length: 20 - existing }, (_, index) => ({
      ...{ ...row, id: newId('identityProvider'), slug: `full-${index}`, sealed: bytes, wrappedKey: bytes },
    }));
    await gateway.db.identityProvider.createMany({ data: rows });
    expectError(await createThere('more'), 409, 'conflict', '20 identity providers');
    await gateway.db.identityProvider.delete({ where: { id: rows[0]!.id } });
    expect((await createThere('more')).status).toBe(201);
    await gateway.db.identityProvider.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
  });

  it('can be defined by the operator, and then only changed there', async () => {
    const definition = { ...valid(), team: 'First team', slug: 'defined', name: 'Defined', domains: ['example.org'] };
    const later = { ...definition, team: 'Later team', slug: 'later' };
    const first = await gateway.startReplica({ OIDC_PROVIDERS: JSON.stringify([definition, later]) });
    const list = async () => (await gateway.send('GET', '/api/v1/identity-providers?limit=100')).json.data;
    const slugs = async () => (await list()).map(({ slug }: { slug: string }) => slug);
    await waitUntil(async () => (await slugs()).includes('defined'), { what: 'the provider', timeoutMs: 60_000 });
    const found = (await list()).find(({ slug }: { slug: string }) => slug === 'defined');
    expect(found).toMatchObject({ name: 'Defined', isFromSettings: true });
    const path = `/api/v1/identity-providers/${found.id}`;
    expectError(await gateway.send('PUT', path, { json: { name: 'x' } }), 409, 'conflict', 'OIDC_PROVIDERS');
    expectError(await gateway.send('DELETE', path), 409, 'conflict', 'OIDC_PROVIDERS');
    await first.stop();
    // Without the setting, and for a definition whose team is missing, nothing else is stored or deleted.
    const log = createLogger({ service: 'test', level: 'silent' });
    await definedProviderStore(
      gateway.db,
      createSecrets(undefined, log, { what: 'client secrets', service: 'gateway' }),
      undefined,
      log,
    )();
    expect(await slugs()).toContain('defined');
    await gateway.startReplica({ OIDC_PROVIDERS: JSON.stringify([later]) });
    const isRemoved = async () => !(await slugs()).includes('defined');
    await waitUntil(isRemoved, { what: 'the removal of the provider', timeoutMs: 60_000 });
  });
});
