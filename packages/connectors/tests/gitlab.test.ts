import { afterEach, describe, expect, it } from '@jest/globals';
import { type GitlabServer, runCount, startGitlabServer } from '@lectern/testing';
import fc from 'fast-check';
import { gitlabType } from '#gitlab/gitlab-type';
import { openType } from './support/open-type.ts';
import { call, collect, collectUntilError, idsOf, refsOf, textOf } from './support/read-source.ts';
import { createTestHost, type TestHost } from './support/test-host.ts';

const running: { server: GitlabServer; host: TestHost }[] = [];
const stopAll = async () => {
  for (const { server, host } of running.splice(0)) {
    await server.stop();
    await host.close();
  }
};
afterEach(stopAll);

async function start(config: Record<string, unknown> = {}, options: { pageSize?: number; maxItemBytes?: number } = {}) {
  const server = await startGitlabServer({ pageSize: options.pageSize ?? 2 });
  const { maxItemBytes = 1_000_000 } = options;
  const host = createTestHost({ allow: new URL(server.origin).host, maxItemBytes });
  running.push({ server, host });
  const { model, token, instanceUrl } = server;
  const open = (changed: Record<string, unknown> = {}) =>
    openType(gitlabType, { instanceUrl, groups: 'acme', ...config, ...changed }, { token }, host);
  model.addUser(1, 'Ada');
  const site = instanceUrl.replace('http://', '');
  return { server, model, connector: open(), open, site };
}

/** A stored item. The emulator's first project has the id 100. */
const refOf = (id: string, project = 100) => ({ id, path: id, title: id, version: `${project}:1` });
const endOf = (events: readonly unknown[]) => events.at(-1);
const complete = (authoritative: boolean) => ({ type: 'complete', authoritative, confirmGone: true });

describe('GitLab projects', () => {
  it('are those named and those of groups with their subgroups, without shared and archived ones', async () => {
    const { model, connector, open } = await start({ projects: ['other/one', 'acme/docs'] });
    for (const path of ['acme/docs', 'acme/a/b/deep', 'acme/old', 'other/one', 'other/two', 'acme-2/x']) {
      model.addProject(path, { isArchived: path === 'acme/old' });
      model.commit(path, { 'a.md': path });
    }
    model.groups.get('acme')?.push(model.find('other/two'));
    const events = await collect(connector.list(call));
    expect(idsOf(events)).toEqual(['acme/docs:a.md', 'acme/a/b/deep:a.md', 'other/one:a.md']);
    expect(endOf(events)).toEqual(complete(true));
    expect(idsOf(await collect(open({ archived: true }).list(call)))).toContain('acme/old:a.md');
    expect(await connector.resolve(call, 'ACME/Docs:a.md')).toMatchObject({ id: 'acme/docs:a.md' });
    for (const id of ['acme/old:a.md', 'other/two:a.md', 'acme-2/x:a.md', 'acme:a.md']) {
      expect(await connector.resolve(call, id)).toBeNull();
    }
    expect(await connector.test(call)).toEqual([
      expect.objectContaining({ name: 'connection', ok: true }),
      { name: 'acme', ok: true, message: '3 projects of acme can be read.' },
      { name: 'other/one', ok: true, message: 'The repository of other/one can be read.' },
      { name: 'acme/docs', ok: true, message: 'The repository of acme/docs can be read.' },
    ]);
  });

  it('that are missing are reported, and nothing is deleted', async () => {
    const { model, connector, open } = await start({ projects: ['other/gone', 'other/moved'] });
    model.addProject('acme/docs');
    model.commit('acme/docs', { 'a.md': 'a' });
    model.addProject('elsewhere/moved');
    model.redirects.set('other/moved', 'elsewhere/moved');
    const events = await collect(connector.list(call));
    expect(idsOf(events)).toEqual(['acme/docs:a.md']);
    expect(events).toContainEqual(expect.objectContaining({ type: 'failed', id: 'other/gone' }));
    expect(events).toContainEqual(
      expect.objectContaining({
        id: 'other/moved',
        error: expect.objectContaining({ message: expect.stringContaining('elsewhere/moved') }),
      }),
    );
    expect(endOf(events)).toEqual(complete(false));
    await expect(connector.resolve(call, 'other/gone:a.md')).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(open({ groups: 'hidden' }).resolve(call, 'hidden/x:a.md')).rejects.toMatchObject({
      kind: 'forbidden',
    });
    expect(endOf(await collect(open({ groups: ['acme', 'hidden'], projects: [] }).list(call)))).toEqual(
      complete(false),
    );
  });

  it('of groups are deleted only if the token would see them', async () => {
    const { server, model, connector, open } = await start();
    const project = model.addProject('acme/secret/docs');
    model.addProject('acme/open', { visibility: 'public' });
    model.commit('acme/secret/docs', { 'a.md': 'a' });
    const id = 'acme/secret/docs:a.md';
    const members = (path: string, facts: object = {}) =>
      model.groupMembers.set(path, [{ user: 1, level: 10, ...facts }]);
    // The group is visible to everyone. The token's access to the project ended.
    project.isVisible = false;
    expect(endOf(await collect(connector.list(call)))).toEqual(complete(true));
    const isHidden = async (opened = connector) => {
      await expect(opened.resolve(call, id)).rejects.toMatchObject({ kind: 'forbidden' });
      await expect(opened.fetch(call, refOf(id))).rejects.toMatchObject({ kind: 'forbidden' });
      expect(await collect(opened.permissions!(call, [refOf(id)]))).toEqual([{ id, principals: [] }]);
    };
    await isHidden();
    const without = [{ user: 2 }, { level: 5 }, { expiresAt: '2020-01-01' }, { membershipState: 'awaiting' }];
    for (const facts of without) {
      members('acme', facts);
      await isHidden();
    }
    model.groupMembers.clear();
    // A membership of another part of the group shows nothing about this one.
    members('acme/secret/other');
    members('other');
    await isHidden();
    server.setAdministrator(true, { hasAdminMode: false });
    await isHidden();

    members('acme');
    expect(await connector.resolve(call, id)).toBeNull();
    // Members of a group are members of its subgroups.
    expect(await open({ groups: 'acme/secret' }).resolve(call, id)).toBeNull();
    // A project that the configuration names is an error of the configuration.
    await isHidden(open({ projects: 'acme/secret/docs' }));
    model.groupMembers.clear();
    server.setAdministrator(true);
    expect(await connector.resolve(call, id)).toBeNull();
  });

  it('are read except for the parts that the token must not read', async () => {
    const { model, connector } = await start();
    const project = model.addProject('acme/docs');
    model.commit('acme/docs', { 'a.md': 'a' });
    model.addIssuable('acme/docs', 'issues', 'Open');
    project.wiki.set('home', { title: 'Home', content: 'Hello', format: 'markdown' });
    project.forbidden.add('repository').add('wiki');
    const events = await collect(connector.list(call));
    expect(idsOf(events)).toEqual(['acme/docs#1']);
    expect(events.filter(({ type }) => type === 'failed')).toEqual([
      expect.objectContaining({ id: 'acme/docs/-/repository' }),
      expect.objectContaining({ id: 'acme/docs/-/wiki' }),
    ]);
    expect(endOf(events)).toEqual(complete(false));
    await expect(connector.resolve(call, 'acme/docs:a.md')).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(connector.resolve(call, 'acme/docs/-/wikis/home')).rejects.toMatchObject({ kind: 'forbidden' });
    project.forbidden.clear();
    project.levels.repository = 'disabled';
    const again = await collect(connector.list(call));
    expect(idsOf(again)).toEqual(['acme/docs#1', 'acme/docs/-/wikis/home']);
    expect(endOf(again)).toEqual(complete(true));
    expect(await connector.resolve(call, 'acme/docs:a.md')).toBeNull();
  });
});

