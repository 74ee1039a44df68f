import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lectern/service-kit';
import { timeLimit, waitUntil } from '@lectern/testing';
import fc from 'fast-check';
import { createSession } from '#identity/session-store';
import { createKeyPair } from '#keys/pair-store';
import { ensureTeam } from '#keys/team-store';
import { parseEvents } from './support/events.ts';
import { expectError } from './support/expect-error.ts';
import { type SendInit, send, startTestGateway, type TestGateway } from './support/gateway.ts';
import { signInAs } from './support/people.ts';
import { job, KNOWN } from './support/records.ts';
import type { Replica } from './support/replica.ts';

/** Deactivation must take effect within a minute. Lectern promises 5 s. */
const LIMIT_MS = 5_000;
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
type Json = any;

let gateway: TestGateway;
let replica: Replica;
beforeAll(async () => {
  gateway = await startTestGateway();
  replica = await gateway.startReplica();
});
afterAll(() => gateway.stop());

interface ScimResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}
type Scim = (method: string, path: string, json?: unknown, init?: SendInit) => Promise<ScimResponse>;

/** Creates a token and returns a client for it. */
async function newProvider(provider = `p${newId('group').slice(-20)}`, secretKey = gateway.keys.secretKey) {
  const json = { name: 'Identity provider', provider };
  const { data } = (await send(gateway.url, secretKey, 'POST', '/api/v1/scim-tokens', { json })).json;
  expect(data).toMatchObject({ token: expect.stringMatching(/^lectern_sc_\w{49}$/), url: `${gateway.url}/scim/v2` });
  const scim: Scim = async (method, path, body, init = {}) => {
    const headers = {
      Authorization: `Bearer ${data.token}`,
      'Content-Type': 'application/scim+json; charset=utf-8',
      ...init.headers,
    };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${gateway.url}/scim/v2${path}`, { method, headers, ...content });
    const text = await response.text();
    if (text !== '') expect(response.headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  return { scim, provider, id: String(data.id), token: String(data.token) };
}

const newEmail = () => `${newId('person')}@example.com`;
const filtered = (path: string, filter: string) => `${path}?filter=${encodeURIComponent(filter)}`;
const patchOf = (...Operations: object[]) => ({ schemas: [PATCH], Operations });

async function newUser(scim: Scim, fields: object = {}): Promise<Json> {
  const { status, body } = await scim('POST', '/Users', { schemas: [USER], userName: newEmail(), ...fields });
  expect([status, body.detail]).toEqual([201, undefined]);
  return body;
}

function expectScimError({ status, body }: ScimResponse, expected: number, detail: string, scimType?: string) {
  expect([status, body]).toEqual([expected, expect.objectContaining({ schemas: [ERROR], status: String(expected) })]);
  expect(body.detail).toContain(detail);
  expect(body.scimType).toBe(scimType);
}

const personOf = (id: string) => gateway.db.person.findUniqueOrThrow({ where: { id } });

/** Signs a person in and returns the headers of requests. */
async function sessionOf(id: string): Promise<Record<string, string>> {
  const times = { idleMinutes: 60, maxMinutes: 60 };
  const token = await createSession(gateway.db, id, times, { address: '192.0.2.1', userAgent: undefined });
  return { Cookie: `lectern_session=${token}` };
}
const whoAmI = (headers: Record<string, string>, url = gateway.url) =>
  send(url, '', 'GET', '/api/v1/key', { key: null, headers });

/** The requests in https://developer.okta.com/docs/reference/scim/scim-20/. */
describe('the requests of Okta', () => {
  it('create, find, update and deactivate a user', async () => {
    const { scim } = await newProvider();
    const userName = newEmail();
    const find = `${filtered('/Users', `userName eq "${userName}"`)}&startIndex=1&count=100`;
    const none = { schemas: [LIST], totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] };
    expect((await scim('GET', find)).body).toEqual(none);
    const user = {
      schemas: [USER],
      userName,
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: userName, type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    };
    const created = await scim('POST', '/Users', user);
    expect(created.status).toBe(201);
    const { id } = created.body;
    const { locale: _locale, password: _password, ...kept } = user;
    const name = { formatted: 'Test User', givenName: 'Test', familyName: 'User' };
    expect(created.body).toMatchObject({ ...kept, name, meta: { resourceType: 'User' } });
    expect(created.headers.get('location')).toBe(`${gateway.url}/scim/v2/Users/${id}`);
    expect(await personOf(id)).toMatchObject({ email: userName, name: 'Test User', role: 'member', status: 'active' });
    expect((await scim('GET', `/Users/${id}`)).body).toEqual(created.body);
    expect((await scim('GET', find)).body.Resources).toEqual([created.body]);

    const changed = { ...user, id, name: { givenName: 'Another', familyName: 'User' }, displayName: undefined };
    const put = await scim('PUT', `/Users/${id}`, changed);
    expect([put.status, put.body.displayName, put.body.externalId]).toEqual([200, 'Another User', user.externalId]);

    const deactivated = await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: false } }));
    expect([deactivated.status, deactivated.body.active]).toEqual([200, false]);
    expect(await personOf(id)).toMatchObject({ status: 'deactivated' });
    expect((await scim('GET', find)).body.Resources).toMatchObject([{ id, active: false }]);
    await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: true } }));
    expect(await personOf(id)).toMatchObject({ status: 'active' });
  });

  it('list all users by pages', async () => {
    const { scim } = await newProvider('okta', gateway.otherKeys.secretKey);
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.push((await newUser(scim)).id);
    const page = await scim('GET', '/Users?startIndex=2&count=1');
    expect(page.body).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1, Resources: [{ id: ids[1] }] });
    expect((await scim('GET', '/Users?count=0')).body).toMatchObject({ totalResults: 3, Resources: [] });
    const all = await scim('GET', '/Users?startIndex=0&count=100000');
    expect(all.body.Resources.map(({ id }: Json) => id)).toEqual(ids);
  });

  it('push groups: create, rename, add, remove and replace members, delete', async () => {
    const { scim, provider } = await newProvider();
    const [ada, bob] = [await newUser(scim), await newUser(scim)];
    const created = await scim('POST', '/Groups', { schemas: [GROUP], displayName: 'Test SCIMv2', members: [] });
    expect([created.status, created.body.members]).toEqual([201, []]);
    const { id } = created.body;
    const at = `/Groups/${id}`;
    const change = async (...operations: object[]) => {
      const { status, body } = await scim('PATCH', at, patchOf(...operations));
      expect(status).toBe(200);
      return body.members.map(({ value }: Json) => value);
    };
    await change({ op: 'replace', value: { id, displayName: 'Test SCIMv2 renamed' } });
    expect((await scim('GET', at)).body.displayName).toBe('Test SCIMv2 renamed');
    const value = [{ value: ada.id, display: ada.userName }];
    expect(await change({ op: 'add', path: 'members', value })).toEqual([ada.id]);
    const swap = [
      { op: 'remove', path: `members[value eq "${ada.id}"]` },
      { op: 'add', path: 'members', value: [{ value: bob.id, display: bob.userName }] },
    ];
    expect(await change(...swap)).toEqual([bob.id]);
    expect((await scim('GET', `/Users/${bob.id}`)).body.groups).toEqual([
      { value: id, display: 'Test SCIMv2 renamed', $ref: `${gateway.url}/scim/v2/Groups/${id}` },
    ]);
    const { data } = (await gateway.send('GET', `/api/v1/people/${bob.id}`)).json;
    expect(data.groups).toEqual([`group:${provider}/Test%20SCIMv2%20renamed`]);
    expect(await change({ op: 'replace', path: 'members', value })).toEqual([ada.id]);
    expect((await scim('GET', '/Groups?startIndex=1&count=100')).body).toMatchObject({ totalResults: 1 });
    expect((await scim('DELETE', at)).status).toBe(204);
    expectScimError(await scim('GET', at), 404, id);
  });
});

/** The requests in https://learn.microsoft.com/en-us/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups. */
describe('the requests of Entra', () => {
  const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

  it('create, find, update and deactivate a user', async () => {
    const { scim } = await newProvider();
    const unique = newId('person');
    const user = {
      schemas: [USER, ENTERPRISE],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: `Test_User_${unique}`,
      active: true,
      emails: [{ primary: true, type: 'work', value: `Test_User_${unique}@testuser.com` }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
      [ENTERPRISE]: { department: 'R&D' },
    };
    const created = await scim('POST', '/Users', user);
    expect(created.status).toBe(201);
    const { id } = created.body;
    const email = `test_user_${unique}@testuser.com`;
    expect(created.body).toMatchObject({
      externalId: user.externalId,
      userName: `test_user_${unique}`,
      name: user.name,
    });
    expect(await personOf(id)).toMatchObject({ email, name: 'givenName familyName' });
    const found = await scim('GET', filtered('/Users', `userName eq "Test_User_${unique}"`));
    expect(found.body.Resources).toMatchObject([{ id }]);
    expect((await scim('GET', filtered('/Users', 'userName eq "non-existent user"'))).body.totalResults).toBe(0);
    for (const filter of [
      `externalId eq "${user.externalId}" and active eq true`,
      `emails[type eq "work"].value eq "${email.toUpperCase()}"`,
      `emails.value eq "${email}"`,
    ]) {
      expect((await scim('GET', filtered('/Users', filter))).body.Resources).toMatchObject([{ id }]);
    }

    const operations = [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: `updatedEmail-${unique}@microsoft.com` },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Sales' },
      { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+1 555' },
    ];
    const updated = await scim('PATCH', `/Users/${id}`, patchOf(...operations));
    expect(updated.status).toBe(200);
    const email2 = `updatedemail-${unique}@microsoft.com`;
    expect(await personOf(id)).toMatchObject({ email: email2, name: 'givenName updatedFamilyName' });
    const renamed = patchOf({ op: 'Replace', path: 'userName', value: `5b50642d-${unique}@testuser.com` });
    expect((await scim('PATCH', `/Users/${id}`, renamed)).body.userName).toBe(`5b50642d-${unique}@testuser.com`);
    expect((await personOf(id)).email).toBe(email2);

    const disable = patchOf({ op: 'Replace', path: 'active', value: 'False' });
    expect((await scim('PATCH', `/Users/${id}`, disable)).body.active).toBe(false);
    const enable = patchOf({ op: 'replace', value: { active: 'True', 'name.givenName': 'Ada' } });
    expect((await scim('PATCH', `/Users/${id}`, enable)).body).toMatchObject({
      active: true,
      displayName: 'Ada updatedFamilyName',
    });
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
    expectScimError(await scim('GET', `/Users/${id}`), 404, id);
  });

  it('create and change groups, with many members at once, and without them in the response', async () => {
    const { scim } = await newProvider();
    const externalId = '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159';
    const { body: group } = await scim('POST', '/Groups', {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId,
      displayName: 'displayName',
      meta: { resourceType: 'Group' },
    });
    const at = `/Groups/${group.id}`;
    const users: Json[] = [];
    for (let count = 0; count < 20; count += 1) users.push(await newUser(scim));
    const value = users.map(({ id }) => ({ $ref: null, value: id }));
    const added = await scim('PATCH', at, patchOf({ op: 'Add', path: 'members', value }));
    expect([added.status, added.body.members.length]).toEqual([200, 20]);
    const { body } = await scim('GET', `${at}?excludedAttributes=members`);
    expect(body).toMatchObject({ id: group.id, externalId, displayName: 'displayName' });
    expect(body.members).toBeUndefined();
    const find = `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "displayName"')}`;
    const found = (await scim('GET', find)).body.Resources;
    expect([found.length, found[0].id, found[0].members]).toEqual([1, group.id, undefined]);
    const isMember = filtered('/Groups', `id eq "${group.id}" and members eq "${users[0].id}"`);
    expect((await scim('GET', isMember)).body.totalResults).toBe(1);
    const removed = patchOf({ op: 'Remove', path: 'members', value: [{ $ref: null, value: users[0].id }] });
    expect((await scim('PATCH', at, removed)).body.members).toHaveLength(19);
    expect((await scim('GET', isMember)).body.totalResults).toBe(0);
    const rename = patchOf({
      op: 'Replace',
      path: 'displayName',
      value: '1879db59-3bdf-4490-ad68-ab880a269474updated',
    });
    expect((await scim('PATCH', at, rename)).body.displayName).toContain('updated');
    expect((await scim('DELETE', at)).status).toBe(204);
  });

  it('discover what the service supports', async () => {
    const { scim } = await newProvider();
    const config = (await scim('GET', '/ServiceProviderConfig')).body;
    expect(config).toMatchObject({ patch: { supported: true }, filter: { supported: true, maxResults: 200 } });
    const types = (await scim('GET', '/ResourceTypes')).body.Resources;
    expect(types.map(({ endpoint, schema }: Json) => [endpoint, schema])).toEqual([
      ['/Users', USER],
      ['/Groups', GROUP],
    ]);
    const { Resources: schemas } = (await scim('GET', '/Schemas')).body;
    expect(schemas.map(({ id }: Json) => id)).toEqual([USER, GROUP]);
    expect((await scim('GET', `/Schemas/${USER}`)).body).toEqual(schemas[0]);
    expectScimError(await scim('GET', '/Schemas/urn:x'), 404, 'urn:x');
    expectScimError(await scim('GET', '/Me'), 404, '/Me');
  });
});

