import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toPrincipal } from '@lectern/contracts';
import {
  type DirectoryMember,
  type DrivePermission,
  type GoogleDriveServer,
  runCount,
  startGoogleDriveServer,
} from '@lectern/testing';
import fc from 'fast-check';
import type { Connector } from '#connector';
import { googleDriveType } from '#google-drive/google-drive-type';
import { publicAddresses } from '#host';
import type { SourceEvent } from '#source';
import { call, collect, idsOf, refsOf, textOf } from './support/read-source.ts';
import { createTestHost, type TestHost } from './support/test-host.ts';

const ADA = '100000001';
const BOB = '100000002';
const ownerOf = (name: string) => ({ displayName: name, emailAddress: `${name}@example.com` });
const bobs = { owner: ownerOf('bob'), permissions: [] as readonly DrivePermission[] };

let server: GoogleDriveServer;
let host: TestHost;

const open = (config: object = {}, credentials: object = {}): Connector =>
  googleDriveType.open({
    config,
    credentials: { serviceAccountKey: server.delegation.keyFile(), adminEmail: 'Ada@example.com', ...credentials },
    host,
  });
const failures = (events: readonly SourceEvent[]) =>
  events.flatMap((event) => (event.type === 'failed' ? [event] : []));
const readersOf = async (drive: Connector, id: string) => {
  const [readers] = await collect(drive.permissions!(call, [{ id, path: id, title: id }]));
  return readers!.principals;
};
/** Returns the users in a group, found like the collection service does: upwards, through all groups. */
async function usersIn(drive: Connector, principals: readonly string[], users: readonly string[]) {
  const groups = await collect(drive.groups!(call));
  return users.filter((user) => {
    const mine = new Set([`user:${user}`, `group:domain:${user.split('@')[1]}`]);
    for (let before = -1; before !== mine.size; ) {
      before = mine.size;
      for (const { principal, members } of groups) if (members.some((member) => mine.has(member))) mine.add(principal);
    }
    return principals.some((principal) => mine.has(principal));
  });
}

beforeEach(async () => {
  server = await startGoogleDriveServer({ pageSize: 2 });
  const { origin } = server;
  const addresses = { ...publicAddresses, google: origin, googleAdmin: origin, googleToken: `${origin}/token` };
  host = createTestHost({ addresses });
  server.directory.putUser({ id: BOB, primaryEmail: 'bob@example.com' });
});

afterEach(async () => {
  await host.close();
  await server.stop();
});

