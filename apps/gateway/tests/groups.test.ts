import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lectern/service-kit';
import { timeLimit, waitUntil } from '@lectern/testing';
import { principalOf, replaceSignInGroups } from '#identity/group-store';
import { createLink } from '#identity/link-store';
import { createKeyPair } from '#keys/pair-store';
import { ensureTeam } from '#keys/team-store';
import { parseEvents } from './support/events.ts';
import { expectError } from './support/expect-error.ts';
import { send, startTestGateway, type TestGateway } from './support/gateway.ts';
import { signInAs, type TestPerson } from './support/people.ts';
import { job, KNOWN } from './support/records.ts';
import type { Replica } from './support/replica.ts';

const LIMIT_MS = 5_000;

let gateway: TestGateway;
let replica: Replica;
beforeAll(async () => {
  gateway = await startTestGateway();
  replica = await gateway.startReplica();
});
afterAll(() => gateway.stop());

const newPerson = (role: 'member' | 'editor' | 'admin' = 'member') => signInAs(gateway.db, gateway.keys.teamId, role);

const ok = async (method: string, path: string, json?: object) => {
  const response = await gateway.send(method, path, json === undefined ? {} : { json });
  expect([response.status, response.json.error]).toEqual([method === 'POST' ? 201 : 200, undefined]);
  return response.json.data;
};
const newGroup = (fields: object = {}) => ok('POST', '/api/v1/groups', { name: newId('group'), ...fields });
const add = (group: string, person: string) => ok('PUT', `/api/v1/groups/${group}/members/${person}`);

const as = ({ headers }: TestPerson, method: string, path: string, json?: object, url = gateway.url) =>
  send(url, '', method, path, { key: null, headers, ...(json === undefined ? {} : { json }) });
const createCollection = (person: TestPerson, url?: string) =>
  as(person, 'POST', '/api/v1/collections', { name: 'Handbook' }, url);

const signInGroups = (person: string, names: readonly string[], source = 'okta', teamId = gateway.keys.teamId) =>
  gateway.db.$transaction((tx) => replaceSignInGroups(tx, { id: person, teamId }, source, names));
const recordOf = (person: string) => ok('GET', `/api/v1/people/${person}`);

/** The groups of the caller that the services receive for a search. */
async function groupsInCall(search: () => Promise<{ readonly status: number }>) {
  gateway.services.calls.length = 0;
  expect((await search()).status).toBe(200);
  return gateway.services.calls.at(-1)?.caller.groups;
}

