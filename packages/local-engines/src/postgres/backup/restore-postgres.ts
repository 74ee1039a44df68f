import { existsSync } from 'node:fs';
import { chmod, chown, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Account, postgresAccount } from '#postgres/account';
import { copyFiles } from '#postgres/backup/copy-files';
import { EngineError } from '#process/engine-error';

/** A folder that `backUpPostgres` wrote, and the data directory to be made from it, which must not exist yet. */
export interface PostgresRestoreOptions {
  readonly from: string;
  readonly dataDir: string;
}

/**
 * Makes a data directory from a backup; it appears whole or not at all. The first start replays the log in it. Throws an `EngineError` where there is a
 * data directory already, or the backup is none.
 */
export async function restorePostgres({ from, dataDir }: PostgresRestoreOptions): Promise<void> {
  if (existsSync(dataDir))
    throw new EngineError(`${dataDir} is there already; a backup is restored where there is none`);
  if (!existsSync(join(from, 'backup_label'))) throw new EngineError(`${from} holds no backup of PostgreSQL`);
  const draft = join(dirname(dataDir), `${basename(dataDir)}.restoring`);
  await rm(draft, { recursive: true, force: true });
  try {
    await copyFiles(from, draft);
    await chmod(draft, 0o700);
    const account = await postgresAccount(dataDir);
    if (account) await giveTo(account, draft);
    await rename(draft, dataDir);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function giveTo(account: NonNullable<Account>, folder: string): Promise<void> {
  await chown(folder, account.uid, account.gid);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chown(join(entry.parentPath, entry.name), account.uid, account.gid);
}