describe('Google Drive of a domain', () => {
  it('lists what each user owns and every shared drive, each file once', async () => {
    const { model, directory } = server;
    model.addDrive('d1', 'Sales');
    directory.setDriveMembers('d1', [{ id: 'p', type: 'user', role: 'reader', emailAddress: 'bob@example.com' }]);
    model.put({ id: 'a', name: 'a' });
    model.put({ id: 'both', name: 'both', permissions: [{ id: 'p', type: 'anyone', role: 'reader' }] });
    model.put({ id: 'b', name: 'b', content: 'of Bob', ...bobs });
    model.put({ id: 's', name: 's', content: 'shared', driveId: 'd1', permissions: [] });
    model.put({
      id: 'out',
      name: 'out',
      owner: ownerOf('outsider'),
      permissions: [{ id: 'p', type: 'anyone', role: 'reader' }],
    });
    const drive = open();
    const events = await collect(drive.list(call));
    expect(idsOf(events)).toEqual([`user/${ADA}/a`, `user/${ADA}/both`, `user/${BOB}/b`, 'drive/d1/s']);
    expect(failures(events)).toEqual([]);
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: true, confirmGone: true });
    const [, , ofBob, shared] = refsOf(events);
    expect(await textOf(drive, ofBob!)).toBe('of Bob');
    expect(await textOf(drive, shared!)).toBe('shared');
  });

  it('leaves out suspended and archived users, and those that the config does not select', async () => {
    const { model, directory } = server;
    const users = ['suspended', 'archived', 'sales', 'europe', 'salesforce'];
    for (const [n, name] of users.entries()) {
      directory.putUser({
        id: `20${n}`,
        primaryEmail: `${name}@example.com`,
        suspended: name === 'suspended',
        archived: name === 'archived',
        orgUnitPath: { sales: '/Sales', europe: '/Sales/Europe', salesforce: '/Salesforce' }[name] ?? '/',
      });
      model.put({ id: name, name, owner: ownerOf(name), permissions: [] });
    }
    model.put({ id: 'b', name: 'b', ...bobs });
    const titles = async (config: object) => refsOf(await collect(open(config).list(call))).map(({ title }) => title);
    expect(await titles({})).toEqual(['b', 'sales', 'europe', 'salesforce']);
    expect(await titles({ orgUnits: '/sales' })).toEqual(['sales', 'europe']);
    expect(await titles({ users: ['BOB@example.com'], orgUnits: ['/Sales/Europe'] })).toEqual(['b', 'europe']);
    const missing = await collect(open({ users: ['bob@example.com', 'suspended@example.com'] }).list(call));
    expect(idsOf(missing)).toEqual([`user/${BOB}/b`]);
    expect(failures(missing)).toMatchObject([{ id: 'user/suspended@example.com', error: { code: 'invalid' } }]);
    expect(await open({ users: 'ada@example.com' }).resolve(call, `user/${BOB}/b`)).toBeNull();
  });

  it('keeps the documents of a user as whom it may not act', async () => {
    server.model.put({ id: 'a', name: 'a' });
    server.model.put({ id: 'b', name: 'b', ...bobs });
    server.delegation.refuseUsers(['bob@example.com']);
    const drive = open();
    const events = await collect(drive.list(call));
    expect(idsOf(events)).toEqual([`user/${ADA}/a`]);
    expect(failures(events)).toMatchObject([
      { id: `user/${BOB}`, path: 'bob@example.com', error: { code: 'forbidden' } },
    ]);
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: true, confirmGone: true });
    server.forget();
    for (let n = 0; n < 5; n += 1) {
      await expect(drive.resolve(call, `user/${BOB}/b`)).rejects.toMatchObject({ kind: 'forbidden' });
    }
    expect(server.requests).toEqual([]);
    expect(await readersOf(drive, `user/${BOB}/b`)).toEqual([]);
    server.directory.removeUser(BOB);
    expect(await open().resolve(call, `user/${BOB}/b`)).toBeNull();
  });

  it('keeps the documents of a user for whom Drive is off', async () => {
    server.model.put({ id: 'b', name: 'b', ...bobs });
    server.before(({ query, headers }) => {
      const grant = server.delegation.find(headers.authorization);
      if (query.get('q') !== null && grant?.subject === 'bob@example.com') server.delegation.expireTokens();
    });
    const drive = open();
    const events = await collect(drive.list(call));
    expect(failures(events)).toMatchObject([{ id: `user/${BOB}`, error: { code: 'forbidden' } }]);
    server.before();
    expect(await drive.resolve(call, `user/${BOB}/b`)).toMatchObject({ id: `user/${BOB}/b` });
  });

  it('reads a shared drive as the member with the most rights as whom it may act', async () => {
    const { model, directory, delegation } = server;
    directory.putUser({ id: '300', primaryEmail: 'carl@example.com' });
    directory.putGroup('inner@example.com', [{ type: 'USER', email: 'carl@example.com' }]);
    directory.putGroup('outer@example.com', [{ type: 'GROUP', email: 'inner@example.com' }]);
    model.addDrive('d1', 'Sales');
    model.put({ id: 's', name: 's', driveId: 'd1', permissions: [] });
    const members: DrivePermission[] = [
      { id: '1', type: 'user', role: 'reader', emailAddress: 'guest@else.example' },
      { id: '2', type: 'user', role: 'organizer', emailAddress: 'bob@example.com' },
      { id: '3', type: 'group', role: 'writer', emailAddress: 'outer@example.com' },
    ];
    directory.setDriveMembers('d1', members);
    const groups = ['user:guest@else.example', 'user:bob@example.com', 'group:google_drive:outer@example.com'];
    expect(await readersOf(open(), 'drive/d1/s')).toEqual(groups);
    delegation.refuseUsers(['bob@example.com']);
    expect(await readersOf(open(), 'drive/d1/s')).toEqual(groups);
    delegation.refuseUsers(['bob@example.com', 'carl@example.com']);
    const drive = open();
    const events = await collect(drive.list(call));
    expect(failures(events)).toContainEqual(expect.objectContaining({ id: 'drive/d1', path: 'Shared drive d1' }));
    expect(events.at(-1)).toMatchObject({ authoritative: true, confirmGone: true });
    await expect(drive.resolve(call, 'drive/d1/s')).rejects.toMatchObject({ kind: 'forbidden' });
    model.removeDrive('d1');
    expect(await open().resolve(call, 'drive/d1/s')).toBeNull();
  });

  it('finds the files of a shared drive after the member as whom it reads has left', async () => {
    const { model, directory } = server;
    const member = (id: string, emailAddress: string): DrivePermission => ({
      ...{ id, type: 'user', role: 'organizer', emailAddress },
    });
    model.addDrive('d1', 'Sales');
    model.put({ id: 's', name: 's', content: 'shared', driveId: 'd1', permissions: [] });
    directory.setDriveMembers('d1', [member('1', 'bob@example.com')]);
    const uses: readonly ((drive: Connector) => Promise<unknown>)[] = [
      async (drive) => expect(await drive.resolve(call, 'drive/d1/s')).toMatchObject({ title: 's' }),
      async (drive) => expect(await textOf(drive, { id: 'drive/d1/s', path: 's', title: 's' })).toBe('shared'),
      async (drive) => expect(await readersOf(drive, 'drive/d1/s')).toEqual(['user:ada@example.com']),
      async (drive) => expect(failures(await collect(drive.list(call)))).toEqual([]),
    ];
    for (const use of uses) {
      directory.setDriveMembers('d1', [member('1', 'bob@example.com')]);
      const drive = open();
      await collect(drive.list(call));
      directory.setDriveMembers('d1', [member('2', 'ada@example.com')]);
      await use(drive);
    }
  });

  it('finds a file no longer under its former owner or drive', async () => {
    const { model, directory } = server;
    model.addDrive('d1', 'Sales');
    directory.setDriveMembers('d1', [{ id: 'p', type: 'user', role: 'writer', emailAddress: 'bob@example.com' }]);
    const shared: DrivePermission = { id: 'p', type: 'anyone', role: 'reader' };
    model.put({ id: 'x', name: 'x', ...bobs });
    const drive = open();
    const [ref] = refsOf(await collect(drive.list(call)));
    model.put({ id: 'x', name: 'x', permissions: [shared] });
    expect(await drive.resolve(call, `user/${BOB}/x`)).toBeNull();
    await expect(drive.fetch(call, ref!)).rejects.toMatchObject({ kind: 'gone' });
    expect(await drive.resolve(call, `user/${ADA}/x`)).toMatchObject({ title: 'x' });
    model.move('x', 'd1');
    expect(await drive.resolve(call, `user/${ADA}/x`)).toBeNull();
    expect(await drive.resolve(call, 'drive/d1/x')).toMatchObject({ title: 'x' });
    for (const id of ['x', 'user/x', 'drive/d1/x/y', `user//x`, `team/d1/x`, '']) {
      expect(await drive.resolve(call, id)).toBeNull();
    }
  });

  it('reports a revoked key, a missing scope and an administrator without rights', async () => {
    const lastCheck = async (drive: Connector) => (await drive.test(call)).at(-1);
    expect(await lastCheck(open())).toMatchObject({ name: 'files', ok: true });
    const revoked = open({}, { serviceAccountKey: server.delegation.keyFile({ revoked: true }) });
    expect(await lastCheck(revoked)).toMatchObject({ ok: false, message: expect.stringContaining('key') });
    expect(await lastCheck(open({}, { adminEmail: 'bob@example.com' }))).toMatchObject({
      name: 'directory',
      ok: false,
    });
    await expect(collect(open({}, { adminEmail: 'none@example.com' }).list(call))).rejects.toMatchObject({
      kind: 'auth',
    });
    expect(await lastCheck(open({ users: 'none@example.com' }))).toMatchObject({
      ok: false,
      message: expect.stringContaining('none@example.com'),
    });
    server.delegation.setScopes(['https://www.googleapis.com/auth/drive.readonly']);
    expect(await lastCheck(open())).toMatchObject({
      ok: false,
      message: expect.stringContaining('admin.directory.group.member.readonly'),
    });
    await expect(collect(open().list(call))).rejects.toMatchObject({ kind: 'auth' });
  });
});

