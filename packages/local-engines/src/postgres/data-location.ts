import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { type Account, postgresAccount } from '#postgres/account';
import { firstInaccessible } from '#postgres/first-inaccessible';
import { stopLeftoverPostmaster } from '#postgres/leftover';
import { movedName, moveFolder } from '#postgres/move-folder';
import { openPrivateFolder, privateFolder, privateFolders, whyUnsafe } from '#postgres/private-folder';
import { EngineError } from '#process/engine-error';
import { claimPidFile } from '#process/pid-file';
import { codeOf } from '#process/thrown';

/*
 * PostgreSQL's account cannot enter every data folder: /root has mode 700. In that case the data
 * directory is stored in a separate folder, `<private folder>/postgres-XXXXXX`, and a symbolic link
 * replaces it in the data folder:
 *
 *   /root/lectern/.lectern/postgres -> /var/lib/lectern/postgres-XXXXXX/postgres
 *
 * The link moves with the data folder. `place.json` next to the data contains the path of the link, to
 * detect a link that was copied with its folder. `<dataDir>.place` next to the link contains the location
 * of the data. If it exists without the link, the link was lost. If both are missing, the data folder was
 * removed on purpose.
 */

const RECORD = 'place.json';
const DATA = 'postgres';
const PREFIX = 'postgres-';
const LOCATION_SUFFIX = '.place';
const LEFTOVER = { stopSignal: 'SIGINT', timeoutMs: 15_000 } as const;

const recordSchema = z.object({
  /** The path of the link. */
  link: z.string(),
  /** False while data is being moved, until the link exists. */
  isLinked: z.boolean(),
});
type LocationRecord = z.infer<typeof recordSchema>;

/** A subfolder of the private folder. */
type Location = { readonly folder: string; readonly record: LocationRecord };

/** The real data directory, which may not exist yet, and the account that can access it. */
export type DataLocation = { readonly dataDir: string; readonly account: Account };

/**
 * Finds or chooses a data directory for the path `requestedPath` that PostgreSQL's account can access. Moves
 * existing data if necessary. Throws an `EngineError` if the data is missing or belongs to another
 * folder.
 */
export async function locateData(requestedPath: string): Promise<DataLocation> {
  const dataDir = await followLinks(requestedPath);
  if (process.getuid?.() !== 0) return { dataDir, account: undefined };
  const current = await locationOf(dataDir);
  if (current !== undefined) {
    await updateLink(current, await linkOf(requestedPath));
    const account = await postgresAccount(dataDir);
    const inaccessible = await firstInaccessible(account, [{ path: current.folder, how: 'enter' }]);
    if (inaccessible === undefined) return { dataDir, account };
    throw new EngineError(
      `PostgreSQL's data is in ${dataDir}, and its account (uid ${account?.uid}) cannot access it. Set the mode of ${dirname(current.folder)} and its parent folders to 711.`,
    );
  }
  const hasData = await exists(join(dataDir, 'PG_VERSION'));
  const locations = (await allLocations()).filter(({ record }) => record.link === dataDir);
  const found = hasData ? undefined : await findMoved(locations, dataDir);
  const account = await postgresAccount(found === undefined ? dataDir : join(found.folder, DATA));
  const isAccessible = (await firstInaccessible(account, [{ path: dirname(dataDir), how: 'enter' }])) === undefined;
  if (found === undefined && isAccessible) {
    await removeUnfinished(locations);
    return { dataDir, account };
  }
  const claim = await claimPidFile(`${dataDir}.pid.json`, LEFTOVER);
  try {
    const location = found ?? (await moveToNewLocation(dataDir, account, locations));
    await linkTo(location, dataDir);
    return { dataDir: join(location.folder, DATA), account };
  } finally {
    claim.release();
  }
}