describe('deactivation', () => {
  const ENDS: readonly (readonly [string, string, unknown])[] = [
    ['PATCH', 'active: false', patchOf({ op: 'replace', value: { active: false } })],
    ['DELETE', 'deletion', undefined],
  ];

  it.each(ENDS)('with %s (%s) ends sessions on every gateway and open streams', async (method, _what, body) => {
    const { scim } = await newProvider();
    const { id } = await newUser(scim);
    const headers = await sessionOf(id);
    expect((await whoAmI(headers, replica.url)).status).toBe(200);
    gateway.services.jobs = async function* (call) {
      yield job;
      await new Promise((resolve) => call.signal.addEventListener('abort', resolve, { once: true }));
    };
    const stream = await fetch(`${gateway.url}/api/v1/connectors/${KNOWN.connector}/sync/${KNOWN.job}/events`, {
      headers,
    });
    expect([200, 204]).toContain((await scim(method, `/Users/${id}`, body)).status);
    const endedAt = performance.now();
    expect(parseEvents(await stream.text()).at(-1)).toMatchObject({ event: 'error', data: { code: 'unauthorized' } });
    expectError(await whoAmI(headers), 401, 'unauthorized');
    const isEnded = async () => (await whoAmI(headers, replica.url)).status === 401;
    await waitUntil(isEnded, { what: 'the session to end', timeoutMs: 60_000, intervalMs: 50 });
    expect(performance.now() - endedAt).toBeLessThan(timeLimit(LIMIT_MS));
  });

  it('keeps the person, whom a later creation activates again without old groups', async () => {
    const { scim } = await newProvider();
    const user = await newUser(scim, { externalId: 'first' });
    const members = [{ value: user.id }];
    await scim('POST', '/Groups', { displayName: 'Crew', members });
    await scim('DELETE', `/Users/${user.id}`);
    expect((await scim('GET', filtered('/Users', `userName eq "${user.userName}"`))).body.totalResults).toBe(0);
    expectScimError(await scim('PATCH', `/Users/${user.id}`, ENDS[0]![2]), 404, user.id);
    const again = await newUser(scim, { userName: user.userName, externalId: 'second' });
    expect(again).toMatchObject({ id: user.id, active: true, externalId: 'second', groups: [] });
  });

  it('never removes the last owner, and leaves addresses and activation of owners to owners', async () => {
    const pair = await createKeyPair(gateway.db, await ensureTeam(gateway.db, newId('team')), 'owners');
    const { scim } = await newProvider(undefined, pair.secretKey);
    const owner = await signInAs(gateway.db, pair.teamId, 'owner');
    const at = `/Users/${owner.id}`;
    const off = patchOf({ op: 'replace', value: { active: false } });
    for (const [method, body] of [
      ['PATCH', off],
      ['DELETE', undefined],
    ] as const) {
      expectScimError(await scim(method, at, body), 409, 'last owner');
    }
    const move = patchOf({ op: 'replace', path: 'userName', value: newEmail() });
    expectScimError(await scim('PATCH', at, move), 409, 'Only an owner can change the address');
    expect((await whoAmI(owner.headers)).status).toBe(200);
    await signInAs(gateway.db, pair.teamId, 'owner');
    expect((await scim('PATCH', at, off)).status).toBe(200);
    const on = patchOf({ op: 'replace', value: { active: true } });
    expectScimError(await scim('PATCH', at, on), 409, 'Only an owner can activate');
  });
});