describe('the readers of a domain', () => {
  it('are the members of a Google group, until they leave it', async () => {
    const { model, directory } = server;
    directory.putGroup('Team@example.com', [
      { type: 'USER', email: 'bob@example.com' },
      { type: 'USER', email: 'guest@else.example' },
      { type: 'USER', email: 'away@example.com', status: 'SUSPENDED' },
    ]);
    const group: DrivePermission = { id: 'g', type: 'group', role: 'reader', emailAddress: 'team@Example.com' };
    model.put({ id: 'a', name: 'a', permissions: [group] });
    const users = ['ada@example.com', 'bob@example.com', 'guest@else.example', 'away@example.com'];
    const drive = open();
    const readers = await readersOf(drive, `user/${ADA}/a`);
    expect(readers).toEqual(['group:google_drive:team@example.com']);
    expect(await usersIn(drive, readers, users)).toEqual(['bob@example.com', 'guest@else.example']);
    directory.putGroup('Team@example.com', [{ type: 'USER', email: 'guest@else.example' }]);
    expect(await usersIn(drive, readers, users)).toEqual(['guest@else.example']);
    directory.removeGroup('Team@example.com');
    expect(await usersIn(drive, readers, users)).toEqual([]);
  });

  it('are named by their primary address, and everyone of a domain includes its aliases', async () => {
    const { model, directory } = server;
    directory.putUser({ id: BOB, primaryEmail: 'bob@example.com', aliases: ['Robert@example.com'] });
    directory.putUser({
      id: '300',
      primaryEmail: 'carl@other.example',
      nonEditableAliases: ['carl@example.com', 'carl@alias.example'],
    });
    const domain = (name: string): DrivePermission => ({ id: name, type: 'domain', role: 'reader', domain: name });
    const user: DrivePermission = { id: 'u', type: 'user', role: 'reader', emailAddress: 'robert@example.com' };
    model.put({ id: 'u', name: 'u', permissions: [user] });
    model.put({ id: 'd', name: 'd', permissions: [domain('Example.com')] });
    model.put({ id: 'e', name: 'e', permissions: [domain('alias.example')] });
    const drive = open();
    expect(await readersOf(drive, `user/${ADA}/u`)).toEqual(['user:bob@example.com']);
    const users = ['ada@example.com', 'bob@example.com', 'carl@other.example', 'guest@else.example'];
    const everyone = await readersOf(drive, `user/${ADA}/d`);
    expect(everyone.map(toPrincipal)).toEqual(everyone);
    expect(await usersIn(drive, everyone, users)).toEqual(users.slice(0, 3));
    expect(await usersIn(drive, await readersOf(drive, `user/${ADA}/e`), users)).toEqual(['carl@other.example']);
  });

  it('match a reference closure of any graph of groups', async () => {
    const USERS = ['ada', 'bob', 'carl', 'dora', 'guest'];
    const GROUPS = ['g0', 'g1', 'g2', 'g3', 'g4'];
    const { directory, model } = server;
    directory.putUser({ id: '300', primaryEmail: 'carl@example.com', aliases: ['carl.alias@example.com'] });
    directory.putUser({ id: '301', primaryEmail: 'dora@example.com' });
    const emailOf = (name: string) => (name === 'guest' ? 'guest@else.example' : `${name}@example.com`);
    const member: fc.Arbitrary<DirectoryMember> = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom(...USERS).map((name): DirectoryMember => ({ type: 'USER', email: emailOf(name) })),
      },
      {
        weight: 4,
        arbitrary: fc.constantFrom(...GROUPS).map((name): DirectoryMember => ({ type: 'GROUP', email: emailOf(name) })),
      },
      { weight: 1, arbitrary: fc.constant<DirectoryMember>({ type: 'USER', email: 'Carl.Alias@example.com' }) },
      { weight: 1, arbitrary: fc.constant<DirectoryMember>({ type: 'CUSTOMER', id: 'C01example' }) },
      { weight: 1, arbitrary: fc.constant<DirectoryMember>({ type: 'GROUP', email: 'foreign@else.example' }) },
    );
    const graph = fc.tuple(
      ...GROUPS.map(() => fc.uniqueArray(member, { maxLength: 4, selector: ({ type, email }) => `${type} ${email}` })),
    );
    /** The users in a group, found downwards by depth-first search. */
    const closure = (
      graphOf: ReadonlyMap<string, readonly DirectoryMember[]>,
      group: string,
      seen = new Set<string>(),
    ): Set<string> => {
      if (seen.has(group)) return new Set();
      seen.add(group);
      const found = new Set<string>();
      for (const { type, email = '' } of graphOf.get(group) ?? []) {
        if (type === 'CUSTOMER') for (const name of USERS.filter((user) => user !== 'guest')) found.add(emailOf(name));
        else if (type === 'GROUP') for (const user of closure(graphOf, email, seen)) found.add(user);
        else found.add(email === 'Carl.Alias@example.com' ? 'carl@example.com' : email);
      }
      return found;
    };
    await fc.assert(
      fc.asyncProperty(graph, fc.constantFrom(...GROUPS), async (lists, shared) => {
        const graphOf = new Map(GROUPS.map((name, n) => [emailOf(name), lists[n]!]));
        for (const [email, members] of graphOf) directory.putGroup(email, members);
        const permission: DrivePermission = { id: 'g', type: 'group', role: 'reader', emailAddress: emailOf(shared) };
        model.put({ id: 'a', name: 'a', permissions: [permission] });
        const drive = open();
        const readers = await usersIn(drive, await readersOf(drive, `user/${ADA}/a`), USERS.map(emailOf));
        expect(readers.sort()).toEqual([...closure(graphOf, emailOf(shared))].sort());
      }),
      { numRuns: runCount({ quick: 25, full: 150 }) },
    );
  });

  it('stay unknown if Google does not list its members, and other groups keep their members', async () => {
    const { directory } = server;
    directory.putGroup('one@example.com', [{ type: 'USER', email: 'bob@example.com' }]);
    directory.putGroup('two@example.com', [{ type: 'USER', email: 'bob@example.com' }]);
    server.fail(({ path }) => (path.includes('/groups/group-one@') ? { kind: 'status', status: 404 } : undefined));
    const groups = new Map((await collect(open().groups!(call))).map(({ principal, members }) => [principal, members]));
    expect(groups.get('group:google_drive:one@example.com')).toEqual([]);
    expect(groups.get('group:google_drive:two@example.com')).toEqual(['user:bob@example.com']);
  });
});

