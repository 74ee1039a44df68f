import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyFiles, restorePostgres, startPostgres } from '@lectern/local-engines';
import { type BackupPaths, backupAt, type Manifest, manifestSchema } from '#backup/layout';
import { gatewayCliEnv } from '#gateway-cli';
import type { Home } from '#home';
import { REPOSITORY } from '#home-folder';
import { LauncherError, messageOf } from '#launcher-error';
import { tryLock } from '#lock';
import { prepareHome } from '#prepare-home';

const REINDEX_CLI = join(REPOSITORY, 'apps/collection/src/cli/reindex.ts');
const MARK_TIMEOUT_MS = 10 * 60_000;

/**
 * Makes a home from a backup. It must hold nothing yet, and holds nothing again where this fails. Throws a `LauncherError` or an `EngineError`.
 */
export async function restore(home: Home, folder: string, env: NodeJS.ProcessEnv): Promise<Manifest> {
  const from = backupAt(folder);
  const manifest = await readManifest(from);
  await refuseData(home);
  await prepareHome(home);
  const lock = await tryLock(home);
  if (lock === undefined) throw new LauncherError(`Another process uses ${home.root}. Stop it first.`);
  try {
    await checkCount('blobs', await copyFiles(from.blobs, home.blobs), manifest.blobs);
    if (manifest.vectors) await checkCount('vectors', await copyFiles(from.qdrant, home.qdrant), manifest.vectors);
    const secrets = [
      [from.password, `${home.postgres}.password`],
      [from.credentials, home.credentials],
      [from.masterKeys, home.masterKeys],
    ] as const;
    for (const [kept, place] of secrets)
      if (existsSync(kept)) await writeFile(place, await readFile(kept), { mode: 0o600, flush: true });
    await checkFolder('postgres', from.postgres, manifest.postgres.files);
    await restorePostgres({ from: from.postgres, dataDir: home.postgres });
    await recover(home, manifest, env);
    return manifest;
  } catch (error) {
    for (const path of dataOf(home)) await rm(path, { recursive: true, force: true });
    throw error;
  } finally {
    lock.release();
  }
}

async function readManifest(from: BackupPaths): Promise<Manifest> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(from.manifest, 'utf8')));
  } catch (cause) {
    throw new LauncherError(`${from.root} is no whole backup of Lectern: its backup.json cannot be read.`, { cause });
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

async function refuseData(home: Home): Promise<void> {
  for (const path of dataOf(home)) {
    const isEmpty = (await readdir(path).catch(() => undefined))?.length === 0;
    if (existsSync(path) && !isEmpty)
      throw new LauncherError(
        `${home.root} holds data already (${path}). Stop Lectern and move the folder away, or set LECTERN_HOME to another one.`,
      );
  }
}

async function checkFolder(what: string, folder: string, files: number): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  await checkCount(what, { files: entries.filter((entry) => entry.isFile()).length }, { files });
}

async function checkCount(what: string, found: { files: number }, noted: { files: number }): Promise<void> {
  if (found.files < noted.files)
    throw new LauncherError(`The backup is damaged: of ${noted.files} files of ${what} it has ${found.files}.`);
}

/** Lets PostgreSQL replay its log, and has made anew the vectors of what was written after they were copied. */
async function recover(home: Home, { vectors }: Manifest, env: NodeJS.ProcessEnv): Promise<void> {
  const postgres = await startPostgres({ dataDir: home.postgres, logFile: home.log('postgres') });
  const since = vectors ? ['--since-transaction', vectors.sinceTransaction] : [];
  try {
    await promisify(execFile)(process.execPath, [REINDEX_CLI, '--mark-only', ...since], {
      env: gatewayCliEnv(env, postgres.url, home.cache),
      timeout: MARK_TIMEOUT_MS,
    });
  } catch (error) {
    throw new LauncherError(`The documents to be indexed could not be marked: ${messageOf(error)}`, { cause: error });
  } finally {
    await postgres.stop();
  }
}