describe('a group', () => {
  it('is a principal of every request of its members, also of a request on behalf of one', async () => {
    const person = await newPerson();
    const group = await newGroup({ name: `Support team/${person.id} 100%` });
    expect(group.principal).toBe(`group:lectern/Support%20team%2F${person.id}%20100%25`);
    const query = { query: 'leave' };
    expect(await groupsInCall(() => as(person, 'POST', '/api/v1/search', query))).toBeUndefined();
    await add(group.id, person.id);
    expect(await groupsInCall(() => as(person, 'POST', '/api/v1/search', query))).toEqual([group.principal]);
    const headers = { 'X-Service-User': person.email };
    const onBehalf = () => gateway.send('POST', '/api/v1/search', { json: query, headers });
    expect(await groupsInCall(onBehalf)).toEqual([group.principal]);
    const key = gateway.otherKeys.secretKey;
    gateway.services.calls.length = 0;
    await gateway.send('POST', '/api/v1/search', { json: query, headers, key });
    expect(gateway.services.calls.at(-1)?.caller.groups).toBeUndefined();
    expect(await recordOf(person.id)).toMatchObject({ groups: [group.principal] });
  });

  it('gives its members a role on every gateway, which ends with the membership', async () => {
    const person = await newPerson();
    const group = await newGroup();
    await add(group.id, person.id);
    expectError(await createCollection(person, replica.url), 403, 'forbidden', 'role editor');
    await ok('PUT', `/api/v1/groups/${group.id}`, { role: 'admin' });
    expect(await recordOf(person.id)).toMatchObject({ role: 'member', effectiveRole: 'admin' });
    const changedAt = performance.now();
    const isAllowed = async () => (await createCollection(person, replica.url)).status === 201;
    await waitUntil(isAllowed, { what: 'the role', timeoutMs: 60_000, intervalMs: 50 });
    expect(performance.now() - changedAt).toBeLessThan(timeLimit(LIMIT_MS));
    expect((await createCollection(person)).status).toBe(201);
    await ok('DELETE', `/api/v1/groups/${group.id}/members/${person.id}`);
    expectError(await createCollection(person), 403, 'forbidden', 'role editor');
  });

  it('never lowers a role, and never makes owners', async () => {
    const person = await newPerson('admin');
    const group = await newGroup({ role: 'editor' });
    await add(group.id, person.id);
    expect(await recordOf(person.id)).toMatchObject({ role: 'admin', effectiveRole: 'admin' });
    const json = { role: 'owner' };
    expectError(await gateway.send('PUT', `/api/v1/groups/${group.id}`, { json }), 400, 'invalid_request', 'role');
  });

  it('ends the open streams of a person who leaves it, also without an event', async () => {
    const ends = [
      (group: string, person: string) => ok('DELETE', `/api/v1/groups/${group}/members/${person}`),
      (group: string, person: string) =>
        gateway.db.groupMember.deleteMany({ where: { groupId: group, personId: person } }),
      (group: string) => ok('DELETE', `/api/v1/groups/${group}`),
    ];
    gateway.services.jobs = async function* (call) {
      yield job;
      await new Promise((resolve) => call.signal.addEventListener('abort', resolve, { once: true }));
    };
    for (const end of ends) {
      const person = await newPerson();
      const group = await newGroup();
      await add(group.id, person.id);
      const path = `/api/v1/connectors/${KNOWN.connector}/sync/${KNOWN.job}/events`;
      const response = await fetch(gateway.url + path, { headers: person.headers });
      await end(group.id, person.id);
      const endedAt = performance.now();
      const last = parseEvents(await response.text()).at(-1);
      expect(performance.now() - endedAt).toBeLessThan(timeLimit(LIMIT_MS));
      expect(last).toMatchObject({ event: 'error', data: { code: 'forbidden' } });
    }
  });

  it('takes unused invitations with it when its members may no longer invite', async () => {
    const [person, admin] = [await newPerson(), await newPerson('admin')];
    const group = await newGroup({ role: 'admin' });
    for (const { id } of [person, admin]) await add(group.id, id);
    const invite = async (by: string) => {
      const email = `${newId('person')}@example.com`;
      const link = { purpose: 'invitation', email, role: 'member' } as const;
      return (await createLink(gateway.db, gateway.keys.teamId, link, by)).link.id;
    };
    const [ofMember, ofAdmin] = [await invite(person.id), await invite(admin.id)];
    await ok('PUT', `/api/v1/groups/${group.id}`, { role: 'editor' });
    const left = await gateway.db.accountLink.findMany({ where: { id: { in: [ofMember, ofAdmin] } } });
    expect(left.map(({ id }) => id)).toEqual([ofAdmin]);
  });

  it('has a unique name that fits in a principal, and members of its team only', async () => {
    const { id, name } = await newGroup();
    const create = (json: object) => gateway.send('POST', '/api/v1/groups', { json });
    expectError(await create({ name }), 409, 'conflict', name);
    expectError(await create({ name: '\u3000x'.repeat(90) }), 400, 'invalid_request', 'name');
    const foreigner = await signInAs(gateway.db, await ensureTeam(gateway.db, 'Other team'), 'member');
    const path = `/api/v1/groups/${id}/members/${foreigner.id}`;
    expectError(await gateway.send('PUT', path), 404, 'not_found');
    expect(await ok('GET', `/api/v1/groups/${id}`)).toMatchObject({ memberCount: 0, managedBy: 'admin' });
  });

  it('is in the audit log with each change', async () => {
    const person = await newPerson();
    const group = await newGroup();
    await add(group.id, person.id);
    await ok('PUT', `/api/v1/groups/${group.id}`, { role: 'editor' });
    await ok('DELETE', `/api/v1/groups/${group.id}`);
    const events = await gateway.db.auditEvent.findMany({ where: { resourceId: group.id }, orderBy: { id: 'asc' } });
    const actions = ['createGroup', 'addGroupMember', 'updateGroup', 'deleteGroup'];
    expect(events.map(({ action }) => action).toSorted()).toEqual(actions.toSorted());
  });
});