describe('GitLab repositories', () => {
  it('are read as files, without links, submodules and files without text', async () => {
    const { server, model, connector } = await start({ include: 'repository' });
    model.addProject('acme/docs');
    const commit = model.commit('acme/docs', {
      'docs/ü b#1?.md': '# Über',
      run: { bytes: Buffer.from('echo'), mode: '100755' },
      link: { bytes: Buffer.from('docs'), mode: '120000' },
      module: { bytes: Buffer.from(''), mode: '160000' },
      'logo.PNG': 'x',
      'big.pdf': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n',
    });
    const refs = refsOf(await collect(connector.list(call)));
    expect(refs.map(({ id }) => id)).toEqual(['acme/docs:big.pdf', 'acme/docs:docs/ü b#1?.md', 'acme/docs:run']);
    expect(refs[1]).toMatchObject({
      path: 'acme/docs/docs/ü b#1?.md',
      title: 'ü b#1?.md',
      url: `${server.instanceUrl}/acme/docs/-/blob/${commit}/docs/%C3%BC%20b%231%3F.md`,
    });
    expect(await textOf(connector, refs[1]!)).toBe('# Über');
    await expect(textOf(connector, refs[0]!)).rejects.toMatchObject({ kind: 'invalid', message: /LFS/ });
    for (const path of ['link', 'module', 'logo.PNG', 'docs', 'docs/none', 'none/x', 'run/x']) {
      expect(await connector.resolve(call, `acme/docs:${path}`)).toBeNull();
    }
  });

  it('are read from the configured branch and paths, and a missing branch deletes nothing', async () => {
    const { model, connector } = await start({ branch: 'feature/x', pathFilter: 'docs', include: ['repository'] });
    model.addProject('acme/docs');
    model.addProject('acme/empty');
    model.commit('acme/docs', { 'docs/main.md': 'main' });
    model.commit('acme/docs', { 'docs/x.md': 'x', 'src/y.md': 'y' }, 'feature/x');
    const events = await collect(connector.list(call));
    expect(idsOf(events)).toEqual(['acme/docs:docs/x.md']);
    expect(endOf(events)).toEqual(complete(true));
    model.find('acme/docs').repository.branches.delete('feature/x');
    expect(endOf(await collect(connector.list(call)))).toEqual(complete(false));
    await expect(connector.resolve(call, 'acme/docs:docs/x.md')).rejects.toMatchObject({ kind: 'forbidden' });
  });

  it('are listed at one commit, and again from the start if it is lost', async () => {
    const { model, connector } = await start({ include: 'repository' });
    model.addProject('acme/docs');
    const files = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}.md`, `${n}`]));
    const first = model.commit('acme/docs', files(9));
    const events = await collect(connector.list(call));
    const at = events.find((event) => event.type === 'checkpoint')?.at;
    model.commit('acme/docs', { '0.md': null, 'new.md': 'new' });
    expect(idsOf(await collect(connector.list(call, at)))).toEqual(idsOf(events).slice(2));
    model.find('acme/docs').repository.commits.delete(first);
    expect(idsOf(await collect(connector.list(call, at)))).toContain('acme/docs:new.md');
  });

  it('limit the size of files', async () => {
    const { model, connector } = await start({ include: ['repository', 'issues', 'wiki'] }, { maxItemBytes: 100 });
    const { wiki } = model.addProject('acme/docs');
    model.commit('acme/docs', { 'a.md': 'x'.repeat(101), 'b.md': 'x'.repeat(100) });
    model.addIssuable('acme/docs', 'issues', 'Long', { description: 'x'.repeat(100) });
    wiki.set('home', { title: 'Home', content: 'x'.repeat(101), format: 'markdown' });
    const [a, b, issue, page] = refsOf(await collect(connector.list(call)));
    expect(await textOf(connector, b!)).toHaveLength(100);
    for (const ref of [a!, issue!, page!]) {
      await expect(textOf(connector, ref)).rejects.toMatchObject({ kind: 'too_large' });
    }
  });

  it('are read if numbers are texts and modes are missing', async () => {
    const { server, model, connector } = await start();
    model.addProject('acme/docs').members.push({ user: 1, level: 20 });
    model.commit('acme/docs', { 'a.md': 'a' });
    server.rewrite((answer) => ({
      ...answer,
      body: String(answer.body)
        .replace(/"(id|access_level)":(\d+)/g, '"$1":"$2"')
        .replace(/,"mode":"100644"/g, ''),
    }));
    const refs = refsOf(await collect(connector.list(call)));
    expect(refs.map(({ id }) => id)).toEqual(['acme/docs:a.md']);
    expect(await textOf(connector, refs[0]!)).toBe('a');
    const [readers] = await collect(connector.permissions!(call, refs));
    const groups = await collect(connector.groups!(call));
    expect(groups.find(({ principal }) => principal === readers!.principals[0])?.members).toEqual(['user:gitlab:1']);
  });

  it('can have any file name', async () => {
    const name = fc.stringMatching(/^[^/\0\uD800-\uDFFF]{1,20}$/).filter((text) => text !== '.' && text !== '..');
    const { model, connector } = await start({ include: 'repository' });
    model.addProject('acme/docs');
    let last: string | undefined;
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 3 }), async (segments) => {
        const path = `${segments.join('/')}.md`;
        model.commit('acme/docs', { ...(last === undefined ? {} : { [last]: null }), [path]: `in ${path}` });
        last = path;
        const refs = refsOf(await collect(connector.list(call)));
        expect(refs.map(({ id }) => id)).toEqual([`acme/docs:${path}`]);
        expect(await textOf(connector, refs[0]!)).toBe(`in ${path}`);
        expect(await connector.resolve(call, refs[0]!.id)).toEqual(refs[0]);
      }),
      { numRuns: runCount({ quick: 25, full: 200 }) },
    );
  });
});

describe('GitLab issues and merge requests', () => {
  it('are read as Markdown with their comments, without internal ones and activity', async () => {
    const { model, connector, server } = await start({ include: ['issues', 'merge_requests'] });
    model.addUser(2, 'Bob');
    model.addUser(3, 'Mallory', { state: 'banned' });
    model.addProject('acme/docs');
    const createdAt = '2026-01-31T09:30:00.000Z';
    model.addIssuable('acme/docs', 'issues', 'The *door*', {
      description: 'It is stuck.\n\n```\nunclosed',
      labels: ['type::bug'],
      assignees: [2],
      notes: [
        { body: '<!-- hidden?', author: 2, createdAt },
        { body: 'assigned to @bob', author: 1, createdAt, system: true },
        { body: 'The door code is 1234.', author: 1, createdAt, internal: true },
        { body: 'Spam.', author: 3, createdAt },
        { body: 'Oil it.', author: 1, createdAt },
      ],
    });
    model.addIssuable('acme/docs', 'merge_requests', 'Oil the door');
    const [issue, request] = refsOf(await collect(connector.list(call)));
    expect(issue).toMatchObject({
      id: 'acme/docs#1',
      title: '#1: The *door*',
      url: `${server.instanceUrl}/acme/docs/-/issues/1`,
      author: 'Ada',
    });
    expect(await textOf(connector, issue!)).toBe(
      [
        '# \\#1: The \\*door\\*\n',
        '- Type: issue',
        '- State: opened',
        '- Labels: type::bug',
        '- Author: Ada',
        '- Assignees: Bob\n',
        '## Description\n',
        '> It is stuck.',
        '> ',
        '> ```',
        '> unclosed\n',
        '## Comments\n',
        '### Bob, 2026-01-31 09:30 UTC\n',
        '> <!-- hidden?\n',
        '### Ada, 2026-01-31 09:30 UTC\n',
        '> Oil it.\n',
      ].join('\n'),
    );
    expect((await connector.fetch(call, issue!)).metadata).toEqual({
      ...{ project: 'acme/docs', type: 'issue', state: 'opened', labels: ['type::bug'], author: 'Ada' },
      assignees: ['Bob'],
    });
    expect(request).toMatchObject({ id: 'acme/docs!1', title: '!1: Oil the door' });
    expect(await textOf(connector, request!)).toContain('- Branches: topic-1 → main');
  });

  it('never show an internal comment, whatever GitLab returns about it', async () => {
    const { model, connector, server } = await start({ include: 'issues' });
    model.addProject('acme/docs');
    const createdAt = '2026-01-31T09:30:00.000Z';
    model.addIssuable('acme/docs', 'issues', 'Door', { notes: [{ body: 'secret', author: 1, createdAt }] });
    const [ref] = refsOf(await collect(connector.list(call)));
    const flags = fc.constantFrom(true, 'true', 1, {}, [], 'internal');
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('internal', 'confidential', 'system'), flags, async (field, value) => {
        server.rewrite((answer, { path }) => {
          if (!path.endsWith('/notes')) return answer;
          const notes = JSON.parse(String(answer.body)).map((note: object) => ({ ...note, [field]: value }));
          return { ...answer, body: JSON.stringify(notes) };
        });
        expect(await textOf(connector, ref!)).not.toContain('secret');
      }),
      { numRuns: 18 },
    );
    server.rewrite();
    expect(await textOf(connector, ref!)).toContain('secret');
  });

  it('with comments beyond the size limit fail after the page that exceeds it', async () => {
    const { model, connector, server } = await start({ include: 'issues' }, { maxItemBytes: 1_000 });
    model.addProject('acme/docs');
    const note = { body: 'é'.repeat(150), author: 1, createdAt: '2026-01-31T09:30:00.000Z' };
    model.addIssuable('acme/docs', 'issues', 'Long', { notes: Array.from({ length: 200 }, () => note) });
    // Internal comments and activity do not count, because they are not kept.
    const hidden = Array.from({ length: 20 }, (_, n) => ({ ...note, system: n % 2 === 0, internal: n % 2 === 1 }));
    model.addIssuable('acme/docs', 'issues', 'Short', { notes: [...hidden, { ...note, body: 'Done.' }] });
    const [long, short] = refsOf(await collect(connector.list(call)));
    const before = server.requests.length;
    await expect(textOf(connector, long!)).rejects.toMatchObject({
      kind: 'too_large',
      message: expect.stringContaining('comments of issue 1'),
    });
    const pages = server.requests.slice(before).filter(({ url }) => url.includes('/notes'));
    // Two comments of 300 bytes are on a page.
    expect(pages).toHaveLength(2);
    expect(await textOf(connector, short!)).toContain('Done.');
  });

  it('of banned people are no documents', async () => {
    const { model, connector, server } = await start({ include: ['issues', 'merge_requests'] });
    server.setAdministrator(true);
    model.addUser(3, 'Mallory', { state: 'banned' });
    model.addProject('acme/docs');
    model.addIssuable('acme/docs', 'issues', 'Spam', { author: 3 });
    model.addIssuable('acme/docs', 'merge_requests', 'Spam', { author: 3 });
    expect(idsOf(await collect(connector.list(call)))).toEqual([]);
    for (const id of ['acme/docs#1', 'acme/docs!1']) {
      expect(await connector.resolve(call, id)).toBeNull();
      await expect(textOf(connector, refOf(id))).rejects.toMatchObject({ kind: 'gone' });
    }
    expect(await collect(connector.permissions!(call, [refOf('acme/docs#1')]))).toEqual([
      { id: 'acme/docs#1', principals: [] },
    ]);
  });

  it('are each listed once while others are deleted, also if many have the same time', async () => {
    const scenario = fc.record({
      times: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 25 }),
      pageSize: fc.integer({ min: 1, max: 6 }),
      deletions: fc.array(fc.record({ request: fc.integer({ min: 2, max: 12 }), at: fc.nat(24) }), { maxLength: 4 }),
      timeZone: fc.constantFrom('Z', '+05:30', '-08:00'),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ times, pageSize, deletions, timeZone }) => {
        const { model, connector, server } = await start({ include: 'issues' }, { pageSize });
        model.addProject('acme/docs');
        const createdAt = (time: number) => `2026-01-01T00:00:00.00${time}${timeZone}`;
        for (const time of times) model.addIssuable('acme/docs', 'issues', 't', { createdAt: createdAt(time) });
        const { issues } = model.find('acme/docs');
        const deleted = new Set<number>();
        let requests = 0;
        server.before(() => {
          requests += 1;
          for (const { at } of deletions.filter(({ request }) => request === requests)) {
            const [gone] = issues.splice(at % Math.max(issues.length, 1), 1);
            if (gone !== undefined) deleted.add(gone.iid);
          }
        });
        const events = await collect(connector.list(call));
        server.before();
        const listed = idsOf(events);
        expect(new Set(listed).size).toBe(listed.length);
        const missing = issues.map(({ iid }) => `acme/docs#${iid}`).filter((id) => !listed.includes(id));
        // If a page has entries of one time only, deletions can shift the next one: missing issues are
        // confirmed one by one.
        const isExact = pageSize > 1 && new Set(times).size === times.length;
        if (isExact || deleted.size === 0) expect(missing).toEqual([]);
        for (const id of missing) expect(await connector.resolve(call, id)).not.toBeNull();
        await stopAll();
      }),
      { numRuns: runCount({ quick: 25, full: 150 }) },
    );
  });
});

