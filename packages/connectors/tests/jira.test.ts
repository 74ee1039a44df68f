import { afterEach, describe, expect, it } from '@jest/globals';
import { type JiraServer, type JiraServerOptions, runCount, startJiraServer } from '@lectern/testing';
import fc from 'fast-check';
import { jiraType } from '#jira/jira-type';
import { openType } from './support/open-type.ts';
import { call, collect, collectUntilError, idsOf, refsOf, textOf } from './support/read-source.ts';
import { createTestHost, type TestHost } from './support/test-host.ts';

const servers: JiraServer[] = [];
const hosts: TestHost[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

const credentialsOf = (server: JiraServer, edition = 'cloud') =>
  edition === 'cloud' ? { email: server.email, apiToken: server.apiToken } : { token: server.token };

async function start(options: JiraServerOptions = {}, config: Record<string, unknown> = {}, maxItemBytes?: number) {
  const server = await startJiraServer(options);
  servers.push(server);
  const allow = new URL(server.origin).host;
  const host = createTestHost(maxItemBytes === undefined ? { allow } : { allow, maxItemBytes });
  hosts.push(host);
  const settings = { baseUrl: server.baseUrl, ...config };
  const connector = openType(jiraType, settings, credentialsOf(server, options.edition), host);
  return { server, model: server.model, connector, host };
}

type Started = Awaited<ReturnType<typeof start>>;

async function readersOf({ connector }: Pick<Started, 'connector'>): Promise<Map<string, readonly string[]>> {
  const refs = refsOf(await collect(connector.list(call)));
  const known = await collect(connector.permissions!(call, refs));
  return new Map(known.map(({ id, principals }) => [id, principals]));
}

const editions = ['cloud', 'data_center'] as const;

describe.each(editions)('Jira (%s)', (edition) => {
  it('lists the issues of the selected projects that match the filter, in a stable order', async () => {
    const config = { projects: 'docs', jql: 'status = Open OR labels = keep' };
    const { model, connector, server } = await start({ edition, pageSize: 2 }, config);
    model.addProject('DOCS');
    model.addProject('OTHER');
    const open = model.addIssue('DOCS', 'The gate is stuck');
    model.addIssue('DOCS', 'Done', { status: 'Done' });
    const kept = model.addIssue('DOCS', 'Kept', { status: 'Done', labels: ['keep'] });
    model.addIssue('OTHER', 'Not selected', { labels: ['keep'] });
    const early = model.addIssue('DOCS', 'Early', { created: '2020-01-01T00:00:00.000Z' });
    const events = await collect(connector.list(call));
    expect(idsOf(events)).toEqual([early.key, open.key, kept.key]);
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: true, confirmGone: true });
    expect(refsOf(events)[1]).toEqual({
      id: 'DOCS-1',
      path: 'DOCS-1: The gate is stuck',
      title: 'DOCS-1: The gate is stuck',
      version: open.updated,
      url: `${server.baseUrl}/browse/DOCS-1`,
      author: 'Ada Lovelace',
      mimeType: 'text/html',
      updatedAt: open.updated,
    });
  });

  it('resumes from every checkpoint, and after a failure at every request', async () => {
    const { server, model, connector } = await start({ edition, pageSize: 3 });
    for (const key of ['A', 'B', 'C_1']) {
      model.addProject(key);
      for (let n = 0; n < 7; n += 1) model.addIssue(key, `${key} ${n}`);
    }
    const events = await collect(connector.list(call));
    const allIds = idsOf(events);
    expect(new Set(allIds).size).toBe(21);
    for (const [at, event] of events.entries()) {
      if (event.type !== 'checkpoint') continue;
      expect(idsOf(await collect(connector.list(call, event.at)))).toEqual(idsOf(events.slice(at)));
    }
    server.forget();
    await collect(connector.list(call));
    for (let n = 1, needed = server.requests.length; n <= needed; n += 1) {
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

  it('confirms each unchanged issue that a listing missed because others were deleted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(14), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 6 }),
        async (deleted, at) => {
          const { server, model, connector } = await start({ edition, pageSize: 3 });
          model.addProject('DOCS');
          const keys = Array.from({ length: 15 }, (_, n) => model.addIssue('DOCS', `Issue ${n}`).key);
          const gone = new Set(deleted.map((n) => keys[n]!));
          let searches = 0;
          server.before(({ path }) => {
            if (!path.includes('/search')) return;
            searches += 1;
            if (searches === at) for (const key of gone) model.remove(key);
          });
          const events = await collect(connector.list(call));
          expect(events.at(-1)).toMatchObject({ authoritative: true, confirmGone: true });
          server.before();
          const listed = new Set(idsOf(events));
          for (const key of keys.filter((each) => !listed.has(each))) {
            const found = await connector.resolve(call, key);
            expect(found === null).toBe(gone.has(key));
          }
          await server.stop();
        },
      ),
      { numRuns: runCount({ quick: 15, full: 60 }) },
    );
  });

  it('reads an issue with its fields, its description and its comments in order', async () => {
    const { model, connector } = await start({ edition, pageSize: 2 });
    model.addAccount('account-bob', 'Bob <b>', 'bob@example.com');
    model.addProject('DOCS');
    const { key } = model.addIssue('DOCS', 'The <gate> is stuck', {
      type: 'Bug',
      status: 'In review',
      priority: 'High',
      labels: ['gate', 'north'],
      components: ['Doors'],
      assigneeId: 'account-bob',
      rendered: '<p>It <b>squeaks</b>.</p>',
    });
    for (let n = 1; n <= 5; n += 1) {
      model.comment(key, `Comment ${n} <&>`, { when: `2026-02-0${6 - n}T10:30:00.000Z`, authorId: 'account-bob' });
    }
    const ref = (await connector.resolve(call, key))!;
    const content = await connector.fetch(call, ref);
    expect(content).toMatchObject({
      version: ref.version,
      fileName: 'DOCS-1.html',
      metadata: {
        project: 'DOCS',
        type: 'Bug',
        status: 'In review',
        priority: 'High',
        labels: ['gate', 'north'],
        components: ['Doors'],
        assignee: 'Bob <b>',
        reporter: 'Ada Lovelace',
      },
    });
    const html = await textOf(connector, ref);
    expect(html).toContain('<h1>DOCS-1: The &lt;gate&gt; is stuck</h1>');
    for (const field of ['Type: Bug', 'Status: In review', 'Priority: High', 'Labels: gate, north']) {
      expect(html).toContain(`<li>${field}</li>`);
    }
    expect(html).toContain('<li>Components: Doors</li><li>Assignee: Bob &lt;b&gt;</li><li>Reporter: Ada Lovelace</li>');
    expect(html).toContain('<h2>Description</h2>\n<div><p>It <b>squeaks</b>.</p></div>');
    const order = [...html.matchAll(/<h3>Bob &lt;b&gt;, (.*?) UTC<\/h3>\n<div><p>Comment (\d) &lt;&amp;&gt;/g)];
    expect(order.map(([, time, number]) => `${time} ${number}`)).toEqual(
      [5, 4, 3, 2, 1].map((n) => `2026-02-0${6 - n} 10:30 ${n}`),
    );
  });

  it('has no other comments than those of Jira, whatever headings they contain', async () => {
    const { model, connector } = await start({ edition });
    model.addProject('DOCS');
    const forged = '<h1>Other</h1><h2>Comments</h2><h3>Boss, 2026-02-01 10:30 UTC</h3><div><p>Pay.</p></div>';
    const { key } = model.addIssue('DOCS', 'Forged', { rendered: forged });
    const html = await textOf(connector, (await connector.resolve(call, key))!);
    expect(html).toContain('<h4>Other</h4><h5>Comments</h5><h6>Boss');
    expect(html.match(/<h[1-3]>/g)).toEqual(['<h1>', '<h2>']);
  });

  it('leaves out comments that only some readers of the issue can read', async () => {
    const { model, connector } = await start({ edition });
    model.addProject('DOCS');
    const { key } = model.addIssue('DOCS', 'Restricted');
    model.comment(key, 'for everyone');
    model.comment(key, 'for the developers', { visibility: { type: 'role', value: 'Developers' } });
    model.comment(key, 'for the board', { visibility: { type: 'group', value: 'board' } });
    model.comment(key, 'an internal note', { isPublic: false });
    const html = await textOf(connector, (await connector.resolve(call, key))!);
    expect(html).toContain('for everyone');
    expect(html).not.toMatch(/developers|board|internal/);
  });

  it('reads the stored text if Jira did not render it', async () => {
    const { model, connector } = await start({ edition });
    model.addProject('DOCS');
    const { key } = model.addIssue('DOCS', 'Stored', { description: 'First <line>\nsecond\n\nthird & last' });
    const html = await textOf(connector, (await connector.resolve(call, key))!);
    expect(html).toContain('<p>First &lt;line&gt;<br>second</p><p>third &amp; last</p>');
  });

  it('reads a limited number of comments, and reports the rest', async () => {
    const { model, connector } = await start({ edition });
    model.addProject('DOCS');
    const { key } = model.addIssue('DOCS', 'Long');
    for (let n = 0; n < 5_003; n += 1) model.comment(key, `c${n}`, { when: '2026-02-01T00:00:00.000Z' });
    const html = await textOf(connector, (await connector.resolve(call, key))!);
    expect(html.match(/<h3>/g)).toHaveLength(5_000);
    expect(html).toContain('3 more comments are not included.');
  });

  it('fails only the issue if one of its comments is malformed, or if it is too large', async () => {
    const { server, model, connector } = await start({ edition }, {}, 1_000);
    model.addProject('DOCS');
    const { key } = model.addIssue('DOCS', 'Broken');
    const large = model.addIssue('DOCS', 'Large', { rendered: 'x'.repeat(1_000) });
    model.comment(key, 'a comment');
    const ref = (await connector.resolve(call, key))!;
    server.rewrite((response, { path }) => {
      if (!path.endsWith('/comment')) return response;
      return { ...response, body: String(response.body).replace(/"created":"[^"]*"/, '"created":17') };
    });
    await expect(connector.fetch(call, ref)).rejects.toMatchObject({ kind: 'invalid' });
    server.rewrite();
    const largeRef = (await connector.resolve(call, large.key))!;
    await expect(connector.fetch(call, largeRef)).rejects.toMatchObject({ kind: 'too_large' });
    expect(await textOf(connector, ref)).toContain('a comment');
  });

  it('confirms that an issue is gone: deleted, moved, in another project or outside of the filter', async () => {
    const { model, connector } = await start({ edition }, { projects: ['DOCS'], jql: 'status != Done' });
    model.addProject('DOCS');
    model.addProject('OTHER');
    const [first, second, third] = [1, 2, 3].map((n) => model.addIssue('DOCS', `Issue ${n}`).key);
    const refs = refsOf(await collect(connector.list(call)));
    expect(refs).toHaveLength(3);
    model.remove(first!);
    model.move(second!, 'OTHER');
    model.edit(third!, { status: 'Done' });
    for (const id of [first!, second!, third!, 'OTHER-1', 'DOCS-99', 'nonsense', 'DOCS-', 'DOCS-1/x', '']) {
      expect(await connector.resolve(call, id)).toBeNull();
    }
    await expect(connector.fetch(call, refs[0]!)).rejects.toMatchObject({ kind: 'gone' });
    await expect(connector.fetch(call, refs[1]!)).rejects.toMatchObject({ kind: 'gone' });
    expect(idsOf(await collect(connector.list(call)))).toEqual([]);
  });

  it('accepts keys and addresses of issues as names', async () => {
    const { connector } = await start({ edition });
    for (const name of ['DOCS-7', ' docs-7 ', 'https://example.atlassian.net/browse/DOCS-7']) {
      expect(connector.idOf!(name)).toBe('DOCS-7');
    }
  });

  it('lists changes since a cursor, and repeats the last day', async () => {
    const { model, connector } = await start({ edition, pageSize: 2 }, { projects: ['DOCS'], jql: 'status = Open' });
    model.addProject('DOCS');
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    model.addIssue('DOCS', 'Old', { updated: daysAgo(9) });
    const recent = [3, 2, 1].map((n) => model.addIssue('DOCS', `Recent ${n}`, { updated: daysAgo(0.1 * n) }).key);
    model.addIssue('DOCS', 'Done', { updated: daysAgo(0.5), status: 'Done' });
    const events = await collect(connector.changes!(call, await connector.cursor!(call)));
    expect(idsOf(events)).toEqual(recent);
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: false });
    const checkpoints = events.filter((event) => event.type === 'checkpoint');
    const rest = await collect(connector.changes!(call, checkpoints[0]!.at));
    expect(idsOf(rest)).toEqual(recent.slice(2));
    expect(JSON.parse(checkpoints.at(-1)!.at)).toEqual({ since: expect.any(String) });
  });

  it('reports an invisible project, and then deletes nothing', async () => {
    const { model, connector } = await start({ edition }, { projects: ['DOCS', 'GONE'] });
    model.addProject('DOCS');
    const { key } = model.addIssue('DOCS', 'An issue', { updated: new Date().toISOString() });
    const events = await collect(connector.list(call));
    expect(idsOf(events)).toEqual([key]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'failed', id: 'GONE' }));
    expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: false });
    const changes = await collect(connector.changes!(call, await connector.cursor!(call)));
    expect(idsOf(changes)).toEqual([key]);
    expect(changes).toContainEqual(expect.objectContaining({ type: 'failed', id: 'GONE' }));
    expect(await connector.test(call)).toEqual([
      expect.objectContaining({ name: 'connection', ok: true }),
      expect.objectContaining({ name: 'projects', ok: false, message: expect.stringContaining('GONE') }),
    ]);
    model.projects.delete('DOCS');
    const nothing = await collect(connector.changes!(call, await connector.cursor!(call)));
    expect(nothing.at(-1)).toEqual({ type: 'complete', authoritative: false });
  });

  it('reports a project that disappears during the listing, and then deletes nothing', async () => {
    const { server, model, connector } = await start({ edition });
    model.addProject('DOCS');
    model.addProject('OPS');
    model.addIssue('DOCS', 'A hidden issue');
    const { key } = model.addIssue('OPS', 'An issue');
    server.before(({ path }) => {
      if (path.includes('/search') && !path.includes('/project/')) model.projects.delete('DOCS');
    });
    const events = await collect(connector.list(call));
    expect(idsOf(events)).toEqual([key]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'failed', id: 'DOCS' }));
    expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: false });
    const checkpoint = events.findLast((event) => event.type === 'checkpoint');
    const resumed = await collect(connector.list(call, checkpoint?.at));
    expect(resumed.at(-1)).toMatchObject({ type: 'complete', authoritative: false });
  });

  it('names the filter if Jira rejects it', async () => {
    const { model, connector } = await start({ edition }, { jql: 'nonsense = 7' });
    model.addProject('DOCS');
    const { key } = model.addIssue('DOCS', 'An issue');
    const named = { kind: 'invalid', message: expect.stringMatching(/^config\.jql: .*'nonsense' does not exist/) };
    await expect(collect(connector.list(call))).rejects.toMatchObject(named);
    await expect(collect(connector.changes!(call, await connector.cursor!(call)))).rejects.toMatchObject(named);
    await expect(connector.resolve(call, key)).rejects.toMatchObject(named);
    expect((await connector.test(call)).at(-1)).toMatchObject({ name: 'issues', ok: false, message: named.message });
  });

  it('grants access to everyone who can browse the project', async () => {
    const started = await start({ edition, pageSize: 2 });
    const { server, model, connector } = started;
    const mail = (name: string) => `user:${name}@example.com`;
    for (const name of ['bob', 'eve', 'kim', 'lee']) {
      model.addAccount(`account-${name}`, name, `${name}@example.com`);
    }
    model.addAccount('account-hidden', 'Hidden');
    // Data Center identifies groups by name, which can contain spaces. One host can serve several
    // sites.
    const { host, pathname } = new URL(server.baseUrl);
    const group = (id: string) =>
      `group:jira:${host}${edition === 'cloud' ? `/${id}` : `${pathname.replace(/\/$/, '')}/all%20${id}`}`;
    model.addGroup('staff', 'all staff', ['account-bob', 'account-eve', 'account-hidden']);
    model.addGroup('board', 'all board', ['account-eve', 'account-kim']);
    model.addGroup('users', 'all users', ['account-lee']);
    model.applications.set('jira-software', ['users']);
    model.applications.set('jira-servicedesk', ['board']);
    model.addProject('DIRECT', {
      browsers: [
        { type: 'user', id: 'account-hidden' },
        { type: 'group', id: 'staff' },
      ],
    });
    model.addProject('ROLES', {
      browsers: [
        { type: 'projectRole', id: '10' },
        { type: 'projectRole', id: '11' },
      ],
      roles: { 10: { users: ['account-bob'], groups: ['board'] } },
    });
    model.addProject('APP', { browsers: [{ type: 'applicationRole', id: 'jira-software' }] });
    model.addProject('ANYAPP', { browsers: [{ type: 'applicationRole' }] });
    model.addProject('LEAD', { browsers: [{ type: 'projectLead' }], leadId: 'account-kim' });
    model.addProject('OPEN', { browsers: [{ type: 'anyone' }, { type: 'group', id: 'staff' }] });
    model.addProject('OWN', { browsers: [{ type: 'reporter' }, { type: 'assignee' }] });
    model.addProject('NONE', { browsers: [{ type: 'userCustomField', id: '1' }, { type: 'sd.customer.portal.only' }] });
    for (const key of model.projects.keys()) model.addIssue(key, 'An issue', { reporterId: 'account-kim' });
    model.addIssue('OWN', 'Assigned', { reporterId: undefined, assigneeId: 'account-lee' });
    expect(Object.fromEntries(await readersOf(started))).toEqual({
      'DIRECT-1': [group('staff'), 'user:jira:account-hidden'],
      'ROLES-1': [group('board'), mail('bob')],
      'APP-1': [group('users')],
      'ANYAPP-1': [group('users'), group('board')].sort(),
      'LEAD-1': [mail('kim')],
      'OPEN-1': ['public'],
      'OWN-1': [mail('kim')],
      'OWN-2': [mail('lee')],
      'NONE-1': [],
    });
    const groups = await collect(connector.groups!(call));
    expect(new Map(groups.map(({ principal, members }) => [principal, members]))).toEqual(
      new Map([
        [group('users'), [mail('lee')]],
        [group('board'), [mail('eve'), mail('kim')]],
        [group('staff'), [mail('bob'), mail('eve'), 'user:jira:account-hidden']],
      ]),
    );
  });

  it('gives no one access to an issue with an unknown security level', async () => {
    const started = await start({ edition });
    const { model } = started;
    for (const browsers of [[{ type: 'anyone' }], [{ type: 'user', id: 'account-ada' }]] as const) {
      const { key } = model.addProject(browsers[0].type === 'anyone' ? 'OPEN' : 'DOCS', { browsers });
      model.addIssue(key, 'Secret', { securityLevel: '77' });
      model.addIssue(key, 'Not secret');
    }
    expect(Object.fromEntries(await readersOf(started))).toEqual({
      'DOCS-1': [],
      'DOCS-2': ['user:ada@example.com'],
      'OPEN-1': [],
      'OPEN-2': ['public'],
    });
  });

  it('treats the security level as unknown if the field is hidden, unless the project has no levels', async () => {
    const started = await start({ edition, hiddenFields: ['security'] });
    const { server, model } = started;
    const browsers = [{ type: 'anyone' }] as const;
    model.addProject('LEVELS', { browsers });
    model.addProject('PLAIN', { browsers, hasSecurityScheme: false });
    model.addIssue('LEVELS', 'Perhaps secret');
    model.addIssue('PLAIN', 'Not secret');
    expect(Object.fromEntries(await readersOf(started))).toEqual({ 'LEVELS-1': [], 'PLAIN-1': ['public'] });
    server.fail(({ path }) => (path.endsWith('levelscheme') ? { kind: 'status', status: 403 } : undefined));
    expect(Object.fromEntries(await readersOf(started))).toEqual({ 'LEVELS-1': [], 'PLAIN-1': [] });
  });

  it('gives no access if the readers are unknown', async () => {
    const { server, model, connector } = await start({ edition });
    model.addProject('DOCS', { browsers: [{ type: 'anyone' }] });
    const { key } = model.addIssue('DOCS', 'An issue');
    const refs = refsOf(await collect(connector.list(call)));
    for (const status of [400, 403, 404]) {
      for (const part of ['/permissionscheme', edition === 'cloud' ? '/bulkfetch' : '/search']) {
        server.fail(({ path }) => (path.endsWith(part) ? { kind: 'status', status } : undefined));
        expect(await collect(connector.permissions!(call, refs))).toEqual([{ id: key, principals: [] }]);
      }
    }
    server.fail(({ path }) => (path.endsWith('/permissionscheme') ? { kind: 'status', status: 503 } : undefined));
    await expect(collect(connector.permissions!(call, refs))).rejects.toMatchObject({ kind: 'transient' });
    server.fail();
    model.move(key, model.addProject('OTHER', { browsers: [{ type: 'anyone' }] }).key);
    expect(await collect(connector.permissions!(call, refs))).toEqual([{ id: key, principals: [] }]);
  });

  it('distinguishes groups with the same name on two sites', async () => {
    const sites = [await start({ edition }), await start({ edition })];
    const principals = [];
    for (const { model, connector } of sites) {
      model.addGroup('admins', 'admins', ['account-ada']);
      model.addProject('DOCS', { browsers: [{ type: 'group', id: 'admins' }] });
      model.addIssue('DOCS', 'An issue');
      const [permissions] = await collect(connector.permissions!(call, refsOf(await collect(connector.list(call)))));
      const [group] = await collect(connector.groups!(call));
      expect(permissions?.principals).toEqual([group?.principal]);
      principals.push(group?.principal);
    }
    expect(new Set(principals).size).toBe(2);
  });

  it('reads ids of roles that are numbers, and lists without a total', async () => {
    const { server, model, connector } = await start({ edition, pageSize: 2 }, { projects: ['DOCS'] });
    model.addProject('DOCS', {
      browsers: [{ type: 'projectRole', id: '10' }],
      roles: { 10: { groups: ['staff'] } },
    });
    model.addGroup('staff', 'staff', ['account-ada']);
    for (let n = 0; n < 5; n += 1) model.addIssue('DOCS', `Issue ${n}`);
    server.rewrite((answer) => ({
      ...answer,
      body: String(answer.body)
        .replace(/"(parameter|value)":"10"/g, '"$1":10')
        .replace(/"total":\d+,?/g, ''),
    }));
    const readers = [...(await readersOf({ connector })).values()];
    expect(readers).toHaveLength(5);
    expect(readers.every(([group]) => group?.endsWith('/staff'))).toBe(true);
  });

  it('fails the issue if its time is malformed', async () => {
    const { server, model, connector } = await start({ edition }, { projects: ['DOCS'] });
    model.addProject('DOCS');
    model.addIssue('DOCS', 'One');
    const refs = refsOf(await collect(connector.list(call)));
    server.rewrite((answer) => ({
      ...answer,
      body: String(answer.body).replace(/"updated":"[^"]*"/, '"updated":"x"'),
    }));
    await expect(connector.fetch(call, refs[0]!)).rejects.toMatchObject({ name: 'SourceError', kind: 'invalid' });
  });

  it('reads all members of a large group', async () => {
    const { model, connector } = await start({ edition, pageSize: 50 });
    const ids = Array.from({ length: 251 }, (_, n) => `account-${n}`);
    for (const id of ids) model.addAccount(id, id, `${id}@example.com`);
    model.addGroup('staff', 'staff', ids);
    model.addProject('DOCS', { browsers: [{ type: 'group', id: 'staff' }] });
    const [group] = await collect(connector.groups!(call));
    expect(new Set(group?.members)).toEqual(new Set(ids.map((id) => `user:${id}@example.com`)));
  });

  it('tests its credentials with one request', async () => {
    const { server, model, connector } = await start({ edition });
    model.addProject('DOCS');
    expect((await connector.test(call)).map(({ ok }) => ok)).toEqual([true, true, true]);
    server.revoke();
    server.forget();
    const [check] = await connector.test(call);
    expect(check).toMatchObject({ name: 'connection', ok: false });
    expect(server.requests).toHaveLength(1);
    await expect(collect(connector.list(call))).rejects.toMatchObject({ kind: 'auth' });
  });

  it.each([
    ['Retry-After', () => ({ 'retry-after': '120' }), 120],
    ['the reset time of Cloud', () => ({ 'x-ratelimit-reset': new Date(Date.now() + 600_000).toISOString() }), 600],
    [
      'the interval of Data Center',
      () => ({ 'x-ratelimit-interval-seconds': '300', 'x-ratelimit-remaining': '0' }),
      300,
    ],
    ['a minute without headers', () => ({}), 60],
  ])('waits for %s after too many requests', async (_name, headers: () => Record<string, string>, seconds) => {
    const { server, model, connector } = await start({ edition });
    model.addProject('DOCS');
    server.rewrite(() => ({ status: 429, headers: headers(), body: '{}' }));
    const { error } = await collectUntilError(connector.list(call));
    expect(error).toMatchObject({ kind: 'rate' });
    const waitSeconds = ((error as { retryAt: Date }).retryAt.getTime() - Date.now()) / 1_000;
    expect(Math.abs(waitSeconds - seconds)).toBeLessThan(30);
  });

  it('completes without content', async () => {
    const { connector } = await start({ edition });
    expect(await collect(connector.list(call))).toEqual([{ type: 'complete', authoritative: true, confirmGone: true }]);
  });
});

