import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { timeLimit } from '@lectern/testing';
import { findPython, missingPython, runPython } from '@lectern/testing/python';
import { itIf } from '@lectern/testing/skip';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type Installation, installPackages, manifestOf, processesIn, type Started, TARBALLS } from './install.ts';
import { PUBLISHED } from './published.ts';

const require = createRequire(import.meta.url);
const VERSION: string = require('../../packages/lectern/package.json').version;
/** The manifest of the repository, whose address all packages have. */
const ROOT = require('../../package.json');
const TSC = join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), 'bin/tsc');
const INSTALL_MS = 1_000_000;

const TYPED_PROGRAM = `
import { Lectern, LecternError, type Schemas } from '@lectern/sdk';
import { defineLecternSearch, type LecternSelectDetail } from '@lectern/widget';
import { createQdrantLocal, type QdrantLocal } from '@lectern/qdrant-local';

export async function program(lectern: Lectern): Promise<readonly Schemas['SearchResult'][]> {
  for await (const { name } of lectern.collections.list()) name.toUpperCase();
  for await (const { event, data } of lectern.chat.stream({ message: 'Hi' })) {
    if (event === 'content_delta') data.delta.toUpperCase();
  }
  // @ts-expect-error an unknown field
  await lectern.search.documents({ query: 'leave', color: 'red' });
  const error: unknown = new Error();
  if (error instanceof LecternError) error.code satisfies string;
  const { results } = await lectern.search.documents({ query: 'leave' });
  return results;
}
defineLecternSearch('https://lectern.example.com');
export const onSelect = ({ detail }: CustomEvent<LecternSelectDetail>): string => detail.documentId;
export const start = (): Promise<QdrantLocal> => createQdrantLocal({ dataDir: 'data', port: 0 });
`;

describe.each(PUBLISHED)('the package %s', (name) => {
  it('has a complete manifest, with the address of the repository', async () => {
    const { url } = ROOT.repository;
    const manifest = await manifestOf(name, VERSION);
    expect(manifest).toMatchObject({
      version: VERSION,
      description: expect.stringMatching(/\w/),
      license: 'Apache-2.0',
      author: ROOT.author,
      engines: { node: expect.stringMatching(/^>=/) },
      homepage: expect.stringMatching(/^https:.*#readme$/),
      repository: { type: 'git', url, directory: `packages/${name}` },
      bugs: ROOT.bugs,
      files: expect.arrayContaining(['LICENSE', 'README.md']),
    });
    expect(`git+${manifest.homepage}`.startsWith(url.replace(/\.git$/, ''))).toBe(true);
  });
});

describe('the Python package', () => {
  const python = findPython('hatchling, httpx');
  itIf(python !== undefined, missingPython('hatchling'))(
    'can be imported, with types and the version of all packages',
    async () => {
      const modules = join(TARBALLS, `lectern_sdk-${VERSION}-py3-none-any.whl`);
      const program = `import importlib.metadata, importlib.resources, lectern_sdk
print(importlib.metadata.version("lectern-sdk"), lectern_sdk.__version__, "lectern_sdk-" in lectern_sdk.__file__)
print(importlib.resources.files("lectern_sdk").joinpath("py.typed").is_file())`;
      const printed = await runPython(String(python), ['-c', program], { modules });
      expect(printed).toBe(`${VERSION} ${VERSION} True\nTrue\n`);
    },
  );
});

describe('the packages without dependencies', () => {
  let installed: Installation;
  beforeAll(async () => {
    const names = ['sdk', 'cli', 'widget', 'mcp', 'qdrant-local'] as const;
    installed = await installPackages(names, VERSION, { isOffline: true });
    await writeFile(join(installed.path, 'program.ts'), TYPED_PROGRAM);
  }, INSTALL_MS);
  afterAll(() => installed?.remove());

  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('have types that compile strictly with module %s and moduleResolution %s', async (module, moduleResolution) => {
    const lib = ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'];
    const compilerOptions = {
      strict: true,
      skipLibCheck: false,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      types: [],
      target: 'es2022',
      lib,
      module,
      moduleResolution,
    };
    await writeFile(join(installed.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    const compiled = installed.run('node', [TSC, '-p', '.']).catch(({ stdout }) => stdout);
    expect(await compiled).toBe('');
  });

  it('start qdrant-local', async () => {
    const args = ['--data', 'qdrant', '--port', '0'];
    const server = await installed.start('qdrant-local', args, /ready at (http:\S+)/);
    const created = await fetch(`${server.value}/collections/test`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ vectors: { size: 2, distance: 'Cosine' } }),
    });
    expect(created.status).toBe(200);
    await server.stop();
  });

  it('provide the script of the widget', async () => {
    const script = await readFile(join(installed.path, 'node_modules/@lectern/widget/widget.js'), 'utf8');
    expect(script).toContain('lectern-search');
    const questions = await readFile(join(installed.path, 'node_modules/@lectern/widget/widget-ask.js'), 'utf8');
    expect(questions).toContain('createAskBox');
  });

  it('print the help of the CLI', async () => {
    expect(await installed.run('lectern', ['--help'])).toContain('Usage: lectern [options] [command]');
  });
});