describe('an identity provider', () => {
  it('sees and changes only people and groups of its team, and only its own groups', async () => {
    const [own, foreign] = [await newProvider(), await newProvider(undefined, gateway.otherKeys.secretKey)];
    const sibling = await newProvider();
    const user = await newUser(own.scim, { externalId: 'x' });
    const { body: group } = await own.scim('POST', '/Groups', { displayName: 'Crew', members: [{ value: user.id }] });
    const both = [
      [`/Groups/${group.id}`, { displayName: 'Stolen' }],
      [`/Users/${user.id}`, { userName: newEmail() }],
    ] as const;
    for (const [path, body] of both) {
      const id = path.split('/')[2]!;
      for (const { scim } of path.startsWith('/Groups') ? [foreign, sibling] : [foreign]) {
        expectScimError(await scim('GET', path), 404, id);
        expectScimError(await scim('PUT', path, body), 404, id);
        expectScimError(await scim('PATCH', path, patchOf({ op: 'replace', value: body })), 404, id);
        expectScimError(await scim('DELETE', path), 404, id);
      }
    }
    const filters = [`id eq "${user.id}"`, `userName eq "${user.userName}"`, 'externalId eq "x"'];
    for (const filter of filters) {
      expect((await foreign.scim('GET', filtered('/Users', filter))).body.totalResults).toBe(0);
    }
    const members = { displayName: 'Spies', members: [{ value: user.id }] };
    expectScimError(await foreign.scim('POST', '/Groups', members), 400, user.id, 'invalidValue');
    // Another provider of the team sees the person, but not what this one stored.
    const seen = await sibling.scim('GET', `/Users/${user.id}`);
    expect([seen.status, seen.body.externalId, seen.body.groups]).toEqual([200, undefined, []]);
  });

  it('cannot learn of another team’s people from a conflict', async () => {
    const { scim } = await newProvider();
    const foreigner = await signInAs(gateway.db, gateway.otherKeys.teamId, 'member');
    const own = await newUser(scim);
    const conflicts = [
      await scim('POST', '/Users', { userName: foreigner.email }),
      await scim('POST', '/Users', { userName: own.userName }),
      await scim('PUT', `/Users/${own.id}`, { userName: foreigner.email }),
      await scim('PATCH', `/Users/${own.id}`, patchOf({ op: 'replace', path: 'emails.value', value: foreigner.email })),
    ];
    for (const response of conflicts) expectScimError(response, 409, 'already in use', 'uniqueness');
    expect(new Set(conflicts.map(({ body }) => body.detail)).size).toBe(1);
  });

  it('takes over invited people and the groups that sign-ins created', async () => {
    const { scim, provider } = await newProvider();
    const invited = await signInAs(gateway.db, gateway.keys.teamId, 'editor');
    const [found] = (await scim('GET', filtered('/Users', `userName eq "${invited.email}"`))).body.Resources;
    expect(found).toMatchObject({ id: invited.id, active: true });
    const put = await scim('PUT', `/Users/${invited.id}`, {
      userName: invited.email,
      externalId: 'okta-1',
      active: true,
    });
    expect(put.body.externalId).toBe('okta-1');
    expect(await personOf(invited.id)).toMatchObject({ role: 'editor' });
    const { teamId } = gateway.keys;
    const group = {
      id: newId('group'),
      teamId,
      source: provider,
      origin: 'sign_in',
      name: 'Crew',
      role: 'editor',
    } as const;
    await gateway.db.group.create({ data: { ...group, members: { create: { personId: invited.id } } } });
    const created = await scim('POST', '/Groups', { displayName: 'Crew' });
    expect(created.body).toMatchObject({ id: group.id, members: [] });
    expectScimError(await scim('POST', '/Groups', { displayName: 'Crew' }), 409, 'Crew', 'uniqueness');
  });

  it('changes roles only through groups that an admin gave one', async () => {
    const { scim } = await newProvider();
    const { id } = await newUser(scim, { roles: [{ value: 'owner' }], role: 'owner' });
    const { body: group } = await scim('POST', '/Groups', {
      displayName: 'Editors',
      members: [{ value: id }],
      role: 'admin',
    });
    const headers = { ...(await sessionOf(id)), 'X-Lectern-CSRF': '1' };
    const create = () =>
      gateway.send('POST', '/api/v1/collections', { key: null, json: { name: 'Handbook' }, headers });
    expectError(await create(), 403, 'forbidden');
    await gateway.send('PUT', `/api/v1/groups/${group.id}`, { json: { role: 'editor' } });
    expect((await create()).status).toBe(201);
    await scim('PATCH', `/Groups/${group.id}`, patchOf({ op: 'remove', path: `members[value eq "${id}"]` }));
    expectError(await create(), 403, 'forbidden');
  });

  it('is in the audit log with each change, and without requests that change nothing', async () => {
    const { scim, provider, id: scimToken } = await newProvider();
    const user = await newUser(scim);
    const off = patchOf({ op: 'replace', value: { active: false } });
    for (let count = 0; count < 2; count += 1) await scim('PATCH', `/Users/${user.id}`, off);
    await scim('DELETE', `/Users/${user.id}`);
    const { data } = (await gateway.send('GET', `/api/v1/audit?resourceId=${user.id}`)).json;
    const details = { provider, scimToken };
    expect(data).toMatchObject([
      { action: 'scimDeleteUser', details },
      { action: 'scimUpdateUser', details: { ...details, fields: ['active'], status: 'deactivated' } },
      { action: 'scimCreateUser', details, actor: { keyId: null, user: null } },
    ]);
    const tokens = (await gateway.send('GET', `/api/v1/audit?resourceId=${scimToken}`)).json;
    expect(JSON.stringify(tokens)).not.toContain('lectern_sc_');
  });
});