describe('Jira Cloud', () => {
  it('limits an issue with a security level to its members who can browse the project', async () => {
    const started = await start({ pageSize: 2 });
    const { model, connector, server } = started;
    for (const name of ['bob', 'eve', 'kim']) model.addAccount(`account-${name}`, name, `${name}@example.com`);
    const group = (id: string) => `group:jira:${new URL(server.baseUrl).host}/${id}`;
    model.addGroup('staff', 'Staff', ['account-bob', 'account-eve']);
    model.addGroup('board', 'Board', ['account-eve', 'account-kim']);
    model.addProject('DOCS', {
      browsers: [{ type: 'group', id: 'staff' }],
      roles: { 10: { users: ['account-bob', 'account-kim'] } },
    });
    model.addProject('OPEN', { browsers: [{ type: 'anyone' }] });
    model.securityLevels.set('1', [{ type: 'group', id: 'board' }]);
    model.securityLevels.set('2', [
      { type: 'projectRole', id: '10' },
      { type: 'userCustomField', id: '1' },
      { type: 'reporter' },
    ]);
    model.securityLevels.set('3', [{ type: 'group', id: 'staff' }]);
    model.securityLevels.set('4', []);
    for (const securityLevel of ['1', '2', '3', '4']) {
      model.addIssue('DOCS', `Level ${securityLevel}`, { securityLevel, reporterId: 'account-eve' });
    }
    model.addIssue('OPEN', 'Level 1', { securityLevel: '1' });
    expect(Object.fromEntries(await readersOf(started))).toEqual({
      'DOCS-1': ['user:eve@example.com'],
      'DOCS-2': ['user:bob@example.com', 'user:eve@example.com'],
      'DOCS-3': [group('staff')],
      'DOCS-4': [],
      'OPEN-1': [group('board')],
    });
    const groups = await collect(connector.groups!(call));
    expect(groups.map(({ principal }) => principal).sort()).toEqual([group('board'), group('staff')]);
  });

  it.each([
    ['reports', false],
    ['hides', true],
  ])(
    'never takes the view of an anonymous visitor for deletions if Jira %s rejected credentials',
    async (_how, hidesRejection) => {
      const { server, model, connector } = await start({ hidesRejection, pageSize: 3 });
      model.addProject('DOCS');
      const keys = Array.from({ length: 9 }, (_, n) => model.addIssue('DOCS', `Issue ${n}`).key);
      let searches = 0;
      server.before(({ path }) => {
        if (path.endsWith('/search/jql')) searches += 1;
        if (searches === 2) server.revoke();
      });
      const { reported } = await collectUntilError(connector.list(call));
      const listed = new Set(idsOf(reported));
      const missing = keys.filter((key) => !listed.has(key));
      expect(missing).toHaveLength(6);
      for (const key of missing) await expect(connector.resolve(call, key)).rejects.toMatchObject({ kind: 'auth' });
      const ref = refsOf(reported)[0]!;
      await expect(connector.fetch(call, ref)).rejects.toMatchObject({ kind: 'auth' });
      await expect(collect(connector.list(call))).rejects.toMatchObject({ kind: 'auth' });
      await expect(
        collect(connector.changes!(call, JSON.stringify({ since: new Date().toISOString() }))),
      ).rejects.toMatchObject({
        kind: 'auth',
      });
    },
  );

  it('starts a project again if a page token has expired, and stops at a repeated one', async () => {
    const { server, model, connector } = await start({ pageSize: 2 });
    model.addProject('DOCS');
    for (let n = 0; n < 5; n += 1) model.addIssue('DOCS', `Issue ${n}`);
    const events = await collect(connector.list(call));
    const checkpoint = events.find((event) => event.type === 'checkpoint');
    server.expireTokens();
    expect(idsOf(await collect(connector.list(call, checkpoint!.at)))).toHaveLength(5);
    server.rewrite((response, { path }) => {
      if (!path.endsWith('/search/jql')) return response;
      return { ...response, body: JSON.stringify({ issues: [], nextPageToken: 'the-same' }) };
    });
    const { error } = await collectUntilError(connector.list(call));
    expect(error).toMatchObject({ kind: 'transient' });
  });

  it('accepts the address of any page of the site', async () => {
    const { server, model, host } = await start();
    model.addProject('DOCS');
    model.addIssue('DOCS', 'An issue');
    for (const tail of ['', '/', '/jira', '/jira/software/projects/DOCS/boards/1']) {
      const config = { baseUrl: `${server.origin}${tail}` };
      const connector = openType(jiraType, config, credentialsOf(server), host);
      const [ref] = refsOf(await collect(connector.list(call)));
      expect(ref?.url).toBe(`${server.origin}/browse/DOCS-1`);
    }
  });

  it('works at the address of the gateway, and links to the site', async () => {
    const { server, model, connector } = await start({ isGateway: true });
    model.addGroup('staff', 'Staff', ['account-ada']);
    model.addProject('DOCS', { browsers: [{ type: 'group', id: 'staff' }] });
    const { key } = model.addIssue('DOCS', 'An issue', { updated: new Date().toISOString() });
    const url = 'https://acme.atlassian.net/browse/DOCS-1';
    const [ref] = refsOf(await collect(connector.list(call)));
    expect(ref?.url).toBe(url);
    expect(await connector.resolve(call, key)).toEqual(ref);
    const [changed] = refsOf(await collect(connector.changes!(call, await connector.cursor!(call))));
    expect(changed).toEqual(ref);
    expect(await textOf(connector, ref!)).toContain('An issue');
    const [{ principals } = { principals: [] }] = await collect(connector.permissions!(call, [ref!]));
    const { host, pathname } = new URL(server.baseUrl);
    expect(principals).toEqual([`group:jira:${host}${pathname}/staff`]);
    expect((await connector.test(call)).every(({ ok }) => ok)).toBe(true);
  });
});

