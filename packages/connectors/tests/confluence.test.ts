import { afterEach, describe, expect, it } from '@jest/globals';
import { type ConfluenceServer, type ConfluenceServerOptions, startConfluenceServer } from '@lectern/testing';
import { confluenceType } from '#confluence/confluence-type';
import { openType } from './support/open-type.ts';
import { call, collect, collectUntilError, idsOf, readBody, refsOf } from './support/read-source.ts';
import { createTestHost, type TestHost } from './support/test-host.ts';

const servers: ConfluenceServer[] = [];
const hosts: TestHost[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

const credentialsOf = (server: ConfluenceServer, edition = 'cloud') =>
  edition === 'cloud' ? { email: server.email, apiToken: server.apiToken } : { token: server.token };

async function start(options: ConfluenceServerOptions = {}, config: Record<string, unknown> = {}) {
  const server = await startConfluenceServer(options);
  servers.push(server);
  const host = createTestHost({ allow: new URL(server.origin).host });
  hosts.push(host);
  const credentials = credentialsOf(server, options.edition);
  const settings = { instanceUrl: server.instanceUrl, ...config };
  return { server, model: server.model, connector: openType(confluenceType, settings, credentials, host), host };
}

const editions = ['cloud', 'data_center'] as const;

describe.each(editions)('Confluence (%s)', (edition) => {
  it('lists the pages of the selected spaces with their attachments', async () => {
    const { model, connector, server } = await start({ edition, pageSize: 2 }, { spaceKeys: 'DOCS' });
    model.addSpace('DOCS');
    model.addSpace('OTHER');
    const pages = ['Über uns', 'Second', 'Third'].map((title) => model.addPage('DOCS', title));
    model.addPage('OTHER', 'Not selected');
    model.trash(model.addPage('DOCS', 'In the trash').id);
    const file = model.attach(pages[1]!.id, 'plan.pdf', 'application/pdf', Buffer.from('a plan'));
    model.attach(pages[1]!.id, 'photo.png', 'image/png', Buffer.from('a picture'));
    const events = await collect(connector.list(call));
    expect(idsOf(events)).toEqual([
      `DOCS/${pages[0]!.id}`,
      `DOCS/${pages[1]!.id}`,
      `DOCS/${pages[1]!.id}/${file.id}`,
      `DOCS/${pages[2]!.id}`,
    ]);
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: true, confirmGone: true });
    const base = edition === 'cloud' ? `${server.origin}/wiki` : server.instanceUrl;
    expect(refsOf(events)[0]).toMatchObject({
      title: 'Über uns',
      version: '1',
      author: 'Ada Lovelace',
      url: expect.stringContaining(`${base}/`),
      updatedAt: pages[0]!.when,
    });
  });

  it('resumes from every checkpoint, and after a failure at every request', async () => {
    const { server, model, connector } = await start({ edition, pageSize: 3, emptyPages: true });
    for (const key of ['A', 'B', '~ada']) {
      model.addSpace(key);
      for (let n = 0; n < 7; n += 1) model.addPage(key, `${key}${n}`);
    }
    const events = await collect(connector.list(call));
    const allIds = idsOf(events);
    expect(new Set(allIds).size).toBe(21);
    for (const [at, event] of events.entries()) {
      if (event.type !== 'checkpoint') continue;
      expect(idsOf(await collect(connector.list(call, event.at)))).toEqual(idsOf(events.slice(at)));
    }
    const requests = server.requests.length;
    server.forget();
    await collect(connector.list(call));
    const needed = server.requests.length;
    expect(needed).toBeLessThanOrEqual(requests);
    for (let n = 1; n <= needed; n += 1) {
      server.fail((_request, number) =>
        number === n ? { kind: 'status', status: 429, retryAfter: '3600' } : undefined,
      );
      const { reported, error } = await collectUntilError(connector.list(call));
      expect(error).toMatchObject({ kind: 'rate', retryAt: expect.any(Date) });
      server.fail();
      const checkpoint = reported.findLast((event) => event.type === 'checkpoint');
      const rest = await collect(connector.list(call, checkpoint?.at));
      expect(new Set([...idsOf(reported), ...idsOf(rest)])).toEqual(new Set(allIds));
    }
  });

  it('completes after many rate limits', async () => {
    const { server, model, connector } = await start({ edition });
    model.addSpace('DOCS');
    for (let n = 0; n < 30; n += 1) model.addPage('DOCS', `Page ${n}`);
    server.fail((_request, number) =>
      number % 9 === 0 ? { kind: 'status', status: 429, retryAfter: '600' } : undefined,
    );
    const seen = new Set<string>();
    let from: string | undefined;
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const { reported, error } = await collectUntilError(connector.list(call, from));
      for (const id of idsOf(reported)) seen.add(id);
      from = reported.findLast((event) => event.type === 'checkpoint')?.at ?? from;
      if (error === undefined) break;
    }
    expect(seen.size).toBe(30);
  });

  it('requests smaller pages if large ones fail', async () => {
    const { server, model, connector } = await start({ edition, heaviestLimit: 25 });
    model.addSpace('DOCS');
    for (let n = 0; n < 60; n += 1) model.addPage('DOCS', `Page ${n}`);
    expect(idsOf(await collect(connector.list(call)))).toHaveLength(60);
    const limits = server.requests.flatMap((request) =>
      /\/pages$|\/content$/.test(request.path) ? [request.query.get('limit')] : [],
    );
    expect(limits.at(-1)).toBe('25');
  });

  it('reads a page with its labels, and as rendered HTML if the storage format fails', async () => {
    const { model, connector } = await start({ edition });
    model.addSpace('DOCS');
    const page = model.addPage('DOCS', 'How/to <deploy>', {
      labels: ['ops', 'how-to'],
      storage:
        '<p>Run&nbsp;this:</p><ac:structured-macro ac:name="code"><ac:parameter ac:name="language">bash</ac:parameter><ac:plain-text-body><![CDATA[make <all> && go]]></ac:plain-text-body></ac:structured-macro>',
    });
    const broken = model.addPage('DOCS', 'Broken', { storageFails: true });
    const ref = await connector.resolve(call, `DOCS/${page.id}`);
    const content = await connector.fetch(call, ref!);
    expect(content).toMatchObject({ version: '1', metadata: { space: 'DOCS', labels: ['ops', 'how-to'] } });
    expect(content.fileName).toBe('How to <deploy>.html');
    const html = await readBody(content.body);
    expect(html).toContain('<h1>How/to &lt;deploy&gt;</h1>');
    expect(html).toContain('<pre><code class="language-bash">make &lt;all&gt; &amp;&amp; go</code></pre>');
    const shown = await connector.fetch(call, (await connector.resolve(call, `DOCS/${broken.id}`))!);
    expect(await readBody(shown.body)).toContain('As it is shown: Broken');
  });

  it('lists attachments without labels in their metadata, and reports an unreadable one', async () => {
    const { server, model, connector } = await start({ edition }, { spaceKeys: 'DOCS' });
    model.addSpace('DOCS');
    const page = model.addPage('DOCS', 'Plans');
    const names = ['a.txt', 'b.txt', 'c.txt'];
    const files = names.map((name) => model.attach(page.id, name, 'text/plain', Buffer.from(name)));
    server.rewrite((response, { path }) => {
      if (!path.includes('attachment') || typeof response.body !== 'string') return response;
      const { results, ...list } = JSON.parse(response.body);
      const changed = results.map((entry: Record<string, unknown>, at: number) => ({
        ...entry,
        metadata: { mediaType: 'text/plain' },
        ...(at === 1 ? { version: 'the second' } : {}),
      }));
      return { ...response, body: JSON.stringify({ ...list, results: changed }) };
    });
    const events = await collect(connector.list(call));
    const [first, broken, last] = files.map(({ id }) => `DOCS/${page.id}/${id}`);
    expect(idsOf(events)).toEqual([`DOCS/${page.id}`, first, last]);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'failed',
        id: broken,
        path: 'b.txt',
        error: expect.objectContaining({ code: 'invalid' }),
      }),
    );
    expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: true });
  });

  it('reads an attachment, and reports that it or its page is gone', async () => {
    const { model, connector } = await start({ edition });
    model.addSpace('DOCS');
    const page = model.addPage('DOCS', 'Plans');
    const file = model.attach(page.id, 'plan.txt', 'text/plain', Buffer.from('the plan'));
    const ref = await connector.resolve(call, `DOCS/${page.id}/${file.id}`);
    expect(ref).toMatchObject({ title: 'plan.txt', sizeBytes: 8, mimeType: 'text/plain' });
    const content = await connector.fetch(call, ref!);
    expect(content.fileName).toBe('plan.txt');
    expect(await readBody(content.body)).toBe('the plan');
    file.status = 'trashed';
    await expect(connector.fetch(call, ref!)).rejects.toMatchObject({ kind: 'gone' });
    const pageItem = await connector.resolve(call, `DOCS/${page.id}`);
    model.trash(page.id);
    await expect(connector.fetch(call, pageItem!)).rejects.toMatchObject({ kind: 'gone' });
    for (const id of [`DOCS/${page.id}`, `DOCS/${page.id}/${file.id}`, 'DOCS/1', 'nonsense', 'DOCS/']) {
      expect(await connector.resolve(call, id)).toBeNull();
    }
  });

  it('treats a page that moved to another space as another item', async () => {
    const { model, connector } = await start({ edition });
    model.addSpace('A');
    model.addSpace('B');
    const page = model.addPage('A', 'Moving');
    const ref = await connector.resolve(call, `A/${page.id}`);
    model.edit(page.id, { spaceKey: 'B' });
    expect(await connector.resolve(call, `A/${page.id}`)).toBeNull();
    await expect(connector.fetch(call, ref!)).rejects.toMatchObject({ kind: 'gone' });
    expect(idsOf(await collect(connector.list(call)))).toEqual([`B/${page.id}`]);
  });

  it('lists changes since a cursor, and repeats the last day', async () => {
    const { model, connector } = await start({ edition, pageSize: 2 }, { spaceKeys: ['DOCS'] });
    model.addSpace('DOCS');
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    model.addPage('DOCS', 'Old', { when: daysAgo(9) });
    const recent = [1, 2, 3].map((n) => model.addPage('DOCS', `Recent ${n}`, { when: daysAgo(0.5) }));
    const cursor = await connector.cursor!(call);
    const events = await collect(connector.changes!(call, cursor));
    expect(idsOf(events)).toEqual(recent.map(({ id }) => `DOCS/${id}`));
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: false });
    const checkpoints = events.filter((event) => event.type === 'checkpoint');
    const rest = await collect(connector.changes!(call, checkpoints[0]!.at));
    expect(idsOf(rest)).toEqual(recent.slice(2).map(({ id }) => `DOCS/${id}`));
    expect(JSON.parse(checkpoints.at(-1)!.at)).toEqual({ since: expect.any(String) });
  });

  it('grants access to readers of the space whom all restrictions on the page and its ancestors allow', async () => {
    const { server, model, connector } = await start({ edition });
    const mail = (name: string) =>
      edition === 'cloud' ? `user:${name}@example.com` : `user:confluence:account-${name}`;
    for (const name of ['bob', 'eve', 'kim']) model.addAccount(`account-${name}`, name, `${name}@example.com`);
    model.addAccount('account-hidden', 'Hidden');
    // Data Center identifies groups by name, which can contain spaces. One host can serve several
    // sites.
    const { host, pathname } = new URL(server.instanceUrl);
    const group = (id: string) =>
      `group:confluence:${host}${edition === 'cloud' ? `/${id}` : `${pathname.replace(/\/$/, '')}/all%20${id}`}`;
    model.addGroup('staff', 'all staff', ['account-bob', 'account-eve', 'account-hidden']);
    model.addGroup('board', 'all board', ['account-eve', 'account-kim']);
    model.addSpace('DOCS', { readers: { users: ['account-ada'], groups: ['staff'] } });
    model.addSpace('OPEN', { readers: { anonymous: true } });
    const open = model.addPage('DOCS', 'For the space');
    const top = model.addPage('DOCS', 'Board only', {
      restriction: { groups: ['board'], users: ['account-ada', 'account-hidden'] },
    });
    const below = model.addPage('DOCS', 'Below', { parentId: top.id });
    const narrow = model.addPage('DOCS', 'Narrow', {
      parentId: below.id,
      restriction: { users: ['account-eve', 'account-kim'] },
    });
    const noReaders = model.addPage('DOCS', 'None', { restriction: { users: ['account-kim'] } });
    const world = model.addPage('OPEN', 'World');
    const worldRestricted = model.addPage('OPEN', 'Restricted', { restriction: { groups: ['board'] } });
    const file = model.attach(narrow.id, 'plan.txt', 'text/plain', Buffer.from('x'));
    const refs = refsOf(await collect(connector.list(call)));
    const known = new Map(
      (await collect(connector.permissions!(call, refs))).map((entry) => [entry.id, [...entry.principals]]),
    );
    expect(known.get(`DOCS/${open.id}`)).toEqual([group('staff'), mail('ada')].sort());
    const boardInSpace = [mail('ada'), mail('eve'), 'user:confluence:account-hidden'].sort();
    expect(known.get(`DOCS/${top.id}`)).toEqual(boardInSpace);
    expect(known.get(`DOCS/${below.id}`)).toEqual(boardInSpace);
    expect(known.get(`DOCS/${narrow.id}`)).toEqual([mail('eve')]);
    expect(known.get(`DOCS/${narrow.id}/${file.id}`)).toEqual([mail('eve')]);
    expect(known.get(`DOCS/${noReaders.id}`)).toEqual([]);
    expect(known.get(`OPEN/${world.id}`)).toEqual(['public']);
    expect(known.get(`OPEN/${worldRestricted.id}`)).toEqual([group('board')]);
    expect(await collect(connector.groups!(call))).toEqual([
      { principal: group('staff'), members: [mail('bob'), mail('eve'), 'user:confluence:account-hidden'] },
      { principal: group('board'), members: [mail('eve'), mail('kim')] },
    ]);
  });

  it('distinguishes groups with the same name on two sites', async () => {
    const sites = [await start({ edition }), await start({ edition })];
    const principals = [];
    for (const { model, connector } of sites) {
      model.addAccount('account-ada', 'Ada', 'ada@example.com');
      model.addGroup('admins', 'admins', ['account-ada']);
      model.addSpace('DOCS', { readers: { groups: ['admins'] } });
      model.addPage('DOCS', 'A page');
      const [permissions] = await collect(connector.permissions!(call, refsOf(await collect(connector.list(call)))));
      const [group] = await collect(connector.groups!(call));
      expect(permissions?.principals).toEqual([group?.principal]);
      principals.push(group?.principal);
    }
    expect(new Set(principals).size).toBe(2);
  });

  it('gives no access if the readers are unknown', async () => {
    const { server, model, connector } = await start({ edition });
    model.addSpace('DOCS', { readers: { users: ['account-ada'] } });
    model.addPage('DOCS', 'A page');
    const refs = refsOf(await collect(connector.list(call)));
    server.fail((request) => (request.path.includes('/restriction/') ? { kind: 'status', status: 403 } : undefined));
    expect(await collect(connector.permissions!(call, refs))).toEqual([{ id: refs[0]!.id, principals: [] }]);
    server.fail((request) => (request.path.includes('/restriction/') ? { kind: 'status', status: 503 } : undefined));
    await expect(collect(connector.permissions!(call, refs))).rejects.toMatchObject({ kind: 'transient' });
  });

  it('reports an invisible space, and then deletes nothing', async () => {
    const { model, connector } = await start({ edition }, { spaceKeys: ['DOCS', 'GONE'] });
    model.addSpace('DOCS');
    const page = model.addPage('DOCS', 'A page');
    const events = await collect(connector.list(call));
    expect(idsOf(events)).toEqual([`DOCS/${page.id}`]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'failed', id: 'GONE' }));
    expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: false });
    expect(await connector.test(call)).toEqual([
      expect.objectContaining({ name: 'connection', ok: true }),
      expect.objectContaining({ name: 'spaces', ok: false, message: expect.stringContaining('GONE') }),
    ]);
  });

  it('reports a space that disappears during the listing, and then deletes nothing', async () => {
    const { server, model, connector } = await start({ edition });
    const docs = model.addSpace('DOCS');
    model.addSpace('OPS');
    model.addPage('DOCS', 'A hidden page');
    const page = model.addPage('OPS', 'A page');
    server.fail(({ path, query }) => {
      const listsDocs = path.endsWith(`/spaces/${docs.id}/pages`) || query.get('spaceKey') === 'DOCS';
      return listsDocs ? { kind: 'status', status: 404 } : undefined;
    });
    const events = await collect(connector.list(call));
    expect(idsOf(events)).toEqual([`OPS/${page.id}`]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'failed', id: 'DOCS' }));
    expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: false });
    server.fail();
    const checkpoint = events.findLast((event) => event.type === 'checkpoint');
    const resumed = await collect(connector.list(call, checkpoint?.at));
    expect(idsOf(resumed)).toEqual([`OPS/${page.id}`]);
    expect(resumed.at(-1)).toMatchObject({ type: 'complete', authoritative: false });
  });

  it('tests its credentials with one request', async () => {
    const { server, model, connector } = await start({ edition });
    model.addSpace('DOCS');
    expect((await connector.test(call)).map(({ ok }) => ok)).toEqual([true, true, true]);
    server.revoke();
    server.forget();
    const [check] = await connector.test(call);
    expect(check).toMatchObject({ name: 'connection', ok: false });
    expect(server.requests).toHaveLength(1);
    await expect(collect(connector.list(call))).rejects.toMatchObject({ kind: 'auth' });
  });

  it('completes without content', async () => {
    const { connector } = await start({ edition });
    expect(await collect(connector.list(call))).toEqual([{ type: 'complete', authoritative: true, confirmGone: true }]);
  });
});

