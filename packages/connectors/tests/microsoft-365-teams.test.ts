import { afterEach, describe, expect, it } from '@jest/globals';
import { microsoft365Type } from '#microsoft-365/microsoft-365-type';
import { failuresOf, siteOf, startTenant, stopTenants } from './support/graph-tenant.ts';
import { call, collect, collectUntilError, idsOf, refsOf, textOf, titlesOf } from './support/read-source.ts';

afterEach(stopTenants);

/** Starts a tenant with one team that has one channel. */
async function start(options: Parameters<typeof startTenant>[0] = {}) {
  const tenant = await startTenant(options);
  const { model } = tenant;
  const { id: teamId } = model.addGroup('Marketing', { isUnified: true, mail: 'marketing@example.com' });
  model.teams.addTeam(teamId, 'Marketing');
  const channel = model.teams.addChannel(teamId, 'General');
  return { ...tenant, teams: model.teams, teamId, channel };
}

describe('the settings of Teams', () => {
  const check = (config: unknown) => () => microsoft365Type.checkConfig(config);

  it('name teams by id, name and address, or all alone', () => {
    const teams = ['72f988bf-86f1-41af-91ab-2d7cd011db47', 'Marketing & Sales', 'team@example.com'];
    expect(check({ teams, excludeTeams: 'Old' })()).toMatchObject({ teams, excludeTeams: ['Old'] });
    for (const [config, path] of [
      [{ teams: ['all', 'Marketing'] }, 'config.teams'],
      [{ teams: ['x'.repeat(257)] }, 'config.teams[0]'],
      [{ excludeTeams: 'Old' }, 'config.sites'],
    ] as const) {
      try {
        check(config)();
        throw new Error('The settings were accepted.');
      } catch (error) {
        expect(error).toMatchObject({ details: { issues: [{ path }] } });
      }
    }
  });
});