/** Returns the real path of the data directory. Throws if a link leads to missing data. */
async function followLinks(requestedPath: string): Promise<string> {
  const path = resolve(requestedPath);
  await mkdir(dirname(path), { recursive: true });
  try {
    return await realpath(path);
  } catch (cause) {
    const target = await readlink(path).catch(() => undefined);
    if (target === undefined) return join(await realpath(dirname(path)), basename(path));
    const full = resolve(dirname(path), target);
    // A folder whose data directory was never completed.
    if (codeOf(cause) === 'ENOENT' && (await locationOf(full)) !== undefined) return full;
    const why =
      codeOf(cause) === 'ENOENT'
        ? `that does not exist. Restore it, or remove ${path} to start with an empty database.`
        : 'this account cannot read it. Run Lectern as the account that ran it before, or change the owner of the data.';
    throw new EngineError(`PostgreSQL's data directory ${path} is a link to ${full}, and ${why}`, { cause });
  }
}

/** Returns the path of the last link between `requestedPath` and the data. */
async function linkOf(requestedPath: string): Promise<string> {
  let path = resolve(requestedPath);
  for (;;) {
    path = join(await realpath(dirname(path)), basename(path));
    const target = resolve(dirname(path), await readlink(path));
    if ((await lstat(target).catch(() => undefined))?.isSymbolicLink() !== true) return path;
    path = target;
  }
}

async function locationOf(dataDir: string): Promise<Location | undefined> {
  const folder = dirname(dataDir);
  if (basename(dataDir) !== DATA || !basename(folder).startsWith(PREFIX)) return undefined;
  const record = await readRecord(folder);
  return record === undefined ? undefined : { folder, record };
}