describe('Confluence', () => {
  it('lists every unchanged page while others are added and deleted', async () => {
    const { server, model, connector } = await start({ pageSize: 3 });
    model.addSpace('DOCS');
    const pages = Array.from({ length: 12 }, (_, n) => model.addPage('DOCS', `Page ${n}`));
    const vanishing = new Set([0, 4, 5].map((n) => pages[n]!.id));
    let listed = 0;
    server.before((request) => {
      if (!request.path.endsWith('/pages')) return;
      listed += 1;
      if (listed === 2) for (const id of vanishing) model.trash(id);
      if (listed === 3) model.addPage('DOCS', 'New');
    });
    const ids = new Set(idsOf(await collect(connector.list(call))));
    for (const { id } of pages) if (!vanishing.has(id)) expect(ids.has(`DOCS/${id}`)).toBe(true);
  });

  it('accepts the URL with and without /wiki, and starts a space again if a cursor has expired', async () => {
    const { server, model, host } = await start();
    model.addSpace('DOCS');
    for (let n = 0; n < 150; n += 1) model.addPage('DOCS', `Page ${n}`);
    for (const tail of ['', '/', '/wiki', '/wiki/']) {
      const config = { instanceUrl: `${server.origin}${tail}` };
      const connector = openType(confluenceType, config, credentialsOf(server), host);
      const events = await collect(connector.list(call));
      expect(idsOf(events)).toHaveLength(150);
      const checkpoint = events.find((event) => event.type === 'checkpoint');
      server.expireCursors();
      expect(idsOf(await collect(connector.list(call, checkpoint!.at)))).toHaveLength(150);
    }
  });

  it('never connects to a private address that the operator did not allow', async () => {
    const { server, model } = await start();
    model.addSpace('DOCS');
    const host = createTestHost();
    hosts.push(host);
    server.forget();
    for (const instanceUrl of [
      server.origin,
      'http://169.254.169.254/',
      'http://localhost:8080/wiki',
      'http://[::1]/',
    ]) {
      const connector = openType(confluenceType, { instanceUrl }, credentialsOf(server), host);
      expect((await connector.test(call)).at(-1)).toMatchObject({ name: 'connection', ok: false });
      await expect(collect(connector.list(call))).rejects.toMatchObject({ kind: 'invalid' });
    }
    expect(server.requests).toHaveLength(0);
  });
});