describe('the teams of a connector', () => {
  it('are all, or those with an id, a name or an address, without the excluded ones', async () => {
    const { model, teams, teamId, open } = await start();
    const groups = ['Sales', 'Old', 'Legal'].map((name) =>
      model.addGroup(name, { isUnified: true, mail: `${name.toLowerCase()}@example.com` }),
    );
    for (const { id, displayName } of groups) {
      teams.addTeam(id, displayName);
      teams.post(teams.addChannel(id, 'General').id, displayName);
    }
    teams.post(teams.channelsOf(teamId)[0]!.id, 'Marketing');
    const [sales] = groups;
    expect(await titlesOf(open({ teams: 'all' }))).toEqual(['Legal', 'Marketing', 'Old', 'Sales']);
    expect(await titlesOf(open({ teams: ['marketing ', sales!.id] }))).toEqual(['Marketing', 'Sales']);
    expect(await titlesOf(open({ teams: 'LEGAL@example.com' }))).toEqual(['Legal']);
    const excludeTeams = ['old', sales!.id, 'legal@example.com'];
    expect(await titlesOf(open({ teams: 'all', excludeTeams }))).toEqual(['Marketing']);
    const [ref] = refsOf(await collect(open({ teams: sales!.id }).list(call)));
    expect(await open({ teams: 'all', excludeTeams }).resolve(call, ref!.id)).toBeNull();
    await expect(open({ teams: 'all', excludeTeams }).fetch(call, ref!)).rejects.toMatchObject({ kind: 'gone' });
  });

  it('are not deleted if one is unknown, or its name is ambiguous', async () => {
    const { model, teams, teamId, channel, open } = await start();
    const id = `teams/${teamId}/${channel.id}/${teams.post(channel.id, 'Hello').id}`;
    for (const name of ['Twice', 'Twice']) teams.addTeam(model.addGroup(name, { isUnified: true }).id, name);
    for (const [name, message] of [
      ['Twice', /2 teams.*Use the id/],
      ['None', /no team/],
      ['none@example.com', /No team/],
      ['72f988bf-86f1-41af-91ab-2d7cd011db47', /team/],
    ] as const) {
      const events = await collect(open({ teams: ['Marketing', name] }).list(call));
      expect(idsOf(events)).toEqual([id]);
      expect(failuresOf(events)).toEqual([{ id: `place:${name}`, message: expect.stringMatching(message) }]);
      expect(events.at(-1)).toMatchObject({ authoritative: false });
      const checks = await open({ teams: ['Marketing', name] }).test(call);
      expect(checks.at(-1)).toMatchObject({ ok: false, message: expect.stringMatching(message) });
      const other = 'teams/72f988bf-86f1-41af-91ab-2d7cd011db47/19:x@thread.tacv2/1';
      await expect(open({ teams: [name] }).resolve(call, other)).rejects.toMatchObject({ kind: 'forbidden' });
    }
  });

  it('are never read by mistake if the teams to exclude are unreadable', async () => {
    const { server, teams, channel, open } = await start();
    teams.post(channel.id, 'Hello');
    server.deny(/^groups$/);
    const connector = open({ teams: 'all', excludeTeams: 'marketing@example.com' });
    const { reported, error } = await collectUntilError(connector.list(call));
    expect(refsOf(reported)).toEqual([]);
    expect(error).toMatchObject({ kind: 'forbidden' });
    server.deny(undefined);
    server.rewrite((answer, { path }) =>
      path.endsWith('$batch')
        ? { ...answer, body: String(answer.body).replaceAll(/"id":"[^"]{36}"/g, '"id":7') }
        : answer,
    );
    const again = await collectUntilError(connector.list(call));
    expect(refsOf(again.reported)).toEqual([]);
    expect(again.error).toMatchObject({ kind: 'invalid' });
  });
});

describe('a thread of Teams', () => {
  it('is a document with its messages in order, their authors and times', async () => {
    const { teams, teamId, channel, open } = await start({ pageSize: 2, replyPageSize: 2 });
    const created = '2026-11-01T09:30:00.000Z';
    const root = teams.post(channel.id, '<p>When do we <b>launch</b>?</p>', { subject: 'Launch date', created });
    const replies = ['In May', 'In June', 'In July', 'Agreed'].map((text, n) =>
      teams.reply(root.id, text, { author: n % 2 === 0 ? 'Bob' : 'Cleo', contentType: 'text' }),
    );
    teams.edit(replies[1]!.id, 'In June or so');
    teams.remove(replies[2]!.id);
    teams.reply(root.id, '', { messageType: 'systemEventMessage' });
    const connector = open({ teams: 'all' });
    const [ref, ...others] = refsOf(await collect(connector.list(call)));
    expect(others).toEqual([]);
    expect(ref).toMatchObject({
      id: `teams/${teamId}/${channel.id}/${root.id}`,
      ...{ title: 'Launch date', author: 'Ada Lovelace', mimeType: 'text/html' },
      path: 'Marketing/General/2026-11-01T09:30 Launch date',
      url: expect.stringContaining(root.id),
    });
    const content = await connector.fetch(call, ref!);
    expect(content).toMatchObject({
      ...{ version: ref!.version, fileName: `${root.id}.html` },
      metadata: { team: 'Marketing', channel: 'General', participants: ['Ada Lovelace', 'Bob', 'Cleo'] },
    });
    const html = await textOf(connector, ref!);
    const texts = ['When do we <b>launch</b>?', 'In May', 'In June or so', 'Agreed'].map((text) => html.indexOf(text));
    expect(texts).toEqual(texts.toSorted((a, b) => a - b));
    expect(texts).not.toContain(-1);
    expect(html).toMatch(/<h2>Ada Lovelace, 2026-11-01 09:30 UTC<\/h2>/);
    expect(html).toMatch(/<h2>Cleo, [^<]* \(edited\)<\/h2>/);
    expect(html).not.toContain('In July');
    expect(await connector.resolve(call, ref!.id)).toEqual(ref);
  });

  it('keeps mentions, tables, code and emojis, and names files as links', async () => {
    const { teams, channel, open } = await start();
    teams.post(
      channel.id,
      [
        '<p>Ask <at id="0">Jane Smith</at> <emoji id="x" alt="👍"></emoji></p>',
        '<codeblock class="TypeScript"><code>if (a &lt; b) {}<br>run()</code></codeblock>',
        '<table><tbody><tr><td>Region</td><td>Sales</td></tr></tbody></table>',
        '<attachment id="f1"></attachment><img src="https://graph.microsoft.com/x" alt="a picture">',
      ].join(''),
      {
        attachments: [
          {
            id: 'f1',
            contentType: 'reference',
            contentUrl: 'https://example.sharepoint.com/a&b.docx',
            name: 'a&b.docx',
          },
          { id: 'f2', contentType: 'messageReference', content: '{"messagePreview":"quoted"}' },
          { id: 'f3', contentType: 'reference', contentUrl: 'javascript:alert(1)', name: 'odd.docx' },
        ],
      },
    );
    const connector = open({ teams: 'all' });
    const [ref] = refsOf(await collect(connector.list(call)));
    expect(ref!.title).toMatch(/^Ask @Jane Smith 👍/);
    const html = await textOf(connector, ref!);
    expect(html).toContain('@Jane Smith 👍');
    expect(html).toContain('<pre><code class="language-typescript">if (a &lt; b) {}');
    expect(html).toContain('<td>Region</td><td>Sales</td>');
    const address = 'https://example.sharepoint.com/a&amp;b.docx';
    expect(html).toContain(`<li>File: <a href="${address}">a&amp;b.docx</a> (${address})</li><li>File: odd.docx</li>`);
    expect(html).not.toMatch(/javascript|a picture|quoted/);
  });

  it('leaves out messages that a policy blocks, unless their author may send them anyway', async () => {
    const { teams, channel, open } = await start();
    const root = teams.post(channel.id, 'Root.');
    const secret = teams.reply(root.id, 'Card 4111.');
    const connector = open({ teams: 'all' });
    const read = async () => {
      const [ref] = refsOf(await collect(connector.list(call)));
      return ref === undefined ? undefined : textOf(connector, ref);
    };
    for (const [dlpAction, userAction, isVisible] of [
      ['notifySender', 'none', true],
      ['notifySender,blockAccess', 'none', false],
      ['blockAccessExternal', 'reportFalsePositive', false],
      ['BlockAccess', 'reportFalsePositive, override', true],
    ] as const) {
      teams.block(secret.id, { dlpAction, userAction });
      const html = await read();
      expect(html).toContain('Root.');
      expect(html?.includes('4111')).toBe(isVisible);
    }
    teams.block(secret.id, null);
    const cursor = await connector.cursor!(call);
    for (const { id } of [root, secret]) teams.block(id, { dlpAction: 'blockAccess', userAction: 'none' });
    expect(await read()).toBeUndefined();
    const [change] = await collect(connector.changes!(call, cursor));
    expect(change).toEqual({ type: 'gone', id: expect.stringContaining(root.id) });
  });

  it('exists while one of its messages is visible', async () => {
    const { teams, channel, open } = await start();
    const root = teams.post(channel.id, 'First');
    const reply = teams.reply(root.id, 'Answer');
    teams.post(channel.id, '', { messageType: 'systemEventMessage' });
    const connector = open({ teams: 'all' });
    teams.remove(root.id);
    const [ref] = refsOf(await collect(connector.list(call)));
    expect(ref).toMatchObject({ title: 'Answer' });
    teams.remove(reply.id);
    expect(await titlesOf(connector)).toEqual([]);
    expect(await connector.resolve(call, ref!.id)).toBeNull();
    await expect(connector.fetch(call, ref!)).rejects.toMatchObject({ kind: 'gone' });
  });

  it('is not larger than the limit, and its title not longer than a line', async () => {
    const { teams, channel, open } = await start();
    teams.post(channel.id, `<p>${'😀'.repeat(500)}</p>`);
    const connector = open({ teams: 'all' }, 500);
    const [ref] = refsOf(await collect(connector.list(call)));
    expect(ref!.title.length).toBeLessThanOrEqual(81);
    expect(ref!.title.isWellFormed()).toBe(true);
    await expect(connector.fetch(call, ref!)).rejects.toMatchObject({ kind: 'too_large' });
  });
});

describe('the listing of threads', () => {
  it('names the missing permission once, and deletes nothing', async () => {
    const { server, model, teams, open } = await start();
    for (let n = 0; n < 8; n += 1) {
      const group = model.addGroup(`Team ${n}`, { isUnified: true });
      teams.addTeam(group.id, `Team ${n}`);
      teams.addChannel(group.id, 'General');
    }
    for (const [paths, permission] of [
      [/^teams$/, 'Team.ReadBasic.All'],
      [/channels$/, 'Channel.ReadBasic.All'],
      [/messages$/, 'ChannelMessage.Read.All'],
    ] as const) {
      server.deny(paths);
      const { reported, error } = await collectUntilError(open({ teams: 'all' }).list(call));
      expect(error).toMatchObject({ kind: 'forbidden', message: expect.stringContaining(permission) });
      expect(reported.some(({ type }) => type === 'complete')).toBe(false);
      const checks = await open({ teams: 'all' }).test(call);
      expect(checks.at(-1)).toMatchObject({ ok: false, message: expect.stringContaining(permission) });
    }
  });

  it('lists what it can if many channels are denied, also after an interruption', async () => {
    const { server, teams, teamId, channel, open } = await start();
    const denied = Array.from({ length: 6 }, (_, n) => teams.addChannel(teamId, `Denied ${n}`).id);
    for (const id of [channel.id, ...denied]) teams.post(id, 'Hello');
    server.deny(new RegExp(`(${denied.map((id) => id.slice(3, 30)).join('|')}).*messages$`));
    const events = await collect(open({ teams: 'all' }).list(call));
    expect(refsOf(events)).toHaveLength(1);
    expect(failuresOf(events)).toHaveLength(6);
    expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: false });
    for (const event of events) {
      if (event.type !== 'checkpoint') continue;
      const rest = await collect(open({ teams: 'all' }).list(call, event.at));
      expect(rest.at(-1)).toMatchObject({ type: 'complete', authoritative: false });
    }
  });

  it('reads the replies one by one if a page with all of them is too large', async () => {
    const { server, teams, channel, open } = await start();
    const root = teams.post(channel.id, 'Busy');
    teams.reply(root.id, 'An answer.');
    teams.post(channel.id, 'Quiet');
    const connector = open({ teams: 'all' });
    const large = ' '.repeat(65 * 1024 * 1024);
    const fill = (name: RegExp) =>
      server.rewrite((answer, { url }) => (name.test(url) ? { ...answer, body: `${large}${answer.body}` } : answer));
    const cursor = await connector.cursor!(call);
    fill(/expand=replies/);
    const events = await collect(connector.list(call));
    expect(failuresOf(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: true });
    const refs = refsOf(events);
    expect(refs.map(({ title }) => title).sort()).toEqual(['Busy', 'Quiet']);
    const texts = await Promise.all(refs.map((ref) => textOf(connector, ref)));
    expect(texts.some((text) => text.includes('An answer.'))).toBe(true);
    // The change feed begins without replies too, and a page of changes that is too large leads to a listing.
    const next = await connector.cursor!(call);
    teams.reply(root.id, 'Another answer.');
    expect(idsOf(await collect(connector.changes!(call, next)))).toEqual([expect.stringContaining(root.id)]);
    fill(/deltatoken/);
    await expect(collect(connector.changes!(call, cursor))).rejects.toMatchObject({ kind: 'gone' });
    // One channel does not stop the others.
    const other = teams.addChannel(channel.teamId, 'Other');
    teams.post(other.id, 'Hello');
    fill(new RegExp(`${encodeURIComponent(channel.id)}/messages`));
    const rest = await collect(connector.list(call));
    expect(refsOf(rest).map(({ title }) => title)).toEqual(['Hello']);
    expect(rest.at(-1)).toMatchObject({ authoritative: false });
  });

  it('reports a single channel that is unreadable, and lists the others', async () => {
    const { server, teams, teamId, channel, open } = await start();
    teams.post(channel.id, 'Hello');
    const other = teams.addChannel(teamId, 'Other');
    teams.post(other.id, 'Hidden');
    server.deny(new RegExp(`${other.id.slice(0, 20)}.*messages$`));
    const events = await collect(open({ teams: 'all' }).list(call));
    expect(refsOf(events).map(({ title }) => title)).toEqual(['Hello']);
    expect(failuresOf(events)).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: false });
  });

  it('includes threads that are older than the change feed covers', async () => {
    const { teams, channel, open } = await start();
    const old = teams.post(channel.id, 'Old', { created: '2020-01-01T00:00:00.000Z' });
    const connector = open({ teams: 'all' });
    expect(await titlesOf(connector)).toEqual(['Old']);
    const cursor = await connector.cursor!(call);
    teams.reply(old.id, 'Late answer', { created: '2020-01-02T00:00:00.000Z' });
    expect(idsOf(await collect(connector.changes!(call, cursor)))).toEqual([]);
    const [ref] = refsOf(await collect(connector.list(call)));
    expect(await textOf(connector, ref!)).toContain('Late answer');
  });

  it('reads long threads page by page', async () => {
    const { server, teams, channel, open } = await start({ replyPageSize: 3 });
    const root = teams.post(channel.id, 'Root');
    for (let n = 0; n < 60; n += 1) teams.reply(root.id, `Reply ${n}.`);
    const connector = open({ teams: 'all' });
    const [ref] = refsOf(await collect(connector.list(call)));
    expect(server.requests.filter(({ path }) => path.endsWith('/replies')).length).toBeGreaterThan(1);
    const html = await textOf(connector, ref!);
    for (let n = 0; n < 60; n += 1) expect(html).toContain(`Reply ${n}.`);
    expect(await connector.resolve(call, ref!.id)).toEqual(ref);
  });

  it('waits as long as Microsoft asks', async () => {
    const { server, teams, channel, open } = await start();
    teams.post(channel.id, 'Hello');
    server.fail(({ path }) =>
      path.includes('/messages') ? { kind: 'status', status: 429, retryAfter: '900' } : undefined,
    );
    const error = await collect(open({ teams: 'all' }).list(call)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'rate' });
  });
});

