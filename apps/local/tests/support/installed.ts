import { execFile } from 'node:child_process';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TIMEOUT_MS = 300_000;
const PACKAGES = fileURLToPath(new URL('../../../../packages/', import.meta.url));
const NODE_20 = /^v20\./;

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The path of the machine's Node 20; undefined if there is none. */
export async function findNode20(): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(folder, 'node');
    if (!(await exists(node))) continue;
    const version = await run(node, ['--version'], { timeout: TIMEOUT_MS }).catch(() => ({ stdout: '' }));
    if (NODE_20.test(version.stdout)) return node;
  }
  return undefined;
}

/** Packs the SDK and the command line program, and installs both into an empty folder. */
export async function installPackages(folder: string): Promise<void> {
  // A new home and cache, as on a machine without earlier packages.
  const env = { PATH: process.env.PATH, HOME: folder, npm_config_cache: join(folder, 'cache') };
  const npm = (...args: readonly string[]) =>
    run('npm', [...args, '--offline'], { cwd: folder, env, timeout: TIMEOUT_MS });
  const tarballs: string[] = [];
  for (const name of ['sdk', 'cli']) {
    const built = join(folder, 'built', name);
    await run(process.execPath, [join(PACKAGES, name, 'tools/build.ts'), built], { timeout: TIMEOUT_MS });
    const { stdout } = await npm('pack', built, '--json');
    tarballs.push(`./${JSON.parse(stdout)[0].filename}`);
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'empty', version: '1.0.0', type: 'module' }));
  await mkdir(join(folder, 'node_modules'));
  await npm('install', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs);
}

/** Runs a program in the folder. Returns its output. */
export async function runIn(
  folder: string,
  node: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await run(node, [...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    timeout: TIMEOUT_MS,
  });
  return stdout;
}