describe('a SCIM token', () => {
  it('is required, stops working when it is deleted, and is neither a key nor a session', async () => {
    const { scim, id, token } = await newProvider();
    expect((await scim('GET', '/Users')).status).toBe(200);
    const { data } = (await gateway.send('GET', '/api/v1/scim-tokens')).json;
    expect(data[0]).toMatchObject({ id, lastUsedAt: expect.any(String) });
    expect(JSON.stringify(data)).not.toContain('lectern_sc_');
    expectError(await gateway.send('GET', '/api/v1/people', { key: token }), 401, 'invalid_key');
    const wrong = ['', 'Basic abc', `Bearer ${gateway.keys.secretKey}`, `Bearer ${token}x`, 'Bearer'];
    for (const Authorization of wrong) {
      const response = await scim('GET', '/Users', undefined, { headers: { Authorization } });
      expectScimError(response, 401, 'SCIM token');
      expect(response.headers.get('www-authenticate')).toContain('Bearer');
    }
    await gateway.send('DELETE', `/api/v1/scim-tokens/${id}`);
    expectScimError(await scim('GET', '/Users'), 401, 'SCIM token');
  });

  it.each(['lectern', 'domain', 'Okta', 'o:k', '-a', 'a'.repeat(33), ''])(
    'rejects the provider %j',
    async (provider) => {
      const json = { name: 'Okta', provider };
      expectError(await gateway.send('POST', '/api/v1/scim-tokens', { json }), 400, 'invalid_request', 'provider');
    },
  );
});