describe('the changes of threads', () => {
  it('need a full listing after a change of a team or channel, or an expired position', async () => {
    const { server, model, teams, teamId, channel, open } = await start();
    const connector = open({ teams: 'all' });
    const expectFull = async (change: () => void) => {
      const cursor = await connector.cursor!(call);
      change();
      await expect(collect(connector.changes!(call, cursor))).rejects.toMatchObject({ kind: 'gone' });
    };
    await expectFull(() => teams.addChannel(teamId, 'New'));
    await expectFull(() => teams.editChannel(channel.id, { displayName: 'Renamed' }));
    await expectFull(() => teams.renameTeam(teamId, 'Sales'));
    await expectFull(() => teams.removeChannel(channel.id));
    await expectFull(() => server.expireLinks());
    const next = model.addGroup('Next', { isUnified: true });
    teams.addTeam(next.id, 'Next');
    await expectFull(() => teams.addChannel(next.id, 'General'));
    await expectFull(() => teams.removeTeam(teamId));
  });
});

describe('the readers of threads', () => {
  it('are the team for a standard channel, its members otherwise, and no one for an unknown type', async () => {
    const { server, model, teams, teamId, channel, open } = await start();
    const ada = model.addUser('Ada');
    const members = [{ userId: ada.id, email: 'upn@example.com', tenantId: server.tenantId, displayName: 'Ada' }];
    const secret = teams.addChannel(teamId, 'Secret', { membershipType: 'private', members });
    const shared = teams.addChannel(teamId, 'Shared', { membershipType: 'shared', members });
    for (const { id } of [channel, secret, shared]) teams.post(id, 'Hello');
    const read = async () => {
      const connector = open({ teams: 'all' });
      const refs = refsOf(await collect(connector.list(call)));
      const found = await collect(connector.permissions!(call, refs));
      return new Map(found.map(({ id, principals }) => [id.split('/')[2], principals]));
    };
    const site = siteOf(server);
    const team = `group:microsoft_365:${site}/${teamId}`;
    const group = (id: string) => [`group:microsoft_365:${site}/channel:${id}`];
    expect(await read()).toEqual(
      new Map([
        [channel.id, [team, `${team}:owners`]],
        [secret.id, group(secret.id)],
        [shared.id, group(shared.id)],
      ]),
    );
    // Without the header, the type of a shared channel is unknown.
    server.before(({ headers, path }) => {
      if (path.endsWith('/channels')) delete headers.prefer;
    });
    expect((await read()).get(shared.id)).toEqual([]);
  });

  it('change with the members of the channel, and are no one if these are unreadable', async () => {
    const { server, model, teams, teamId, open } = await start();
    const [ada, bob] = [model.addUser('Ada'), model.addUser('Bob')];
    const member = ({ id }: { readonly id: string }) => ({
      ...{ userId: id, email: null, tenantId: server.tenantId, displayName: '' },
    });
    const secret = teams.addChannel(teamId, 'Secret', { membershipType: 'private', members: [member(ada)] });
    const connector = open({ teams: 'all' });
    const members = async () => {
      const groups = await collect(connector.groups!(call));
      return groups.find(({ principal }) => principal.includes('channel:'))?.members;
    };
    expect(await members()).toEqual(['user:ada@example.com']);
    teams.editChannel(secret.id, { members: [member(bob)] });
    expect(await members()).toEqual(['user:bob@example.com']);
    server.deny(/\/members$/);
    expect(await members()).toEqual([]);
    const checks = await connector.test(call);
    expect(checks.at(-1)).toMatchObject({ ok: false, message: expect.stringContaining('ChannelMember.Read.All') });
  });
});