async function readRecord(folder: string): Promise<LocationRecord | undefined> {
  try {
    const found = await lstat(folder);
    if (!found.isDirectory() || found.uid !== 0) return undefined;
    return recordSchema.safeParse(JSON.parse(await readFile(join(folder, RECORD), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

async function writeRecord(folder: string, record: LocationRecord): Promise<void> {
  const draft = join(folder, `${RECORD}.draft`);
  await writeFile(draft, `${JSON.stringify(record)}\n`, { mode: 0o600, flush: true });
  await rename(draft, join(folder, RECORD));
}

/**
 * Updates the record after a data folder was moved. Throws if the folder was copied and the original
 * still uses the data.
 */
async function updateLink({ folder, record }: Location, link: string): Promise<void> {
  if (record.link === link && record.isLinked) return;
  const data = join(folder, DATA);
  const other = record.link === link ? undefined : await readlink(record.link).catch(() => undefined);
  if (other !== undefined && resolve(dirname(record.link), other) === data)
    throw new EngineError(
      `${link} is a copy of ${record.link}: both link to the database in ${data}, which belongs to ${record.link}. To copy a data folder, back it up and restore the backup. If the copy is to replace the original, remove ${record.link}.`,
    );
  await writeRecord(folder, { link, isLinked: true });
}

/** Returns the data locations in all private folders. */
async function allLocations(): Promise<Location[]> {
  const locations: Location[] = [];
  for (const parent of privateFolders()) {
    if ((await whyUnsafe(parent)) !== undefined) continue;
    for (const name of await readdir(parent).catch(() => [])) {
      const location = await locationOf(join(parent, name, DATA));
      if (location !== undefined) locations.push(location);
    }
  }
  return locations;
}

const hasDatabase = ({ folder }: Location) => exists(join(folder, DATA, 'PG_VERSION'));

/** Returns the location of data whose move was interrupted. Throws if its link is lost. */
async function findMoved(locations: readonly Location[], link: string): Promise<Location | undefined> {
  for (const location of locations) if (!location.record.isLinked && (await hasDatabase(location))) return location;
  const recorded = (await readFile(`${link}${LOCATION_SUFFIX}`, 'utf8').catch(() => '')).trim();
  const lost = await locationOf(join(recorded, DATA));
  if (lost === undefined || !(await hasDatabase(lost))) return undefined;
  const data = join(lost.folder, DATA);
  throw new EngineError(
    `${link} does not exist, but the database of this data folder is in ${data}. To use it again, run \`ln -s ${data} ${link}\`. To start with an empty database, remove ${link}${LOCATION_SUFFIX}.`,
  );
}

/** Returns the locations of databases that belonged to this path and no longer have a link. */
export async function abandonedLocations(requestedPath: string): Promise<string[]> {
  if (process.getuid?.() !== 0) return [];
  const path = resolve(requestedPath);
  const link = join(await realpath(dirname(path)), basename(path));
  const current = dirname(await realpath(path).catch(() => path));
  const abandoned: string[] = [];
  for (const location of await allLocations())
    if (location.record.link === link && location.folder !== current && (await hasDatabase(location)))
      abandoned.push(location.folder);
  return abandoned;
}

/**
 * Removes the partial copy of an interrupted move; the data itself is still at its original path.
 */
async function removeUnfinished(locations: readonly Location[]): Promise<void> {
  for (const location of locations)
    if (!location.record.isLinked) await rm(location.folder, { recursive: true, force: true });
}

async function moveToNewLocation(dataDir: string, account: Account, locations: readonly Location[]): Promise<Location> {
  await removeUnfinished(locations);
  const folder = await mkdtemp(join(await openPrivateFolder(privateFolder(), account), PREFIX));
  const record = { link: dataDir, isLinked: false };
  await writeRecord(folder, record);
  await chown(folder, 0, account?.gid ?? 0);
  await chmod(folder, 0o710);
  for (const name of await relatedFiles(dataDir)) {
    const from = join(dirname(dataDir), name);
    await writeFile(join(folder, `${DATA}${name.slice(basename(dataDir).length)}`), await readFile(from), {
      mode: 0o600,
      flush: true,
    });
  }
  if (await exists(join(dataDir, 'PG_VERSION'))) {
    await stopLeftoverPostmaster(dataDir);
    await moveFolder(dataDir, join(folder, DATA), account);
  }
  return { folder, record };
}

/** Creates the link at the original path, and removes leftovers there. */
async function linkTo({ folder, record }: Location, dataDir: string): Promise<void> {
  await rmdir(dataDir).catch((error) => {
    if (codeOf(error) === 'ENOENT') return;
    throw new EngineError(`${dataDir} contains files but no database. Move the files to another folder.`, {
      cause: error,
    });
  });
  await writeFile(`${dataDir}${LOCATION_SUFFIX}`, `${folder}\n`, { mode: 0o600, flush: true });
  await symlink(join(folder, DATA), dataDir);
  await writeRecord(folder, { ...record, isLinked: true });
  for (const name of await relatedFiles(dataDir)) await rm(join(dirname(dataDir), name), { force: true });
  await rm(movedName(dataDir), { recursive: true, force: true });
}

/** Returns the files next to a data directory that belong to it, for example its password. */
async function relatedFiles(dataDir: string): Promise<string[]> {
  const entries = await readdir(dirname(dataDir), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const current = basename(dataDir);
  return names.filter(
    (name) => name.startsWith(`${current}.`) && !name.includes('.pid.json') && name !== `${current}${LOCATION_SUFFIX}`,
  );
}

/**
 * Removes a data directory and its related files, including those in a private folder. The server must
 * be stopped.
 */
export async function removePostgres(requestedPath: string): Promise<void> {
  const path = resolve(requestedPath);
  const dataDir = await followLinks(path).catch(() => undefined);
  const location = dataDir === undefined ? undefined : await locationOf(dataDir);
  if (location !== undefined && location.record.link === (await linkOf(path)))
    await rm(location.folder, { recursive: true, force: true });
  const names = await readdir(dirname(path)).catch(() => []);
  for (const name of names)
    if (name === basename(path) || name.startsWith(`${basename(path)}.`))
      await rm(join(dirname(path), name), { recursive: true, force: true, maxRetries: 5 });
}

/**
 * Removes a temporary folder and every data directory that it links to. The servers must be stopped.
 */
export async function removeWithData(temporary: string): Promise<void> {
  const real = await realpath(temporary).catch(() => resolve(temporary));
  for (const { folder, record } of await allLocations())
    if (record.link.startsWith(`${real}/`)) await rm(folder, { recursive: true, force: true });
  await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