describe('a SCIM request', () => {
  it.each<[string, string, string, unknown, number, string, string | undefined]>([
    ['a user without a name', 'POST', '/Users', {}, 400, 'userName', 'invalidValue'],
    ['a user without an address', 'POST', '/Users', { userName: 'ada' }, 400, 'emails', 'invalidValue'],
    [
      'a status that is no boolean',
      'POST',
      '/Users',
      { userName: 'a@b.co', active: 'off' },
      400,
      'active',
      'invalidValue',
    ],
    ['an unsupported filter', 'GET', '/Users?filter=title%20pr', undefined, 400, 'eq', 'invalidFilter'],
    ['an unknown attribute', 'GET', '/Users?filter=title%20eq%20%22x%22', undefined, 400, 'title', 'invalidFilter'],
    ['a page that is no number', 'GET', '/Users?count=many', undefined, 400, 'count', 'invalidValue'],
    ['a group without a name', 'POST', '/Groups', {}, 400, 'displayName', 'invalidValue'],
    ['a PATCH without operations', 'PATCH', '/Users/per_x', { Operations: [] }, 400, 'operations', 'invalidValue'],
    ['an unknown operation', 'PATCH', '/Users/per_x', patchOf({ op: 'move' }), 400, 'op', 'invalidValue'],
    ['a list', 'POST', '/Users', [], 400, 'body', 'invalidValue'],
    ['another method', 'POST', '/Users/per_x', {}, 405, 'POST', undefined],
  ])('with %s is rejected', async (_what, method, path, body, status, detail, scimType) => {
    const { scim } = await newProvider();
    expectScimError(await scim(method, path, body), status, detail, scimType);
  });

  it('with a body that is too large, malformed or of another type is rejected', async () => {
    const { scim } = await newProvider();
    const big = { userName: newEmail(), filler: 'x'.repeat(5 * 1024 * 1024) };
    expectScimError(await scim('POST', '/Users', big), 413, 'too large');
    const members = Array.from({ length: 10_001 }, () => 'per_x');
    expectScimError(await scim('POST', '/Groups', { displayName: 'Big', members }), 400, '', 'invalidValue');
    const type = { headers: { 'Content-Type': 'text/plain' } };
    expectScimError(await scim('POST', '/Users', {}, type), 415, 'text/plain');
  });

  it('returns only the attributes that it names', async () => {
    const { scim } = await newProvider();
    const user = await newUser(scim, { name: { givenName: 'Ada', familyName: 'King' } });
    const { body } = await scim('GET', `/Users/${user.id}?attributes=USERNAME,name.givenName`);
    expect(body).toEqual({ schemas: [USER], id: user.id, userName: user.userName, name: { givenName: 'Ada' } });
    const rest = await scim('GET', `/Users/${user.id}?excludedAttributes=groups,name.formatted,id,meta`);
    expect(Object.keys(rest.body).toSorted()).toEqual([
      'active',
      'displayName',
      'emails',
      'id',
      'name',
      'schemas',
      'userName',
    ]);
    expect(rest.body.name).toEqual({ givenName: 'Ada', familyName: 'King' });
  });
});

