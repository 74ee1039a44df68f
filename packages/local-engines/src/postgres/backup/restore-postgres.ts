import { existsSync } from 'node:fs';
import { chmod, chown, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Account, postgresAccount } from '#postgres/account';
import { copyFiles } from '#postgres/backup/copy-files';
import { EngineError } from '#process/engine-error';

/** A backup by `backUpPostgres`, and the new data directory, which must not exist. */
export interface PostgresRestoreOptions {
  readonly from: string;
  readonly dataDir: string;
}

/**
 * Restores a data directory from a backup, atomically. The first start replays the log in it. Throws an
 * `EngineError` if the data directory exists or the folder is not a backup.
 */
export async function restorePostgres({ from, dataDir }: PostgresRestoreOptions): Promise<void> {
  if (existsSync(dataDir)) throw new EngineError(`${dataDir} already exists. Move it away to restore a backup.`);
  if (!existsSync(join(from, 'backup_label'))) throw new EngineError(`${from} is not a backup of PostgreSQL`);
  const draft = join(dirname(dataDir), `${basename(dataDir)}.restoring`);
  await rm(draft, { recursive: true, force: true });
  try {
    await copyFiles(from, draft);
    await chmod(draft, 0o700);
    const account = await postgresAccount(dataDir);
    if (account) await changeOwner(account, draft);
    await rename(draft, dataDir);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function changeOwner(account: NonNullable<Account>, folder: string): Promise<void> {
  await chown(folder, account.uid, account.gid);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chown(join(entry.parentPath, entry.name), account.uid, account.gid);
}
