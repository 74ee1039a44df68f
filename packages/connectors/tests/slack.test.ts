import { afterEach, describe, expect, it } from '@jest/globals';
import { type SlackServer, type SlackServerOptions, startSlackServer } from '@lectern/testing';
import { publicAddresses } from '#host';
import { slackType } from '#slack/slack-type';
import { openType } from './support/open-type.ts';
import { call, collect, collectUntilError, idsOf, readBody, refsOf } from './support/read-source.ts';
import { createTestHost, type TestHost } from './support/test-host.ts';

const servers: SlackServer[] = [];
const hosts: TestHost[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

async function start(config: Record<string, unknown> = {}, options: SlackServerOptions = {}) {
  const server = await startSlackServer(options);
  servers.push(server);
  const host = createTestHost({ addresses: { ...publicAddresses, slack: server.apiUrl } });
  hosts.push(host);
  const { model } = server;
  model.addUser('U0ADA', 'Ada Lovelace');
  model.addUser('U0BOB', 'Bob');
  const open = () => openType(slackType, config, { token: server.token }, host);
  return { server, model, open, connector: open() };
}

describe('Slack', () => {
  it('reads the public channels that the app is in by default', async () => {
    const { model, connector } = await start();
    model.addChannel('C1', 'general');
    model.addChannel('C2', 'not-joined', { joined: false });
    model.addChannel('C3', 'secret', { isPrivate: true });
    const message = model.post('C1', 'hello');
    model.post('C2', 'unseen');
    model.post('C3', 'private');
    expect(idsOf(await collect(connector.list(call)))).toEqual([`C1__${message.ts}`]);
  });

  it('reads selected channels by name or id, including private ones', async () => {
    const { model, connector } = await start({ channels: ['#general', 'C3'] });
    for (const [id, name, isPrivate] of [
      ['C1', 'general', false],
      ['C2', 'other', false],
      ['C3', 'secret', true],
    ] as const) {
      model.addChannel(id, name, { isPrivate });
      model.post(id, `in ${name}`);
    }
    const events = await collect(connector.list(call));
    expect(idsOf(events).map((id) => id.slice(0, 2))).toEqual(['C1', 'C3']);
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: true });
  });

  it('writes a thread as one Markdown document with authors and times', async () => {
    const { model, connector } = await start({ channels: 'general' }, { pageSize: 2 });
    model.addChannel('C1', 'general');
    model.addChannel('C2', 'ops');
    const root = model.post(
      'C1',
      '*Outage* of &lt;db-1&gt;: see <https://status.example.com|the status page>, <@U0BOB>\n```if (a &amp;&amp; b) *p*;```',
    );
    for (const [at, text] of [
      'looking, cc <#C2|old-name>',
      '<!here> ~gone~ fixed • at last',
      'thanks <@U0UNKNOWN>',
    ].entries()) {
      model.post('C1', text, { threadTs: root.ts, user: at === 1 ? 'U0ADA' : 'U0BOB' });
    }
    model.post('C1', 'Bob has joined', { subtype: 'channel_join' });
    const [ref, ...others] = refsOf(await collect(connector.list(call)));
    expect(others).toEqual([]);
    expect(ref).toMatchObject({
      id: `C1__${root.ts}`,
      title: 'Outage of <db-1>: see the status page, @Bob',
      author: 'Ada Lovelace',
      url: `https://lectern.slack.com/archives/C1/p${root.ts.replace('.', '')}`,
      mimeType: 'text/markdown',
    });
    const content = await connector.fetch(call, ref!);
    expect(content.fileName).toBe(`C1__${root.ts}.md`);
    expect(content.metadata).toEqual({ channel: '#general', participants: ['Ada Lovelace', 'Bob'] });
    const text = await readBody(content.body);
    expect(text).toContain(
      '**Ada Lovelace** · 2023-11-14 22:13 UTC\n\n**Outage** of <db-1>: see [the status page](https://status.example.com), @Bob',
    );
    expect(text).toContain('```\nif (a && b) *p*;\n```');
    expect(text).toContain('looking, cc #ops');
    expect(text).toContain('@here ~~gone~~ fixed • at last');
    expect(text).toContain('thanks @U0UNKNOWN');
    expect(text.indexOf('looking')).toBeLessThan(text.indexOf('thanks'));
  });

  it('changes the version of a thread with each reply, edit and deleted reply', async () => {
    const { model, connector } = await start();
    model.addChannel('C1', 'general');
    const root = model.post('C1', 'a question');
    const version = async () => refsOf(await collect(connector.list(call)))[0]?.version;
    const seen = [await version()];
    const reply = model.post('C1', 'an answer', { threadTs: root.ts });
    seen.push(await version());
    model.post('C1', 'another', { threadTs: root.ts });
    seen.push(await version());
    model.edit('C1', root.ts, 'a better question');
    seen.push(await version());
    model.remove('C1', reply.ts);
    seen.push(await version());
    expect(new Set(seen).size).toBe(5);
    expect(seen).not.toContain(undefined);
    expect(await version()).toBe(seen.at(-1));
  });

  it('returns no version for a recently active thread, so that edited replies are detected', async () => {
    const { model, connector } = await start();
    model.addChannel('C1', 'general');
    const root = model.post('C1', 'a question');
    const ts = `${Math.floor(Date.now() / 1_000) - 60}.000100`;
    const reply = model.post('C1', 'an answer', { threadTs: root.ts, ts });
    const [ref] = refsOf(await collect(connector.list(call)));
    expect(ref!.version).toBeUndefined();
    model.edit('C1', reply.ts, 'a better answer');
    const content = await connector.fetch(call, ref!);
    expect(content.version).toBeUndefined();
    expect(await readBody(content.body)).toContain('a better answer');
  });

  it('lists only threads in the date range, including both dates', async () => {
    const { model, connector } = await start({ dateRange: { from: '2024-01-01', to: '2024-01-31' } });
    model.addChannel('C1', 'general');
    const at = (iso: string) => `${Date.parse(iso) / 1_000}.000000`;
    const inside = ['2024-01-01T00:00:00Z', '2024-01-31T23:59:59Z'].map((iso) =>
      model.post('C1', iso, { ts: at(iso) }),
    );
    for (const iso of ['2023-12-31T23:59:59Z', '2024-02-01T00:00:00Z']) model.post('C1', iso, { ts: at(iso) });
    const ids = inside.map(({ ts }) => `C1__${ts}`);
    expect(idsOf(await collect(connector.list(call))).sort()).toEqual(ids.sort());
    expect(await connector.resolve(call, ids[0]!)).toMatchObject({ id: ids[0] });
    expect(await connector.resolve(call, `C1__${at('2024-02-01T00:00:00Z')}`)).toBeNull();
  });

  it('reads files, and treats a sign-in page as an error', async () => {
    const { server, model, connector } = await start();
    model.addChannel('C1', 'general');
    const plan = model.file('F1', 'plan.txt', 'text/plain', Buffer.from('the plan'));
    const page = model.file('F2', 'page.html', 'text/html', Buffer.from('<p>a page</p>'));
    const photo = model.file('F3', 'photo.png', 'image/png', Buffer.from('png'));
    const linked = model.file('F4', 'sheet', 'text/plain', Buffer.from(''), 'https://elsewhere.example.com/steal');
    const message = model.post('C1', 'see these', { files: [plan, page, photo, linked] });
    const id = `C1__${message.ts}`;
    const refs = refsOf(await collect(connector.list(call)));
    expect(refs.map((ref) => ref.id)).toEqual([id, `${id}__F1`, `${id}__F2`]);
    const read = async (at: number) => readBody((await connector.fetch(call, refs[at]!)).body);
    expect(await read(1)).toBe('the plan');
    expect(await read(2)).toBe('<p>a page</p>');
    expect(await read(0)).toContain('- File: [plan.txt](https://lectern.slack.com/files/U0ADA/F1/plan.txt)');
    expect(await connector.resolve(call, `${id}__F1`)).toMatchObject({ title: 'plan.txt', sizeBytes: 8 });
    expect(await connector.resolve(call, `${id}__F9`)).toBeNull();
    server.scopes.delete('files:read');
    for (const at of [1, 2])
      await expect(read(at)).rejects.toMatchObject({
        kind: 'forbidden',
        message: expect.stringContaining('files:read'),
      });
    expect((await connector.test(call))[0]!.message).toContain('files:read');
  });

  it('sends its token only to Slack', async () => {
    const { server, model, connector } = await start();
    model.addChannel('C1', 'general');
    const file = {
      id: 'F1',
      name: 'a.txt',
      mimetype: 'text/plain',
      size: 3,
      mode: 'hosted',
      url_private: 'https://evil.example.com/a',
    };
    model.post('C1', 'see', { extra: { files: [file] } });
    const [, ref] = refsOf(await collect(connector.list(call)));
    server.forget();
    await expect(connector.fetch(call, ref!)).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('grants access to members of private channels, and to the workspace for public channels', async () => {
    const { model, connector } = await start({ channels: ['general', 'secret'] }, { pageSize: 2 });
    model.addUser('U0EVE', 'Eve');
    model.addUser('U0GUEST', 'Guest', { guest: true });
    model.addUser('U0LEFT', 'Left', { deleted: true });
    model.addUser('U0BOT', 'Robot', { bot: true });
    model.addUser('U0HID', 'Hidden', { email: undefined });
    model.addChannel('C1', 'general', { members: ['U0ADA', 'U0GUEST', 'U0LEFT', 'U0FROMELSEWHERE'] });
    model.addChannel('C2', 'secret', { isPrivate: true, members: ['U0EVE', 'U0HID', 'U0BOB'] });
    model.post('C1', 'open');
    model.post('C2', 'closed');
    const refs = refsOf(await collect(connector.list(call)));
    const elsewhere = { ...refs[0]!, id: 'C9__1.0' };
    const permissions = await collect(connector.permissions!(call, [...refs, elsewhere]));
    expect(permissions.map(({ principals }) => principals)).toEqual([
      ['group:slack:T0LECTERN', 'group:slack:T0LECTERN/C1'],
      ['group:slack:T0LECTERN/C2'],
      [],
    ]);
    const groups = await collect(connector.groups!(call));
    const mail = (name: string) => `user:${name}@example.com`;
    expect(groups).toEqual([
      {
        principal: 'group:slack:T0LECTERN',
        members: [mail('ada.lovelace'), mail('bob'), mail('eve'), 'user:slack:U0HID'],
      },
      {
        principal: 'group:slack:T0LECTERN/C1',
        members: [mail('ada.lovelace'), mail('guest'), 'user:slack:U0FROMELSEWHERE'],
      },
      { principal: 'group:slack:T0LECTERN/C2', members: [mail('eve'), 'user:slack:U0HID', mail('bob')] },
    ]);
  });

  it('completes if every fifth request is rate-limited', async () => {
    const { server, model, open } = await start({}, { pageSize: 5 });
    model.addChannel('C1', 'general');
    for (let n = 0; n < 40; n += 1) model.post('C1', `message ${n}`);
    server.fail((_request, number) =>
      number % 5 === 0 ? { kind: 'status', status: 429, retryAfter: '60' } : undefined,
    );
    const seen = new Set<string>();
    let from: string | undefined;
    for (let attempt = 0; attempt < 60; attempt += 1) {
      const { reported, error } = await collectUntilError(open().list(call, from));
      for (const id of idsOf(reported)) seen.add(id);
      from = reported.findLast((event) => event.type === 'checkpoint')?.at ?? from;
      if (error === undefined) break;
      expect(error).toMatchObject({ kind: 'rate', retryAt: expect.any(Date) });
    }
    expect(seen.size).toBe(40);
  });

  it('starts a channel again if a cursor has expired', async () => {
    const { server, model, connector } = await start({}, { pageSize: 5 });
    model.addChannel('C1', 'general');
    for (let n = 0; n < 12; n += 1) model.post('C1', `message ${n}`);
    const checkpoint = (await collect(connector.list(call))).find((event) => event.type === 'checkpoint');
    server.expireCursors();
    expect(idsOf(await collect(connector.list(call, checkpoint!.at)))).toHaveLength(12);
  });

  it('reports an unreadable channel, and then deletes nothing', async () => {
    const { model, connector } = await start({ channels: ['general', 'not-joined', 'no-such'] });
    model.addChannel('C1', 'general');
    model.addChannel('C2', 'not-joined', { joined: false });
    model.post('C1', 'hello');
    const events = await collect(connector.list(call));
    expect(idsOf(events)).toHaveLength(1);
    const failed = events.flatMap((event) => (event.type === 'failed' ? [event.id] : []));
    expect(failed).toEqual(['not-joined', 'no-such']);
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: false });
    expect((await connector.test(call)).at(-1)).toMatchObject({
      name: 'channels',
      ok: false,
      message: expect.stringContaining('no-such'),
    });
  });

  it('reports missing scopes and a revoked token', async () => {
    const { server, model, connector, open } = await start();
    model.addChannel('C1', 'general');
    model.post('C1', 'hello');
    expect((await connector.test(call)).map(({ name, ok }) => [name, ok])).toEqual([
      ['token', true],
      ['channels', true],
      ['messages', true],
      ['people', true],
    ]);
    server.scopes.delete('channels:history');
    expect((await open().test(call)).at(-1)).toMatchObject({
      name: 'messages',
      ok: false,
      message: expect.stringContaining('channels:history'),
    });
    server.revoke();
    expect(await open().test(call)).toEqual([expect.objectContaining({ name: 'token', ok: false })]);
    await expect(collect(open().list(call))).rejects.toMatchObject({ kind: 'auth' });
  });

  it('keeps the replies of a thread if its first message was deleted', async () => {
    const { model, connector } = await start();
    model.addChannel('C1', 'general');
    const root = model.post('C1', 'a question');
    model.post('C1', 'an answer', { threadTs: root.ts });
    model.remove('C1', root.ts);
    const [ref] = refsOf(await collect(connector.list(call)));
    expect(await readBody((await connector.fetch(call, ref!)).body)).toContain('an answer');
  });
});

