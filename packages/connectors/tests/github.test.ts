import { afterEach, describe, expect, it } from '@jest/globals';
import { type GithubServer, startGithubServer } from '@lectern/testing';
import { githubType } from '#github/github-type';
import { publicAddresses } from '#host';
import { openType } from './support/open-type.ts';
import { call, collect, idsOf, refsOf, textOf } from './support/read-source.ts';
import { createTestHost, type TestHost } from './support/test-host.ts';

const running: { server: GithubServer; host: TestHost }[] = [];
afterEach(async () => {
  for (const { server, host } of running.splice(0)) {
    await server.stop();
    await host.close();
  }
});

async function start(config: Record<string, unknown> = {}) {
  const server = await startGithubServer();
  const host = createTestHost({ addresses: { ...publicAddresses, github: server.apiUrl } });
  running.push({ server, host });
  const connector = openType(githubType, { repos: 'acme/docs', ...config }, { token: server.token }, host);
  return { server, connector, repository: server.repository('acme/docs') };
}

const numbered = (count: number, folder = 'f') =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${folder}/${String(n).padStart(4, '0')}.md`, `n ${n}`]));

describe('GitHub', () => {
  it('reads files, but not links, submodules or files without text', async () => {
    const { server, connector } = await start();
    const commit = server.commit('acme/docs', {
      'docs/ü b.md': '# Über',
      run: { bytes: Buffer.from('echo'), mode: '100755' },
      link: { bytes: Buffer.from('docs'), mode: '120000' },
      module: { bytes: Buffer.from(''), mode: '160000' },
      'logo.PNG': 'x',
    });
    const refs = refsOf(await collect(connector.list(call)));
    expect(refs.map(({ id }) => id)).toEqual(['acme/docs:docs/ü b.md', 'acme/docs:run']);
    expect(refs[0]).toMatchObject({
      path: 'acme/docs/docs/ü b.md',
      title: 'ü b.md',
      url: `${server.origin}/acme/docs/blob/${commit}/docs/%C3%BC%20b.md`,
      sizeBytes: 7,
    });
    expect(await textOf(connector, refs[0]!)).toBe('# Über');
    for (const path of ['link', 'module', 'logo.PNG', 'docs', 'docs/none', 'run/x']) {
      expect(await connector.resolve(call, `acme/docs:${path}`)).toBeNull();
    }
    expect(await connector.resolve(call, 'ACME/Docs:run')).toMatchObject({ id: 'acme/docs:run' });
    expect(await connector.resolve(call, 'acme/other:run')).toBeNull();
  });

  it('walks a truncated tree, and deletes nothing if a folder itself is truncated', async () => {
    const { server, connector } = await start();
    server.commit('acme/docs', { ...numbered(30, 'a/b'), ...numbered(30, 'c'), 'top.md': 'top' });
    server.setTreeLimit(40);
    const events = await collect(connector.list(call));
    expect(idsOf(events)).toHaveLength(61);
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: true });
    server.setTreeLimit(20);
    expect((await collect(connector.list(call))).at(-1)).toEqual({ type: 'complete', authoritative: false });
  });

  it('stays at the commit of a listing, and starts again if it is missing', async () => {
    const { server, connector } = await start();
    const first = server.commit('acme/docs', numbered(1_200));
    const events = await collect(connector.list(call));
    const at = events.find((event) => event.type === 'checkpoint')?.at;
    server.commit('acme/docs', { 'f/0000.md': null, 'f/0001.md': 'other', 'new.md': 'new' });
    const rest = await collect(connector.list(call, at));
    expect(idsOf(rest)).toEqual(idsOf(events).slice(500));
    server.forgetCommit('acme/docs', first);
    const restarted = idsOf(await collect(connector.list(call, at)));
    expect(restarted).toHaveLength(1_200);
    expect(restarted).toContain('acme/docs:new.md');
  });

  it('reads the other repositories if one is inaccessible, and deletes nothing', async () => {
    const { server, connector } = await start({
      repos: ['acme/none', 'https://github.com/acme/docs.git', 'acme/empty'],
    });
    server.repository('acme/empty');
    server.commit('acme/docs', { 'a.md': 'a' });
    const events = await collect(connector.list(call));
    expect(idsOf(events)).toEqual(['acme/docs:a.md']);
    expect(events).toContainEqual(expect.objectContaining({ type: 'failed', id: 'acme/none' }));
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: false });
    expect(await connector.test(call)).toMatchObject([{ name: 'acme/none', ok: false }]);
    await expect(connector.resolve(call, 'acme/none:a.md')).rejects.toMatchObject({ kind: 'forbidden' });
  });

  it('reads the configured branch or tag, and applies the filter', async () => {
    const { server, connector } = await start({ branch: 'feature/x', pathFilter: 'docs' });
    server.commit('acme/docs', { 'docs/main.md': 'main' });
    server.commit('acme/docs', { 'docs/x.md': 'x', 'src/y.md': 'y' }, 'feature/x');
    expect(idsOf(await collect(connector.list(call)))).toEqual(['acme/docs:docs/x.md']);
    expect((await connector.test(call)).at(-1)).toMatchObject({
      ok: true,
      message: expect.stringContaining('feature/x'),
    });
  });

  it('reports a file stored in Git LFS', async () => {
    const { server, connector } = await start();
    server.commit('acme/docs', { 'big.pdf': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n' });
    const [ref] = refsOf(await collect(connector.list(call)));
    await expect(textOf(connector, ref!)).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringMatching(/LFS/),
    });
  });

  it('derives changes from two trees, and reports a missing commit', async () => {
    const { server, connector } = await start();
    const first = server.commit('acme/docs', numbered(400));
    const cursor = await connector.cursor!(call);
    expect(await collect(connector.changes!(call, cursor))).toEqual([
      { type: 'checkpoint', at: cursor },
      { type: 'complete', authoritative: false },
    ]);
    server.commit('acme/docs', {
      ...Object.fromEntries(Object.keys(numbered(350)).map((path) => [path, null])),
      'f/0390.md': 'x',
    });
    const events = await collect(connector.changes!(call, cursor));
    expect(events.filter(({ type }) => type === 'gone')).toHaveLength(350);
    expect(idsOf(events)).toEqual(['acme/docs:f/0390.md']);
    server.forgetCommit('acme/docs', first);
    await expect(collect(connector.changes!(call, cursor))).rejects.toMatchObject({ kind: 'gone' });
  });

  it('grants access to everyone, or to the collaborators by email or id', async () => {
    const { server, connector, repository } = await start({ repos: ['acme/docs', 'acme/open', 'acme/inner'] });
    // The principal names the host of a self-hosted GitHub before the owner.
    const group = (name: string) => `group:github:${new URL(server.apiUrl).host}/acme/${name}`;
    server.commit('acme/docs', { 'a.md': 'a' });
    repository.collaborators.push(
      { id: 1, login: 'ada', email: 'Ada@Example.com' },
      { id: 2, login: 'bob', email: null },
      { id: 3, login: 'cyd', email: 'cyd@example.com' },
    );
    server.repository('acme/open').visibility = 'public';
    const inner = server.repository('acme/inner');
    inner.visibility = 'internal';
    server.organizations.set('acme', [{ id: 9, login: 'eve', email: 'eve@example.com' }]);
    const refs = ['acme/docs:a.md', 'acme/open:b.md', 'acme/inner:c.md', 'acme/none:d.md'].map((id) => ({
      id,
      path: id,
      title: id,
    }));
    expect(await collect(connector.permissions!(call, refs))).toEqual([
      { id: 'acme/docs:a.md', principals: [group('docs')] },
      { id: 'acme/open:b.md', principals: ['public'] },
      { id: 'acme/inner:c.md', principals: [group('inner')] },
      { id: 'acme/none:d.md', principals: [] },
    ]);
    expect(await collect(connector.groups!(call))).toEqual([
      {
        principal: group('docs'),
        members: ['user:ada@example.com', 'user:github:2', 'user:cyd@example.com'],
      },
      { principal: group('inner'), members: ['user:eve@example.com'] },
    ]);
    repository.showsCollaborators = false;
    expect((await collect(connector.groups!(call)))[0]).toEqual({ principal: group('docs'), members: [] });
  });

  it('reports invalid settings', () => {
    const issues = (config: unknown) => {
      try {
        githubType.checkConfig(config);
      } catch (error) {
        return (error as { details: { issues: { path: string }[] } }).details.issues.map(({ path }) => path);
      }
      return [];
    };
    expect(issues({})).toEqual(['config.repos']);
    expect(issues({ repos: ['acme/docs', 'acme', 'a/..', 'a/b/c'], branch: '', x: 1 }).sort()).toEqual([
      'config.branch',
      'config.repos[1]',
      'config.repos[2]',
      'config.repos[3]',
      'config.x',
    ]);
    expect(githubType.checkConfig({ repos: ['Acme/Docs', 'acme/docs'], pathFilter: 'docs' })).toEqual({
      repos: ['acme/docs'],
      pathFilter: ['docs'],
    });
  });
});