describe('lectern start', () => {
  let clients: Installation;
  let installed: Installation;
  let server: Started;
  let startMs: number;
  let env: Record<string, string>;
  beforeAll(async () => {
    installed = await installPackages(['lectern'], VERSION, { isOffline: false });
    clients = await installPackages(['sdk', 'cli', 'mcp'], VERSION, { isOffline: true });
    const startedAt = performance.now();
    server = await installed.start('lectern', ['start'], /ready at (http:\S+)[\s\S]*Press Ctrl-C/, { PORT: '0' });
    startMs = performance.now() - startedAt;
    const credentials = JSON.parse(await readFile(join(installed.path, '.lectern/credentials.json'), 'utf8'));
    env = { LECTERN_URL: credentials.baseUrl, LECTERN_KEY: credentials.secretKey };
  }, INSTALL_MS);
  afterAll(async () => {
    await server?.stop();
    await Promise.all([installed?.remove(), clients?.remove()]);
  });

  it('is ready within 60 s in an empty folder', () => {
    expect(startMs).toBeLessThan(timeLimit(60_000));
  });

  it('prints the address, the keys of the first start and where they are stored', async () => {
    const { secretKey, publishableKey } = JSON.parse(
      await readFile(join(installed.path, '.lectern/credentials.json'), 'utf8'),
    );
    for (const line of ['/console', secretKey, publishableKey, join(installed.path, '.lectern/credentials.json')])
      expect(server.output()).toContain(line);
  });

  it('logs in, uploads a file and finds it with its own client', async () => {
    await installed.run('lectern', ['login', '--credentials', '.lectern/credentials.json']);
    await mkdir(join(installed.path, 'handbook'));
    await writeFile(join(installed.path, 'handbook/leave.md'), '# Leave\n\nThirty days of paid leave a year.\n');
    const uploaded = JSON.parse(await installed.run('lectern', ['upload', 'handbook', '--json']));
    expect(uploaded.jobs).toMatchObject([{ status: 'completed', progress: { indexed: 1, failed: 0 } }]);
    const found = JSON.parse(await installed.run('lectern', ['search', 'paid leave', '--json']));
    expect(found.results[0].title).toBe('Leave');
  });

  it.each(['start', 'keys', 'backup', 'restore', 'reindex', 'models'])(
    'names the program in the usage of %s',
    async (command) => {
      const usage = await installed.run('lectern', [command, '--help']);
      expect(usage).toContain(`Usage: npx lectern ${command}`);
      expect(usage).not.toContain('npm ');
    },
  );

  it('manages keys, indexes again and creates a backup while it runs', async () => {
    expect(JSON.parse(await installed.run('lectern', ['keys', 'list', '--json']))).toHaveLength(1);
    expect(await installed.run('lectern', ['reindex'])).toContain('Every document is indexed');
    expect(await installed.run('lectern', ['backup', '--to', 'backup.tgz'])).toContain('backup.tgz');
  });

  it.each(['/console/', '/widget.js', '/widget-ask.js', '/openapi.json'])('serves %s', async (path) => {
    expect((await fetch(new URL(path, server.value))).status).toBe(200);
  });

  it('works with the CLI package', async () => {
    expect(JSON.parse(await clients.run('lectern', ['status', '--json'], env)).collections).toHaveLength(1);
  });

  it('works with the SDK package', async () => {
    const program = `import { Lectern } from '@lectern/sdk';
      const lectern = new Lectern({ baseUrl: process.env.LECTERN_URL, key: process.env.LECTERN_KEY });
      let text = '';
      for await (const { event, data } of lectern.chat.stream({ message: 'How many days of paid leave?' }))
        if (event === 'content_delta') text += data.delta;
      console.log(text);`;
    expect(await clients.run('node', ['--input-type=module', '-e', program], env)).toContain('Thirty days');
  });

  it('works with the MCP bridge', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const command = join(clients.path, 'node_modules/.bin/lectern-mcp');
    await client.connect(new StdioClientTransport({ command, env: { ...env, PATH: process.env.PATH ?? '' } }));
    const found = await client.callTool({ name: 'search', arguments: { query: 'paid leave' } });
    expect(found.structuredContent).toMatchObject({ results: [{ title: 'Leave' }] });
    await client.close();
  });

  it('stops with Ctrl-C and leaves no process', async () => {
    expect(await processesIn(installed.path)).not.toEqual([]);
    expect(await server.stop('SIGINT')).toBe(0);
    expect(await processesIn(installed.path)).toEqual([]);
  });

  it('restores the backup into a new data folder, and starts with it', async () => {
    const home = { LECTERN_HOME: join(installed.path, 'restored'), PORT: '0' };
    const restored = await installed.run('lectern', ['restore', '--from', 'backup.tgz'], home);
    expect(restored).toContain('npx lectern start');
    expect(await readdir(join(installed.path, '.lectern/cache/bundles'))).toContain('stamp.json');
    // With traces, the services start from their sources. Nothing receives these.
    const traced = { ...home, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
    server = await installed.start('lectern', ['start'], /ready at (http:\S+)[\s\S]*Press Ctrl-C/, traced);
    expect(await readdir(home.LECTERN_HOME)).toContain('credentials.json');
    const response = await fetch(new URL('/api/v1/collections', server.value), {
      headers: { Authorization: `Bearer ${env.LECTERN_KEY}` },
    });
    const { data } = (await response.json()) as { data: unknown };
    expect(data).toMatchObject([{ name: 'handbook' }]);
  });
});