describe('the settings of Slack', () => {
  const issuesOf = (act: () => unknown) => {
    try {
      act();
    } catch (error) {
      return (error as { details: { issues: { path: string }[] } }).details.issues.map(({ path }) => path);
    }
    return [];
  };

  it('are checked field by field', () => {
    expect(slackType.checkConfig({ channels: 'general' })).toEqual({ channels: ['general'] });
    expect(slackType.checkConfig({ dateRange: { from: '2024-01-01' } })).toEqual({ dateRange: { from: '2024-01-01' } });
    expect(issuesOf(() => slackType.checkConfig({ channels: [1], workspace: 'x' })).sort()).toEqual([
      'config.channels',
      'config.workspace',
    ]);
    expect(issuesOf(() => slackType.checkConfig({ dateRange: { from: 'yesterday' } }))).toEqual([
      'config.dateRange.from',
    ]);
    expect(issuesOf(() => slackType.checkConfig({ dateRange: { from: '2024-02-01', to: '2024-01-01' } }))).toEqual([
      'config.dateRange',
    ]);
    expect(issuesOf(() => slackType.checkConfig({ dateRange: { since: '2024-02-01' } }))).toEqual([
      'config.dateRange.since',
    ]);
    expect(issuesOf(() => slackType.checkCredentials({}))).toEqual(['credentials.token']);
    expect(issuesOf(() => slackType.checkCredentials({ token: 'a b' }))).toEqual(['credentials.token']);
  });
});