describe('a GitLab wiki', () => {
  it('is read by the slugs of its pages, in their formats', async () => {
    const { model, connector, server } = await start({ include: 'wiki' });
    const { wiki } = model.addProject('acme/docs');
    wiki.set('guide/ü & first#steps?', { title: 'First steps', content: '# Begin', format: 'markdown' });
    wiki.set('notes', { title: 'Notes', content: '== Notes', format: 'asciidoc' });
    const [guide, notes] = refsOf(await collect(connector.list(call)));
    expect(guide).toMatchObject({
      id: 'acme/docs/-/wikis/guide/ü & first#steps?',
      title: 'First steps',
      mimeType: 'text/markdown',
      url: `${server.instanceUrl}/acme/docs/-/wikis/guide/%C3%BC%20%26%20first%23steps%3F`,
    });
    expect(await textOf(connector, guide!)).toBe('# Begin');
    expect(await connector.resolve(call, guide!.id)).toEqual(guide);
    expect((await connector.fetch(call, notes!)).fileName).toBe('notes.asciidoc');
  });
});

describe('changes on GitLab', () => {
  it('are files between two commits, also after a force push, and updated issues', async () => {
    const { model, connector } = await start();
    const { repository, issues } = model.addProject('acme/docs');
    const first = model.commit('acme/docs', { 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' });
    model.addIssuable('acme/docs', 'issues', 'Old', { updatedAt: '2020-01-01T00:00:00.000Z' });
    model.addIssuable('acme/docs', 'issues', 'Later', { updatedAt: '2020-01-01T00:00:00.000Z' });
    const cursor = await connector.cursor!(call);
    expect(idsOf(await collect(connector.changes!(call, cursor)))).toEqual([]);
    repository.branches.delete('main');
    model.commit('acme/docs', { 'a.md': 'a', 'b.md': 'changed', 'd.md': 'd' });
    issues[1]!.updatedAt = new Date().toISOString();
    model.addProject('acme/new');
    model.commit('acme/new', { 'n.md': 'n' });
    const events = await collect(connector.changes!(call, cursor));
    expect(idsOf(events)).toEqual(['acme/docs:b.md', 'acme/docs:d.md', 'acme/docs#2', 'acme/new:n.md']);
    expect(events.filter(({ type }) => type === 'gone')).toEqual([{ type: 'gone', id: 'acme/docs:c.md' }]);
    repository.commits.delete(first);
    await expect(collect(connector.changes!(call, cursor))).rejects.toMatchObject({ kind: 'gone' });
  });

  it('include the updates that an earlier job could not read', async () => {
    const { model, connector } = await start();
    const project = model.addProject('acme/docs');
    model.commit('acme/docs', { 'a.md': 'a' });
    const old = '2020-01-01T00:00:00.000Z';
    const issue = model.addIssuable('acme/docs', 'issues', 'Door', { updatedAt: old });
    const request = model.addIssuable('acme/docs', 'merge_requests', 'Door', { updatedAt: old });
    const [since, updatedAt] = ['2026-02-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z'];
    const commit = project.repository.branches.get('main');
    const earlier = JSON.stringify({ [project.id]: { commit, since } });
    const checkpoint = (events: readonly { type: string }[]) =>
      (events.findLast(({ type }) => type === 'checkpoint') as unknown as { at: string }).at;
    for (const part of ['issues', 'merge_requests'] as const) {
      project.forbidden.add(part);
      const changed = part === 'issues' ? issue : request;
      Object.assign(changed, { isConfidential: true, updatedAt });
      const second = model.commit('acme/docs', { [`${part}.md`]: part });
      const missed = await collect(connector.changes!(call, earlier));
      expect(missed).toContainEqual(expect.objectContaining({ type: 'failed', id: `acme/docs/-/${part}` }));
      // Files are not read again.
      expect(JSON.parse(checkpoint(missed))).toEqual({ [project.id]: { commit: second, since } });
      project.forbidden.clear();
      const events = await collect(connector.changes!(call, checkpoint(missed)));
      expect(idsOf(events)).toContain(part === 'issues' ? 'acme/docs#1' : 'acme/docs!1');
      expect(idsOf(events)).not.toContain(`acme/docs:${part}.md`);
      const { [project.id]: cursor } = JSON.parse(checkpoint(events)) as Record<string, { since: string }>;
      expect(Date.parse(cursor!.since)).toBeGreaterThan(Date.parse(updatedAt));
      Object.assign(changed, { updatedAt: old });
    }
    // Each job lists the whole wiki, so it misses nothing.
    project.forbidden.add('wiki');
    const { [project.id]: cursor } = JSON.parse(checkpoint(await collect(connector.changes!(call, earlier))));
    expect(Date.parse(cursor.since)).toBeGreaterThan(Date.parse(updatedAt));
  });

  it('need a full sync if a project or its branch disappears', async () => {
    const { model, connector } = await start();
    const project = model.addProject('acme/docs');
    model.commit('acme/docs', { 'a.md': 'a' });
    const cursor = await connector.cursor!(call);
    project.isVisible = false;
    await expect(collect(connector.changes!(call, cursor))).rejects.toMatchObject({ kind: 'gone' });
    project.isVisible = true;
    project.repository.branches.delete('main');
    await expect(collect(connector.changes!(call, cursor))).rejects.toMatchObject({ kind: 'gone' });
  });
});

describe('readers on GitLab', () => {
  /** The roles and people of a project, by user id. */
  const LEVELS = [0, 5, 10, 15, 20, 25, 30, 40, 50] as const;

  it('never include anyone who cannot read an item, and include every active member who can', async () => {
    const level = fc.constantFrom('disabled', 'private', 'enabled' as const);
    const user = fc.record({
      level: fc.option(fc.constantFrom(...LEVELS), { nil: undefined }),
      state: fc.constantFrom('active', 'active', 'active', 'blocked' as const),
      isExternal: fc.boolean(),
      expiresAt: fc.constantFrom(null, null, '2020-01-01', '2999-01-01'),
      membershipState: fc.constantFrom('active', 'active', 'awaiting' as const),
      isAuthor: fc.boolean(),
      isAssignee: fc.boolean(),
    });
    const scenario = fc.record({
      visibility: fc.constantFrom('public', 'internal', 'private' as const),
      levels: fc.record({ repository: level, issues: level, merge_requests: level, wiki: level }),
      isConfidential: fc.boolean(),
      isAdministrator: fc.boolean(),
      users: fc.array(user, { minLength: 1, maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ visibility, levels, isConfidential, isAdministrator, users }) => {
        const { model, connector, server } = await start();
        server.setAdministrator(isAdministrator);
        const project = model.addProject('acme/docs', { visibility });
        Object.assign(project.levels, levels);
        const people = users.map((each, at) => ({ ...each, id: at + 10, email: `user${at + 10}@example.com` }));
        for (const { id, email, state, isExternal, level: role, expiresAt, membershipState } of people) {
          model.addUser(id, `User${id}`, { state, isExternal, publicEmail: email, email });
          if (role !== undefined) project.members.push({ user: id, level: role, expiresAt, membershipState });
        }
        const author = people.find(({ isAuthor }) => isAuthor)?.id ?? 1;
        const assignees = people.filter(({ isAssignee }) => isAssignee).map(({ id }) => id);
        model.addIssuable('acme/docs', 'issues', 'Door', { isConfidential, author, assignees });
        const ids = { repository: ':a.md', issues: '#1', merge_requests: '!1', wiki: '/-/wikis/home' };
        const refs = Object.values(ids).map((id) => refOf(`acme/docs${id}`));
        const readers = new Map(
          (await collect(connector.permissions!(call, refs))).map(({ id, principals }) => [id, principals]),
        );
        const groups = new Map(
          (await collect(connector.groups!(call))).map(({ principal, members }) => [principal, members]),
        );

        for (const part of ['repository', 'issues', 'merge_requests', 'wiki'] as const) {
          const principals = readers.get(`acme/docs${ids[part]}`) ?? [];
          const named = new Set(principals.flatMap((principal) => groups.get(principal) ?? [principal]));
          const needed = part === 'merge_requests' ? ([levels[part], levels.repository] as const) : [levels[part]];
          const isOff = needed.some((each) => each === 'disabled');
          const isClosed = needed.some((each) => each === 'private');
          const isOpen = visibility === 'public' && !isOff && !isClosed;
          const isSecret = part === 'issues' && isConfidential;
          expect(named.has('public')).toBe(isOpen && !isSecret);
          for (const person of people) {
            const isLive =
              person.state === 'active' && person.membershipState === 'active' && person.expiresAt !== '2020-01-01';
            const role = isLive ? (person.level ?? 0) : 0;
            const isInternal =
              visibility === 'internal' && !isClosed && !person.isExternal && person.state === 'active';
            const minimum = part === 'repository' || part === 'merge_requests' ? 20 : 10;
            const canSee = !isOff && (role >= minimum || isInternal || isOpen);
            const takesPart = assignees.includes(person.id) || author === person.id;
            const canRead = isSecret ? canSee && person.state === 'active' && (role >= 15 || takesPart) : canSee;
            const isNamed = named.has('public') || named.has(`user:${person.email}`);
            if (isNamed) expect(canRead).toBe(true);
            const throughInternal = isInternal && role < minimum;
            if (canRead && (!throughInternal || (isAdministrator && !isSecret))) expect(isNamed).toBe(true);
          }
        }
        await stopAll();
      }),
      { numRuns: runCount({ quick: 60, full: 400 }) },
    );
  });

  it('are named by verified emails only', async () => {
    const { model, connector, server, open, site } = await start();
    const project = model.addProject('acme/docs');
    model.addUser(2, 'Bob', { publicEmail: 'Bob@Public.example' });
    model.addUser(3, 'Cyd', { isConfirmed: false });
    model.addUser(4, 'Dan', { isConfirmed: false, publicEmail: 'dan@public.example' });
    for (const user of [1, 2, 3, 4]) project.members.push({ user, level: 10 });
    const guests = async (opened = connector) => {
      const groups = await collect(opened.groups!(call));
      return (
        groups.find(({ principal }) => principal === `group:gitlab:${site.replace('/', '%2F')}/100-guest`)?.members ??
        groups.find(({ principal }) => principal.endsWith('/100-guest'))?.members
      );
    };
    expect((await guests())?.toSorted()).toEqual([
      'user:bob@public.example',
      'user:dan@public.example',
      'user:gitlab:1',
      'user:gitlab:3',
    ]);
    // The owner of a group sees the emails of its enterprise users.
    project.members[0]!.showsEmail = true;
    expect(await guests()).toContain('user:ada@example.com');
    project.members[0]!.showsEmail = false;
    server.setAdministrator(true);
    expect((await guests(open()))?.toSorted()).toEqual([
      'user:ada@example.com',
      'user:bob@example.com',
      'user:dan@public.example',
      'user:gitlab:3',
    ]);
  });

  it('are groups with the site in their names, and are empty without the members', async () => {
    const { model, connector, site } = await start();
    const project = model.addProject('acme/docs', { visibility: 'internal' });
    project.members.push({ user: 1, level: 20 });
    const refs = ['acme/docs:a.md', 'acme/docs/-/wikis/home', 'acme/docs#1', 'other/x:a.md', 'acme/none:a.md'].map(
      (id) => refOf(id),
    );
    model.addIssuable('acme/docs', 'issues', 'Door', { isConfidential: true });
    expect(await collect(connector.permissions!(call, refs))).toEqual([
      { id: 'acme/docs:a.md', principals: [`group:gitlab:${site}/internal`, `group:gitlab:${site}/100-reporter`] },
      { id: 'acme/docs/-/wikis/home', principals: [`group:gitlab:${site}/internal`, `group:gitlab:${site}/100-guest`] },
      { id: 'acme/docs#1', principals: [`group:gitlab:${site}/100-planner`, 'user:gitlab:1'] },
      { id: 'other/x:a.md', principals: [] },
      { id: 'acme/none:a.md', principals: [] },
    ]);
    project.forbidden.add('members');
    expect(await collect(connector.groups!(call))).toEqual([
      ...['guest', 'planner', 'reporter'].map((role) => ({
        principal: `group:gitlab:${site}/100-${role}`,
        members: [],
      })),
      { principal: `group:gitlab:${site}/internal`, members: [] },
    ]);
  });

  it('of a new project never get the text of an earlier one with the same path', async () => {
    const { model, connector } = await start();
    const project = model.addProject('acme/docs');
    const text = { 'a.md': 'secret', 'b.md': 'secret' };
    model.commit('acme/docs', text);
    model.addIssuable('acme/docs', 'issues', 'Secret');
    model.addIssuable('acme/docs', 'merge_requests', 'Secret');
    const home = { title: 'Home', content: 'secret', format: 'markdown' };
    project.wiki.set('home', home);
    const before = refsOf(await collect(connector.list(call)));
    expect(before).toHaveLength(5);
    project.path = 'acme/docs-old';
    // The same names, numbers and contents, so only the project differs.
    const created = model.addProject('acme/docs', { visibility: 'public' });
    model.commit('acme/docs', text);
    created.issues.push(...project.issues);
    created.merge_requests.push(...project.merge_requests);
    created.wiki.set('home', home);
    const none = before.map(({ id }) => ({ id, principals: [] }));
    expect(await collect(connector.permissions!(call, before))).toEqual(none);
    for (const ref of before) {
      await expect(connector.fetch(call, ref)).rejects.toMatchObject({ kind: 'gone' });
      expect((await connector.resolve(call, ref.id))?.version).not.toBe(ref.version);
    }
    const listed = refsOf(await collect(connector.list(call)));
    const after = before.map(({ id }) => listed.find((ref) => ref.id === id)!);
    expect(await collect(connector.permissions!(call, after))).toEqual(
      after.map(({ id }) => ({ id, principals: ['public'] })),
    );
    for (const ref of after) expect((await connector.fetch(call, ref)).version).toBe(ref.version);
    const [unversioned] = after.map(({ version: _, ...ref }) => ref);
    expect(await collect(connector.permissions!(call, [unversioned!]))).toEqual([
      { id: unversioned!.id, principals: [] },
    ]);
  });

  it('are unknown if a level or a visibility is, and members if GitLab returns no level', async () => {
    const { model, connector, server } = await start();
    const members = [expect.stringMatching(/^group:gitlab:.*-guest$/)];
    model.addProject('acme/docs', { visibility: 'public' });
    model.addIssuable('acme/docs', 'issues', 'Door');
    const unknown = fc.constantFrom(null, undefined, 'enabled ', 'PUBLIC', 7, {}, 'zzz');
    const field = fc.constantFrom('visibility', 'issues_access_level');
    await fc.assert(
      fc.asyncProperty(field, unknown, async (name, value) => {
        server.rewrite((answer, { path }) => {
          if (!path.endsWith('/projects/acme/docs')) return answer;
          return { ...answer, body: JSON.stringify({ ...JSON.parse(String(answer.body)), [name]: value }) };
        });
        const hasNoLevel = name === 'issues_access_level' && (value === undefined || value === null);
        expect(await collect(connector.permissions!(call, [refOf('acme/docs#1')]))).toEqual([
          { id: 'acme/docs#1', principals: hasNoLevel ? members : [] },
        ]);
      }),
      { numRuns: 14 },
    );
    // An issue of which it is unknown whether it is confidential counts as confidential.
    server.rewrite((answer, { path }) => {
      if (!path.endsWith('/issues')) return answer;
      const issues = JSON.parse(String(answer.body)).map((issue: object) => ({ ...issue, confidential: null }));
      return { ...answer, body: JSON.stringify(issues) };
    });
    const [found] = await collect(connector.permissions!(call, [refOf('acme/docs#1')]));
    expect(found?.principals).not.toContain('public');
  });
});

describe('requests to GitLab', () => {
  it('wait until the limit is reset, and name a missing scope', async () => {
    const { model, connector, server } = await start();
    model.addProject('acme/docs');
    const reset = Math.floor(Date.now() / 1_000) + 120;
    server.rewrite((answer) => ({
      ...answer,
      status: 429,
      headers: { 'ratelimit-reset': `${reset}` },
      body: 'Retry later',
    }));
    const { error } = await collectUntilError(connector.list(call));
    expect(error).toMatchObject({ kind: 'rate' });
    expect(Math.abs((error as { retryAt: Date }).retryAt.getTime() - reset * 1_000)).toBeLessThan(2_000);
    server.rewrite();
    server.setScopes(['read_repository']);
    expect((await connector.test(call)).at(-1)).toMatchObject({
      ok: false,
      message: expect.stringContaining('read_api'),
    });
  });

  it('stop if pages lead back to earlier ones, and delete nothing', async () => {
    const { model, connector, server } = await start({ include: ['repository', 'issues'] });
    model.addProject('acme/docs');
    model.addIssuable('acme/docs', 'issues', 'Door');
    model.commit('acme/docs', { 'a.md': 'a', 'b.md': 'b', 'c.md': 'c', 'd.md': 'd', 'e.md': 'e' });
    let first = '';
    server.rewrite((answer, { path, query }) => {
      if (!path.endsWith('/tree')) return answer;
      const link = answer.headers?.link ?? '';
      if (!query.has('page_token')) first = link;
      return { ...answer, headers: { link: first } };
    });
    const events = await collect(connector.list(call));
    expect(idsOf(events)).toContain('acme/docs#1');
    expect(events).toContainEqual(expect.objectContaining({ type: 'failed', id: 'acme/docs/-/repository' }));
    expect(endOf(events)).toEqual(complete(false));
  });

  it('reach only the configured server with the token', async () => {
    const { model, connector, server } = await start();
    model.addProject('acme/docs');
    model.commit('acme/docs', { 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' });
    // The emulator names itself `gitlab.internal` in links to pages.
    expect(idsOf(await collect(connector.list(call)))).toHaveLength(3);
    expect(server.requests.every(({ headers }) => headers.authorization?.startsWith('Bearer glpat-'))).toBe(true);
    expect(server.requests.every(({ url }) => !url.includes('glpat-'))).toBe(true);
  });
});

describe('settings of GitLab', () => {
  const issues = (config: unknown) => {
    try {
      gitlabType.checkConfig(config);
    } catch (error) {
      return (error as { details: { issues: { path: string; message: string }[] } }).details.issues;
    }
    return [];
  };

  it('report invalid fields by name', () => {
    expect(issues({})).toEqual([
      { path: 'config.projects', message: 'must name a project, or groups must name a group' },
    ]);
    const wrong = {
      ...{ instanceUrl: 'https://user@x', projects: ['acme', 'acme/..', 'a b/c'], groups: ['../x'], branch: '' },
      ...{ include: ['code'], archived: 'yes', x: 1 },
    };
    expect(issues(wrong).map(({ path }) => path)).toEqual([
      'config.instanceUrl',
      'config.projects[0]',
      'config.projects[1]',
      'config.projects[2]',
      'config.groups[0]',
      'config.branch',
      'config.include',
      'config.archived',
      'config.x',
    ]);
  });

  it('accept addresses of pages, and one value instead of a list', () => {
    const projects = ['https://gitlab.com/Acme/Docs.git', 'acme/docs', 'acme/a/b/'];
    expect(gitlabType.checkConfig({ projects, groups: 'https://gitlab.com/acme', include: 'wiki' })).toEqual({
      ...{ projects: ['acme/docs', 'acme/a/b'], groups: ['acme'], include: ['wiki'] },
    });
  });
});
