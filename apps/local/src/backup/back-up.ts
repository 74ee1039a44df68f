import { existsSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backUpPostgres, type Copied, copyFiles, oldestTransaction } from '@lectern/local-engines';
import { copyVectors } from '#backup/copy-vectors';
import { backupAt, type Manifest } from '#backup/layout';
import type { Home } from '#home';
import { LauncherError } from '#launcher-error';
import { openDatabase } from '#open-database';
import { postgresData } from '#postgres-location';

/** Options of a backup. */
export interface BackupOptions {
  readonly withMasterKeys: boolean;
  /** Stops the backup after the part that is being copied. */
  readonly signal: AbortSignal;
}

/**
 * Copies a home into a folder, whether Lectern runs or not. PostgreSQL's data is consistent with the end
 * of the backup. Uploaded files are copied before and after it, so that no row refers to a missing file.
 * Vectors are copied before it, and the manifest records since when a restore must regenerate them.
 * Throws a `LauncherError`, an `EngineError`, or the signal's reason.
 */
export async function backUp(home: Home, folder: string, options: BackupOptions): Promise<Manifest> {
  if (!existsSync(join(home.postgres, 'PG_VERSION')))
    throw new LauncherError(`There is no database in ${home.root}. Set LECTERN_HOME to the data folder of Lectern.`);
  const to = backupAt(folder);
  await mkdir(to.root, { mode: 0o700 });
  const database = await openDatabase(home);
  try {
    const { signal } = options;
    signal.throwIfAborted();
    const since = await oldestTransaction(database.url);
    const vectors = await copyVectors(home.qdrant, to.qdrant);
    signal.throwIfAborted();
    const blobsBefore = await copyFiles(home.blobs, to.blobs);
    signal.throwIfAborted();
    const postgres = await backUpPostgres({ url: database.url, dataDir: home.postgres, to: to.postgres });
    signal.throwIfAborted();
    const blobs = await copyNewFiles(home.blobs, to.blobs, blobsBefore);
    signal.throwIfAborted();
    await copySecrets(home, to, options);
    const manifest: Manifest = {
      format: 1,
      createdAt: new Date().toISOString(),
      postgresVersion: (await readFile(join(home.postgres, 'PG_VERSION'), 'utf8')).trim(),
      postgres,
      blobs,
      vectors: vectors === undefined ? null : { ...vectors, sinceTransaction: since },
      hasMasterKeys: existsSync(to.masterKeys),
    };
    await writeFile(to.manifest, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
    return manifest;
  } finally {
    await database.close();
  }
}

/** Copies files that are not in the backup yet. An existing file never changes. */
async function copyNewFiles(from: string, to: string, before: Copied): Promise<Copied> {
  const added = await copyFiles(
    from,
    to,
    (path) => statSync(join(to, path), { throwIfNoEntry: false })?.isFile() === true,
  );
  return { files: before.files + added.files, bytes: before.bytes + added.bytes };
}

async function copySecrets(home: Home, to: ReturnType<typeof backupAt>, { withMasterKeys }: BackupOptions) {
  const files = [
    [`${await postgresData(home)}.password`, to.password],
    [home.credentials, to.credentials],
    ...(withMasterKeys ? ([[home.masterKeys, to.masterKeys]] as const) : []),
  ] as const;
  for (const [from, copy] of files)
    if (existsSync(from)) await writeFile(copy, await readFile(from), { mode: 0o600, flush: true });
}