describe('the settings of Confluence', () => {
  const issuesOf = (act: () => unknown) => {
    try {
      act();
    } catch (error) {
      return (error as { details: { issues: { path: string }[] } }).details.issues.map(({ path }) => path);
    }
    return [];
  };

  it('are checked field by field', () => {
    const url = 'https://example.atlassian.net';
    expect(confluenceType.checkConfig({ instanceUrl: url, spaceKeys: ' DOCS ' })).toEqual({
      instanceUrl: url,
      spaceKeys: ['DOCS'],
    });
    expect(confluenceType.checkConfig({ instanceUrl: url, spaceKeys: [] })).toEqual({
      instanceUrl: url,
      spaceKeys: [],
    });
    expect(issuesOf(() => confluenceType.checkConfig({ spaceKeys: 7, site: 'x' })).sort()).toEqual(
      ['config.instanceUrl', 'config.site', 'config.spaceKeys'].sort(),
    );
    for (const instanceUrl of [
      'ftp://x',
      'https://me:secret@example.com',
      'example.com',
      'file:///etc/passwd',
      'https://x/?a=b',
    ]) {
      expect(issuesOf(() => confluenceType.checkConfig({ instanceUrl }))).toContain('config.instanceUrl');
    }
    expect(issuesOf(() => confluenceType.checkCredentials({}))).toEqual(['credentials.email']);
    expect(issuesOf(() => confluenceType.checkCredentials({ email: 'a@example.com' }))).toEqual([
      'credentials.apiToken',
    ]);
    expect(issuesOf(() => confluenceType.checkCredentials({ apiToken: 'x' }))).toEqual(['credentials.email']);
    expect(
      issuesOf(() => confluenceType.checkCredentials({ email: 'a@example.com', apiToken: 'x', token: 'y' })),
    ).toEqual(['credentials.token']);
    expect(issuesOf(() => confluenceType.checkCredentials({ token: 'x', password: 'y' }))).toEqual([
      'credentials.password',
    ]);
  });
});