describe('the groups of a sign-in', () => {
  it('replace the earlier ones of the same provider only, and create groups as needed', async () => {
    const { id } = await newPerson();
    const [a, b, c] = [`a${id}`, `b${id}`, `c${id}`];
    await signInGroups(id, [a, b, a]);
    await signInGroups(id, [a], 'entra');
    expect((await recordOf(id)).groups).toEqual([`group:entra/${a}`, `group:okta/${a}`, `group:okta/${b}`]);
    await signInGroups(id, [b, c]);
    expect((await recordOf(id)).groups).toEqual([`group:entra/${a}`, `group:okta/${b}`, `group:okta/${c}`]);
    await signInGroups(id, []);
    expect((await recordOf(id)).groups).toEqual([`group:entra/${a}`]);
  });

  it('do not change groups that SCIM manages', async () => {
    const { id } = await newPerson();
    const name = newId('group');
    const { teamId } = gateway.keys;
    await gateway.db.group.create({ data: { id: newId('group'), teamId, source: 'okta', origin: 'scim', name } });
    await signInGroups(id, [name]);
    expect((await recordOf(id)).groups).toEqual([]);
    const [group] = await gateway.db.group.findMany({ where: { name } });
    await gateway.db.groupMember.create({ data: { groupId: group!.id, personId: id } });
    await signInGroups(id, []);
    expect((await recordOf(id)).groups).toEqual([`group:okta/${name}`]);
    const rename = await gateway.send('PUT', `/api/v1/groups/${group!.id}`, { json: { name: 'Mine' } });
    expectError(rename, 409, 'conflict', 'identity provider');
    expectError(await gateway.send('PUT', `/api/v1/groups/${group!.id}/members/${id}`), 409, 'conflict');
    expect(await ok('PUT', `/api/v1/groups/${group!.id}`, { role: 'editor' })).toMatchObject({ role: 'editor' });
  });

  it('count up to 200 names and 12 KiB, and skip names that cannot be a principal', async () => {
    const { id } = await newPerson();
    const names = Array.from({ length: 300 }, (_, at) => `${String(at).padStart(3, '0')} ${'ü'.repeat(100)}`);
    await signInGroups(id, ['', ' ', 'x'.repeat(400), ...names], 'long');
    const { groups } = await recordOf(id);
    expect(groups[0]).toBe(principalOf({ source: 'long', name: names[0]! }));
    const bytes = groups.reduce((sum: number, text: string) => sum + Buffer.byteLength(text), 0);
    expect(bytes).toBeLessThanOrEqual(12 * 1024);
    expect(bytes).toBeGreaterThan(12 * 1024 - 250);
    expect(await gateway.db.groupMember.count({ where: { personId: id } })).toBe(200);
    // The services receive all of them, with a scope of a thousand collections too.
    const headers = { 'X-Service-User': (await recordOf(id)).email };
    const allowedCollections = Array.from({ length: 1_000 }, () => newId('collection'));
    const scope = { allowAllCollections: false, allowedCollections };
    const { secretKey: key } = await createKeyPair(gateway.db, gateway.keys.teamId, 'scoped', scope);
    const search = () => gateway.send('POST', '/api/v1/search', { json: { query: 'leave' }, headers, key });
    expect(await groupsInCall(search)).toEqual(groups);
  });
});
