import { chown, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Account } from '#postgres/account';
import { programsIn } from '#postgres/binaries';
import { runToEnd } from '#process/run-to-end';
import { engineEnvironment } from '#start-engine';

const INITDB_TIMEOUT_MS = 60_000;
const DRAFT = '.new-';

/** How to create a data directory. */
export type InitializeOptions = {
  readonly dataDir: string;
  /** The folder with PostgreSQL's programs. */
  readonly programs: string;
  readonly account: Account;
  readonly password: string;
  readonly durable: boolean;
  readonly signal?: AbortSignal | undefined;
};

/** Creates the data directory atomically, if it does not exist. */
export async function initializeDataDir(options: InitializeOptions): Promise<void> {
  const { dataDir, account } = options;
  if (await exists(join(dataDir, 'PG_VERSION'))) return;
  await removeDrafts(dataDir);
  const draft = await mkdtemp(`${dataDir}${DRAFT}`);
  try {
    const data = join(draft, 'data');
    const passwordFile = join(draft, 'password');
    await mkdir(data, { mode: 0o700 });
    await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 });
    if (account) for (const path of [draft, data, passwordFile]) await chown(path, account.uid, account.gid);
    await runInitdb(options, data, passwordFile);
    // `rename` replaces an empty folder, and fails if the folder contains files.
    await rename(data, dataDir);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function runInitdb(options: InitializeOptions, data: string, passwordFile: string): Promise<void> {
  const { programs, account, durable } = options;
  const args = [
    `--pgdata=${data}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // PostgreSQL's built-in Unicode rules are the same on every platform.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
  await runToEnd(programsIn(programs).initdb, args, {
    ...account,
    cwd: '/',
    env: { ...engineEnvironment(), LC_ALL: 'C' },
    timeoutMs: INITDB_TIMEOUT_MS,
    signal: options.signal,
  });
}

/** Removes the drafts of killed launchers. The caller must hold the lock of the data directory. */
async function removeDrafts(dataDir: string): Promise<void> {
  const folder = dirname(dataDir);
  const drafts = (await readdir(folder)).filter((name) => name.startsWith(`${basename(dataDir)}${DRAFT}`));
  for (const name of drafts) await rm(join(folder, name), { recursive: true, force: true });
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
