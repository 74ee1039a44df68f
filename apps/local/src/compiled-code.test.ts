import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@lectern/testing';
import { type CodeForm, compileCode } from '#compiled-code';
import { GATEWAY_CLI } from '#gateway-cli';
import { type Home, homeAt } from '#home';
import { SERVICES } from '#services';

/** The compiler has a time limit of its own. */
const TIMEOUT_MS = 300_000;

describe('compileCode', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let home: Home;

  beforeAll(async () => {
    folder = await temporaryFolder();
    home = homeAt(folder.path);
    await mkdir(home.logs);
  });

  afterAll(() => folder.remove());

  const compile = (form: CodeForm, into = home) => compileCode(into, form, new AbortController().signal);
  const bundles = () => join(home.cache, 'bundles');
  const stampFile = () => join(bundles(), 'stamp.json');
  const readStamp = async () => JSON.parse(await readFile(stampFile(), 'utf8'));

  it(
    'bundles each program with everything that it imports',
    async () => {
      const programs = await compile('bundles');
      for (const { name } of SERVICES) expect(programs.service(name)).toBe(join(bundles(), `${name}.js`));
      const names = await readdir(bundles());
      expect(names).toEqual(expect.arrayContaining([...SERVICES.map(({ name }) => `${name}.js`), 'keys.js']));
      expect(names).toContain('query-compiler.wasm');
      // From another folder, so that it finds none of the installed packages.
      const run = promisify(execFile)(process.execPath, [programs.keys], { cwd: folder.path, env: {} });
      await expect(run).rejects.toMatchObject({ stderr: expect.stringContaining('DATABASE_URL is not set') });
      expect((await readStamp()).packages).toContainEqual(expect.stringMatching(/node_modules.express.package\.json$/));
    },
    TIMEOUT_MS,
  );

  it.each([
    ['a source file changed', () => ({ sources: 'of an earlier version' })],
    ['a package was installed again', () => ({ packages: [join(folder.path, 'changed')] })],
    ['the stamp is malformed', () => undefined],
    ['a file is incomplete', () => ({ sizes: { 'keys.js': 1 } })],
  ])(
    'bundles again if %s, and only then',
    async (_case, changed) => {
      await compile('bundles');
      const { mtimeMs } = await stat(stampFile());
      const before = await readStamp();
      await compile('bundles');
      expect((await stat(stampFile())).mtimeMs).toBe(mtimeMs);

      const change = changed();
      await writeFile(stampFile(), change === undefined ? '{' : JSON.stringify({ ...before, ...change }));
      await mkdir(`${bundles()}-interrupted`);
      await compile('bundles');
      expect(await readStamp()).toEqual(before);
      expect((await readdir(home.cache)).filter((name) => name.startsWith('bundles'))).toEqual(['bundles']);
    },
    TIMEOUT_MS,
  );

  it(
    'returns the sources if asked to, or if the code cannot be bundled, with the reason in a log',
    async () => {
      const sources = await compile('sources');
      expect(sources.keys).toBe(GATEWAY_CLI);
      for (const { name } of SERVICES) expect((await stat(sources.service(name))).isFile()).toBe(true);

      await rm(bundles(), { recursive: true });
      const withoutFolder = { ...home, cache: join(folder.path, 'no-folder') };
      await writeFile(withoutFolder.cache, '');
      expect((await compile('bundles', withoutFolder)).keys).toBe(GATEWAY_CLI);
      expect(await readFile(home.log('compile'), 'utf8')).toMatch(/EEXIST/);
    },
    TIMEOUT_MS,
  );
});