describe('the settings of a domain', () => {
  const messageOf = (check: () => unknown): string => {
    try {
      check();
      return '';
    } catch (error) {
      return JSON.stringify((error as { details?: unknown }).details);
    }
  };

  it('name the field that is wrong, and contain no value', () => {
    const key = server.delegation.keyFile();
    const adminEmail = 'ada@example.com';
    const check = (credentials: object) => messageOf(() => googleDriveType.checkCredentials(credentials));
    expect(check({})).toBe('');
    expect(check({ serviceAccountKey: key, adminEmail })).toBe('');
    expect(check({ serviceAccountKey: key })).toContain('credentials.adminEmail');
    expect(check({ adminEmail })).toContain('credentials.serviceAccountKey');
    expect(check({ serviceAccountKey: key, adminEmail: 'ada' })).toContain('must be an email address');
    expect(check({ token: 'x' })).toContain('credentials.token');
    const changed = (change: object) => JSON.stringify({ ...JSON.parse(key), ...change });
    for (const wrong of [
      'secret-text',
      '[]',
      'null',
      changed({ private_key: 'secret-text' }),
      changed({ client_email: 'secret-text' }),
      changed({ type: 'authorized_user' }),
      changed({ token_uri: 'http://169.254.169.254/token' }),
    ]) {
      const message = check({ serviceAccountKey: wrong, adminEmail });
      expect(message).toContain('credentials.serviceAccountKey');
      expect(message).not.toMatch(/secret-text|169\.254|BEGIN/);
    }
    const checkConfig = (config: object) => messageOf(() => googleDriveType.checkConfig(config));
    expect(checkConfig({ users: ['ada'] })).toContain('config.users');
    expect(checkConfig({ orgUnits: 'Sales' })).toContain('config.orgUnits');
    expect(checkConfig({ orgUnits: ['/', '/Sales/Europe'] })).toBe('');
  });

  it('refuse limits without a service account, and need an authorization only then', () => {
    const message = messageOf(() => googleDriveType.open({ config: { users: ['a@b.c'] }, credentials: {}, host }));
    expect(message).toContain('config.users');
    expect(googleDriveType.needsAuthorization({})).toBe(true);
    expect(googleDriveType.needsAuthorization({ accessToken: 'token' })).toBe(true);
    expect(googleDriveType.needsAuthorization({ serviceAccountKey: 'key' })).toBe(false);
  });
});
