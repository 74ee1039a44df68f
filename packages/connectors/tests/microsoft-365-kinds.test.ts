import { afterEach, describe, expect, it } from '@jest/globals';
import { failuresOf, startTenant, stopTenants } from './support/graph-tenant.ts';
import { call, collect, idsOf, refsOf, textOf } from './support/read-source.ts';

afterEach(stopTenants);

const SITES = { sites: 'https://example.sharepoint.com/sites/marketing' };
const ALL = { ...SITES, teams: 'all', mailboxes: 'ada@example.com' };

/** Starts a tenant with two files, threads and messages. */
async function start(options: Parameters<typeof startTenant>[0] = {}) {
  const tenant = await startTenant(options);
  const { model } = tenant;
  const ada = model.addUser('Ada');
  const library = model.addLibrary(model.addSite('/sites/marketing').id);
  const group = model.addGroup('Marketing', { isUnified: true });
  model.teams.addTeam(group.id, 'Marketing');
  const channel = model.teams.addChannel(group.id, 'General');
  model.mail.addMailbox(ada.id);
  const ids: string[] = [];
  for (const name of ['one', 'two']) {
    ids.push(`${library.id}/${model.add(library.id, `${name}.txt`, { content: name }).id}`);
    ids.push(`teams/${group.id}/${channel.id}/${model.teams.post(channel.id, name).id}`);
    ids.push(`mail/${ada.id}/${model.mail.deliver(ada.id, name).id}`);
  }
  return { ...tenant, library, channel, ada, ids };
}

describe('files, threads and mail of one connector', () => {
  it('are listed together, and resume from every checkpoint', async () => {
    const { open, ids } = await start({ pageSize: 1 });
    const events = await collect(open(ALL).list(call));
    expect(idsOf(events).toSorted()).toEqual(ids.toSorted());
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: true, confirmGone: true });
    let checkpoints = 0;
    for (const [at, event] of events.entries()) {
      if (event.type !== 'checkpoint') continue;
      checkpoints += 1;
      const rest = await collect(open(ALL).list(call, event.at));
      expect([...idsOf(events.slice(0, at)), ...idsOf(rest)].toSorted()).toEqual(ids.toSorted());
      expect(rest.at(-1)).toMatchObject({ authoritative: true });
    }
    expect(checkpoints).toBeGreaterThan(6);
    const connector = open(ALL);
    for (const ref of refsOf(events)) {
      expect(await textOf(connector, ref)).toMatch(/one|two|Hello/);
      expect(await connector.resolve(call, ref.id)).toEqual(ref);
    }
    const readers = await collect(connector.permissions!(call, refsOf(events)));
    expect(readers.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect((await connector.test(call)).map(({ name, ok }) => [name, ok])).toEqual([
      ...['sites and users', 'files', 'teams', 'channel messages', 'channel members'].map((name) => [name, true]),
      ...['mailboxes', 'messages', 'mailbox readers', 'people and groups'].map((name) => [name, true]),
    ]);
  });

  it('fail one by one if a permission is missing', async () => {
    const { server, open, ids } = await start();
    for (const [paths, permission, prefix] of [
      [/^teams$/, 'Team.ReadBasic.All', 'teams/'],
      [/mailFolders/, 'Mail.Read', 'mail/'],
      [/\/messages/, 'ChannelMessage.Read.All', undefined],
      [/delta/, 'application permissions', undefined],
    ] as const) {
      server.deny(paths);
      const events = await collect(open(ALL).list(call));
      if (prefix !== undefined) {
        expect(idsOf(events).toSorted()).toEqual(ids.filter((id) => !id.startsWith(prefix)).toSorted());
      }
      expect(failuresOf(events).map(({ message }) => message)).toContainEqual(expect.stringContaining(permission));
      expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: false });
      // An incomplete kind stays incomplete after the listing resumes.
      const last = events.findLast((event) => event.type === 'checkpoint');
      const rest = await collect(open(ALL).list(call, last?.type === 'checkpoint' ? last.at : undefined));
      expect(rest.at(-1)).toMatchObject({ authoritative: false });
    }
  });

  it('share a change feed, which starts again if a kind was added or is unreadable', async () => {
    const { server, model, open, ids } = await start();
    const cursor = await open(ALL).cursor!(call);
    model.write(ids[0]!.split('/')[1]!, 'again');
    model.teams.edit(ids[1]!.split('/')[3]!, 'again');
    model.mail.edit(ids[2]!.split('/')[2]!, { subject: 'again' });
    const events = await collect(open(ALL).changes!(call, cursor));
    expect(idsOf(events)).toEqual(expect.arrayContaining(ids.slice(0, 3)));
    expect(idsOf(events)).not.toContain(ids[5]);
    const next = events.findLast((event) => event.type === 'checkpoint');
    expect(idsOf(await collect(open(ALL).changes!(call, next!.at)))).toEqual([]);
    for (const config of [SITES, { ...SITES, teams: 'all' }]) {
      await expect(collect(open(config).changes!(call, next!.at))).rejects.toMatchObject({ kind: 'gone' });
      const other = await open(config).cursor!(call);
      await expect(collect(open(ALL).changes!(call, other))).rejects.toMatchObject({ kind: 'gone' });
    }
    server.deny(/^teams$/);
    await expect(collect(open(ALL).changes!(call, next!.at))).rejects.toMatchObject({
      ...{ kind: 'gone', message: expect.stringContaining('Team.ReadBasic.All') },
    });
  });

  it('leave connectors with files as they were', async () => {
    const { library, open, ids } = await start({ pageSize: 1 });
    const events = await collect(open(SITES).list(call));
    const checkpoints = events.flatMap((event) => (event.type === 'checkpoint' ? [JSON.parse(event.at)] : []));
    for (const checkpoint of checkpoints) expect(Object.keys(checkpoint)).toContain('place');
    expect(Object.keys(JSON.parse(await open(SITES).cursor!(call)).drives)).toEqual([library.id]);
    // A listing that began before the other kinds were added continues with them.
    const first = events.find((event) => event.type === 'checkpoint');
    const before = idsOf(events.slice(0, events.indexOf(first!)));
    const rest = idsOf(await collect(open(ALL).list(call, first?.type === 'checkpoint' ? first.at : undefined)));
    expect([...before, ...rest].toSorted()).toEqual(ids.toSorted());
    // One that began with the other kinds ends without them.
    const all = await collect(open(ALL).list(call));
    for (const event of all) {
      if (event.type !== 'checkpoint') continue;
      const files = await collect(open(SITES).list(call, event.at));
      expect(files.at(-1)).toMatchObject({ type: 'complete' });
    }
  });
});
