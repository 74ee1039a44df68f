import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { z } from 'zod';
import { GATEWAY_CLI } from '#gateway-cli';
import type { Home } from '#home';
import { REPOSITORY } from '#home-folder';
import { messageOf } from '#launcher-error';
import type { ServiceName } from '#services';

const TIMEOUT_MS = 120_000;
const STAMP = 'stamp.json';
const COMPILER = join(REPOSITORY, 'apps/local/src/compile-code.ts');
/** Changed by every installation of dependencies. */
const INSTALLED = join(REPOSITORY, 'node_modules/.package-lock.json');

/** The programs to start. */
export interface Programs {
  readonly service: (name: ServiceName) => string;
  /** The gateway's command for keys. */
  readonly keys: string;
}

/** Development and tracing need each module as a file of its own. */
export type CodeForm = 'bundles' | 'sources';

// The paths are complete literals, which the published package renames to those of JavaScript.
const SOURCES: Programs = {
  service: (name) => join(REPOSITORY, `apps/${name}/src/main.ts`),
  keys: GATEWAY_CLI,
};

const bundlesIn = (folder: string): Programs => ({
  service: (name) => join(folder, `${name}.js`),
  keys: join(folder, 'keys.js'),
});

/**
 * Compiles the code of all programs into the cache if it changed, and returns the programs. Compiled
 * code starts faster and does not load the TypeScript compiler (30 MiB). If that fails, the reason is
 * in the log `compile`, and the sources are returned: the services then compile them themselves.
 */
export async function compileCode(home: Home, form: CodeForm, signal: AbortSignal): Promise<Programs> {
  try {
    return await (form === 'bundles' ? bundle(home, signal) : compileSources(home, signal));
  } catch (error) {
    signal.throwIfAborted();
    await writeFile(home.log('compile'), `${messageOf(error)}\n`, { mode: 0o600 }).catch(() => undefined);
    return SOURCES;
  }
}

async function compileSources(home: Home, signal: AbortSignal): Promise<Programs> {
  const stampFile = join(home.cache, 'compiled');
  const stamp = await digestOf([...(await sourceFiles()), INSTALLED]);
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return SOURCES;
  await runCompiler(home, [], signal);
  await writeFile(stampFile, stamp, { mode: 0o600 });
  return SOURCES;
}

/** What bundles were made of. It is in their folder, so that it always describes them. */
const stampSchema = z.object({
  sources: z.string(),
  /** The manifests of the installed packages. */
  packages: z.array(z.string()),
  installed: z.string(),
  /** The bytes of each file, because a crash can leave the folder incomplete. */
  sizes: z.record(z.string(), z.number()),
});

async function bundle(home: Home, signal: AbortSignal): Promise<Programs> {
  const folder = join(home.cache, 'bundles');
  const sources = await digestOf(await sourceFiles());
  if (await isCurrent(folder, sources)) return bundlesIn(folder);
  await mkdir(home.cache, { recursive: true, mode: 0o700 });
  for (const name of await readdir(home.cache)) {
    if (name.startsWith('bundles-')) await rm(join(home.cache, name), { recursive: true, force: true });
  }
  const [draft, former] = [`${folder}-${randomUUID()}`, `${folder}-${randomUUID()}`];
  try {
    const startedMs = Date.now();
    await runCompiler(home, [draft], signal);
    const packages = z.array(z.string()).parse(JSON.parse(await readFile(join(draft, 'packages.json'), 'utf8')));
    for (const [file, changedMs] of await Promise.all(packages.map(stateOf))) {
      if (changedMs > startedMs) throw new Error(`${file} was installed while the code was bundled.`);
    }
    const [installed, sizes] = [await contentDigestOf(packages), await sizesIn(draft)];
    const stamp: z.infer<typeof stampSchema> = { sources, packages, installed, sizes };
    await writeFile(join(draft, STAMP), JSON.stringify(stamp), { mode: 0o600 });
    if (existsSync(folder)) await rename(folder, former);
    await rename(draft, folder);
  } finally {
    for (const path of [draft, former]) await rm(path, { recursive: true, force: true });
  }
  return bundlesIn(folder);
}

async function isCurrent(folder: string, sources: string): Promise<boolean> {
  const read = async () => stampSchema.parse(JSON.parse(await readFile(join(folder, STAMP), 'utf8')));
  const stamp = await read().catch(() => undefined);
  if (stamp?.sources !== sources || stamp.installed !== (await contentDigestOf(stamp.packages))) return false;
  return isDeepStrictEqual(await sizesIn(folder), stamp.sizes);
}

async function sizesIn(folder: string): Promise<Record<string, number>> {
  const names = (await readdir(folder)).filter((name) => name !== STAMP).sort();
  const sizes = names.map(async (name) => [name, (await stat(join(folder, name))).size] as const);
  return Object.fromEntries(await Promise.all(sizes));
}

async function runCompiler(home: Home, args: readonly string[], signal: AbortSignal): Promise<void> {
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: home.cache };
  await promisify(execFile)(process.execPath, [COMPILER, ...args], { env, timeout: TIMEOUT_MS, signal });
}

/** Returns all source files and manifests of the workspaces. */
async function sourceFiles(): Promise<string[]> {
  const folders = ['apps', 'packages'].map((name) => join(REPOSITORY, name));
  const members = (await Promise.all(folders.map((folder) => namesIn(folder)))).flat();
  const sources = (await Promise.all(members.map((member) => namesIn(join(member, 'src'), true)))).flat();
  return [...sources.sort(), ...members.map((member) => join(member, 'package.json'))];
}

async function namesIn(folder: string, recursive = false): Promise<string[]> {
  const names = await readdir(folder, { recursive }).catch(() => []);
  return names.map((name) => join(folder, name));
}

/** Returns a digest of Node's version and of the path, the time and the size of each file. */
async function digestOf(files: readonly string[]): Promise<string> {
  const states = await Promise.all(files.map(stateOf));
  return createHash('sha256')
    .update(JSON.stringify([process.version, ...states]))
    .digest('hex');
}

/** Some package managers give all files the same time, so the content counts: it has the version. */
async function contentDigestOf(files: readonly string[]): Promise<string> {
  const digest = createHash('sha256');
  const contents = await Promise.all(files.map((file) => readFile(file).catch(() => '')));
  for (const [at, file] of files.entries()) digest.update(`${file}\n`).update(contents[at] ?? '');
  return digest.digest('hex');
}

async function stateOf(file: string): Promise<readonly [file: string, changedMs: number, bytes: number]> {
  const state = await stat(file).catch(() => undefined);
  return [file, state?.mtimeMs ?? 0, state?.size ?? 0];
}