describe('the settings of Jira', () => {
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
    expect(jiraType.checkConfig({ baseUrl: url, projects: ' docs ', jql: ' status = Open ' })).toEqual({
      baseUrl: url,
      projects: ['DOCS'],
      jql: 'status = Open',
    });
    expect(jiraType.checkConfig({ baseUrl: url, projects: ['A', 'a'], jql: '' })).toMatchObject({ projects: ['A'] });
    expect(issuesOf(() => jiraType.checkConfig({ projects: 7, site: 'x', jql: 'a) OR (b' })).sort()).toEqual(
      ['config.baseUrl', 'config.jql', 'config.projects', 'config.site'].sort(),
    );
    for (const projects of ['A-1', ['A', 'two words'], ['"']]) {
      expect(issuesOf(() => jiraType.checkConfig({ baseUrl: url, projects }))[0]).toContain('config.projects');
    }
    for (const baseUrl of ['ftp://x', 'https://me:secret@example.com', 'example.com', 'https://x/?a=b']) {
      expect(issuesOf(() => jiraType.checkConfig({ baseUrl }))).toContain('config.baseUrl');
    }
    expect(issuesOf(() => jiraType.checkCredentials({}))).toEqual(['credentials.email']);
    expect(issuesOf(() => jiraType.checkCredentials({ email: 'a@example.com' }))).toEqual(['credentials.apiToken']);
    expect(issuesOf(() => jiraType.checkCredentials({ apiToken: 'x' }))).toEqual(['credentials.email']);
    expect(issuesOf(() => jiraType.checkCredentials({ email: 'a@example.com', apiToken: 'x', token: 'y' }))).toEqual([
      'credentials.token',
    ]);
    expect(issuesOf(() => jiraType.checkCredentials({ token: 'x', password: 'y' }))).toEqual(['credentials.password']);
  });
});