describe('any sequence of requests', () => {
  const NAMES = ['ada', 'bob', 'cyd'] as const;
  const WHAT = ['create', 'delete', 'off', 'on', 'rename', 'join', 'leave'] as const;
  const command = fc.record({ what: fc.constantFrom(...WHAT), who: fc.nat(2), to: fc.nat(2), group: fc.nat(1) });

  it('leaves the users and groups that a model predicts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 15 }), async (commands) => {
        const pair = await createKeyPair(gateway.db, await ensureTeam(gateway.db, newId('team')), 'model');
        const { scim } = await newProvider('model', pair.secretKey);
        const unique = newId('person');
        const emailOf = (index: number) => `${NAMES[index]}.${unique}@example.com`;
        const groups = [];
        for (const displayName of ['A', 'B']) groups.push((await scim('POST', '/Groups', { displayName })).body.id);
        /** By address: the id, whether the provider sees the person, the status and the groups. */
        const model = new Map<string, { id: string; isKnown: boolean; active: boolean; groups: Set<string> }>();
        for (const step of commands) {
          const email = emailOf(step.who);
          const found = model.get(email);
          const person = found?.isKnown === true ? found : undefined;
          const at = `/Users/${person?.id ?? 'per_unknown'}`;
          const missing = person === undefined ? 404 : undefined;
          if (step.what === 'create') {
            const { status, body } = await scim('POST', '/Users', { userName: email });
            expect(status).toBe(person === undefined ? 201 : 409);
            if (person !== undefined) continue;
            if (found !== undefined) expect(body.id).toBe(found.id);
            model.set(email, { id: body.id, isKnown: true, active: true, groups: new Set() });
          } else if (step.what === 'delete') {
            expect((await scim('DELETE', at)).status).toBe(missing ?? 204);
            if (person !== undefined) Object.assign(person, { isKnown: false, active: false, groups: new Set() });
          } else if (step.what === 'off' || step.what === 'on') {
            const active = step.what === 'on';
            const change = patchOf({ op: 'replace', path: 'active', value: active });
            expect((await scim('PATCH', at, change)).status).toBe(missing ?? 200);
            if (person !== undefined) person.active = active;
          } else if (step.what === 'rename') {
            const to = emailOf(step.to);
            const isTaken = to !== email && model.has(to);
            const { status } = await scim('PATCH', at, patchOf({ op: 'replace', path: 'userName', value: to }));
            expect(status).toBe(missing ?? (isTaken ? 409 : 200));
            if (person === undefined || isTaken) continue;
            model.delete(email);
            model.set(to, person);
          } else {
            const id = person?.id ?? 'per_unknown';
            const value = [{ value: id }];
            const group = groups[step.group];
            const change =
              step.what === 'join'
                ? { op: 'add', path: 'members', value }
                : { op: 'remove', path: `members[value eq "${id}"]` };
            const { status } = await scim('PATCH', `/Groups/${group}`, patchOf(change));
            expect(status).toBe(person === undefined && step.what === 'join' ? 400 : 200);
            if (step.what === 'join') person?.groups.add(group);
            else person?.groups.delete(group);
          }
        }
        const listed = (await scim('GET', '/Users')).body.Resources.map(
          ({ id, userName, active, groups: of }: Json) => {
            return [userName, id, active, of.map(({ value }: Json) => value).toSorted()];
          },
        );
        const expected = [...model].flatMap(([email, { id, isKnown, active, groups: of }]) =>
          isKnown ? [[email, id, active, [...of].toSorted()]] : [],
        );
        expect(listed.toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: 15 },
    );
  });
});
