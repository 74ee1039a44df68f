import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Copied,
  claimPidFile,
  copyFiles,
  removePostgres,
  restorePostgres,
  runToEnd,
  startPostgres,
} from '@lectern/local-engines';
import { isArchive, unpack } from '#backup/archive';
import { type BackupPaths, backupAt, type Manifest, manifestSchema } from '#backup/layout';
import { gatewayCliEnv } from '#gateway-cli';
import type { Home } from '#home';
import { REPOSITORY } from '#home-folder';
import { LauncherError, messageOf } from '#launcher-error';
import { tryLock } from '#lock';
import { postgresData } from '#postgres-location';
import { prepareHome } from '#prepare-home';
import { openSecrets } from '#secrets';

const REINDEX_CLI = join(REPOSITORY, 'apps/collection/src/cli/reindex.ts');
const MARK_TIMEOUT_MS = 10 * 60_000;
/** PostgreSQL's fast shutdown. */
const LEFTOVER = { stopSignal: 'SIGINT', timeoutMs: 15_000 } as const;

/**
 * Restores a backup (a folder or an archive) into a home, which must be empty or contain an interrupted
 * restore. Empties the home again on failure. Throws a `LauncherError`, an `EngineError`, or the signal's
 * reason.
 */
export async function restore(
  home: Home,
  source: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Manifest> {
  await rejectExistingData(home);
  await prepareHome(home);
  const lock = await tryLock(home);
  if (lock === undefined) throw new LauncherError(`Another process uses ${home.root}. Stop it first.`);
  try {
    // Another process can have written data before this one got the lock.
    await rejectExistingData(home);
    await clear(home);
    await mkdir(home.restoring, { mode: 0o700 });
    return await copyBackup(home, source, env, signal).catch(async (error) => {
      await clear(home);
      throw error;
    });
  } finally {
    lock.release();
  }
}

/** Copies the backup into the home and removes `home.restoring` at the end. */
async function copyBackup(home: Home, source: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Manifest> {
  if (isArchive(source)) await unpack(source, home.restoring, signal);
  const from = backupAt(isArchive(source) ? home.restoring : source);
  const manifest = await readManifest(from);
  const copy = (folder: string, to: string) =>
    copyFiles(folder, to, () => {
      signal.throwIfAborted();
      return false;
    });
  rejectMissing('blobs', await copy(from.blobs, home.blobs), manifest.blobs);
  if (manifest.vectors) rejectMissing('vectors', await copy(from.qdrant, home.qdrant), manifest.vectors);
  const secrets = [
    [from.password, `${home.postgres}.password`],
    [from.credentials, home.credentials],
    [from.masterKeys, home.masterKeys],
  ] as const;
  for (const [backupFile, target] of secrets)
    if (existsSync(backupFile)) await writeFile(target, await readFile(backupFile), { mode: 0o600, flush: true });
  rejectMissing('postgres', await measure(from.postgres), manifest.postgres);
  signal.throwIfAborted();
  await restorePostgres({ from: from.postgres, dataDir: home.postgres });
  signal.throwIfAborted();
  await recover(home, manifest, env, signal);
  await rm(home.restoring, { recursive: true });
  return manifest;
}

/** Removes all data that a restore creates. Removes the marker of an incomplete restore last. */
async function clear(home: Home): Promise<void> {
  // A PostgreSQL server of a killed restore can still be running.
  (await claimPidFile(`${await postgresData(home)}.pid.json`, LEFTOVER)).release();
  await removePostgres(home.postgres);
  // A copy that runs in parallel can still be writing.
  for (const path of [...dataOf(home), home.restoring]) await rm(path, { recursive: true, force: true, maxRetries: 5 });
}

async function readManifest(from: BackupPaths): Promise<Manifest> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(from.manifest, 'utf8')));
  } catch (cause) {
    throw new LauncherError(
      `${from.root} is not a complete backup of Lectern: its backup.json is missing or invalid.`,
      { cause },
    );
  }
}

const dataOf = (home: Home): string[] => [
  home.postgres,
  `${home.postgres}.password`,
  home.qdrant,
  home.blobs,
  home.credentials,
  home.masterKeys,
];

async function rejectExistingData(home: Home): Promise<void> {
  if (existsSync(home.restoring)) return;
  for (const path of dataOf(home)) {
    const isEmpty = (await readdir(path).catch(() => undefined))?.length === 0;
    if (existsSync(path) && !isEmpty)
      throw new LauncherError(
        `${home.root} already contains data (${path}). Stop Lectern and move the folder away, or set LECTERN_HOME to another folder.`,
      );
  }
}

async function measure(folder: string): Promise<Copied> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  let bytes = 0;
  for (const file of files) bytes += (await stat(join(file.parentPath, file.name))).size;
  return { files: files.length, bytes };
}

/** Only missing files are an error: the manifest does not count all files of PostgreSQL. */
function rejectMissing(what: string, found: Copied, expected: Copied): void {
  if (found.files < expected.files)
    throw new LauncherError(`The backup is damaged: it contains ${found.files} of ${expected.files} files of ${what}.`);
  if (found.bytes < expected.bytes)
    throw new LauncherError(`The backup is damaged: it contains ${found.bytes} of ${expected.bytes} bytes of ${what}.`);
}

/** Starts PostgreSQL to replay its log, and marks documents that are newer than the vectors for indexing. */
async function recover(home: Home, { vectors }: Manifest, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const postgres = await startPostgres({ dataDir: home.postgres, logFile: home.log('postgres'), signal });
  const secrets = await openSecrets(home);
  const since = vectors ? ['--since-transaction', vectors.sinceTransaction] : [];
  try {
    await secrets.ensureRoles(postgres.url);
    await runToEnd(process.execPath, [REINDEX_CLI, '--mark-only', ...since], {
      env: gatewayCliEnv(env, secrets.databaseUrlOf('collection', postgres.url), home.cache),
      timeoutMs: MARK_TIMEOUT_MS,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new LauncherError(`The documents could not be marked for indexing: ${messageOf(error)}`, { cause: error });
  } finally {
    await postgres.stop();
  }
}
