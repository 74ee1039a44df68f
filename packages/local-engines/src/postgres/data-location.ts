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
import { firstClosed } from '#postgres/first-closed';
import { stopLeftoverPostmaster } from '#postgres/leftover';
import { movedName, moveFolder } from '#postgres/move-folder';
import { faultOf, openPrivateFolder, privateFolder, privateFolders } from '#postgres/private-folder';
import { EngineError } from '#process/engine-error';
import { claimPidFile } from '#process/pid-file';
import { codeOf } from '#process/thrown';

/*
 * PostgreSQL's account cannot enter every data folder: /root has mode 700. In that case the data
 * directory is stored in its own folder, `<private folder>/postgres-XXXXXX`, and a symbolic link
 * takes its place:
 *
 *   /root/lectern/.lectern/postgres -> /var/lib/lectern/postgres-XXXXXX/postgres
 *
 * The link moves with the data folder. `place.json` next to the data contains the path of the link, which
 * reveals a link that was copied with its folder. `<dataDir>.place` contains the location of the data: if
 * it exists without the link, the link was lost. If both are gone, the data folder was removed on purpose.
 */

const RECORD = 'place.json';
const DATA = 'postgres';
const PREFIX = 'postgres-';
const NOTE = '.place';
const LEFTOVER = { stopSignal: 'SIGINT', timeoutMs: 15_000 } as const;

const recordSchema = z.object({
  /** The path of the link. */
  link: z.string(),
  /** False while data is being moved, until the link exists. */
  isLinked: z.boolean(),
});
type PlaceRecord = z.infer<typeof recordSchema>;

/** A subfolder of the private folder. */
type Place = { readonly folder: string; readonly record: PlaceRecord };

/** The real data directory, which may not exist yet, and the account that can access it. */
export type DataPlace = { readonly dataDir: string; readonly account: Account };

/**
 * Finds or chooses the data directory for `wanted` so that PostgreSQL's account can access it, and
 * moves data if necessary. Throws an `EngineError` if the data is missing or belongs to another
 * folder.
 */
export async function locateData(wanted: string): Promise<DataPlace> {
  const dataDir = await followLinks(wanted);
  if (process.getuid?.() !== 0) return { dataDir, account: undefined };
  const own = await placeOf(dataDir);
  if (own !== undefined) {
    await keepForOneFolder(own, await linkOf(wanted));
    const account = await postgresAccount(dataDir);
    const closed = await firstClosed(account, [{ path: own.folder, how: 'pass' }]);
    if (closed === undefined) return { dataDir, account };
    throw new EngineError(
      `PostgreSQL's data is in ${dataDir}, and its account (uid ${account?.uid}) cannot access it. Set the mode of ${dirname(own.folder)} and its parent folders to 711.`,
    );
  }
  const hasData = await exists(join(dataDir, 'PG_VERSION'));
  const places = (await allPlaces()).filter(({ record }) => record.link === dataDir);
  const found = hasData ? undefined : await findMoved(places, dataDir);
  const account = await postgresAccount(found === undefined ? dataDir : join(found.folder, DATA));
  const isReachable = (await firstClosed(account, [{ path: dirname(dataDir), how: 'pass' }])) === undefined;
  if (found === undefined && isReachable) {
    await removeUnfinished(places);
    return { dataDir, account };
  }
  const claim = await claimPidFile(`${dataDir}.pid.json`, LEFTOVER);
  try {
    const place = found ?? (await moveToNewPlace(dataDir, account, places));
    await linkTo(place, dataDir);
    return { dataDir: join(place.folder, DATA), account };
  } finally {
    claim.release();
  }
}

/** The real path of the data directory. Throws if a link leads to missing data. */
async function followLinks(wanted: string): Promise<string> {
  const path = resolve(wanted);
  await mkdir(dirname(path), { recursive: true });
  try {
    return await realpath(path);
  } catch (cause) {
    const target = await readlink(path).catch(() => undefined);
    if (target === undefined) return join(await realpath(dirname(path)), basename(path));
    const full = resolve(dirname(path), target);
    // A folder whose data directory was never completed.
    if (codeOf(cause) === 'ENOENT' && (await placeOf(full)) !== undefined) return full;
    const why =
      codeOf(cause) === 'ENOENT'
        ? `that does not exist. Restore it, or remove ${path} to start with an empty database.`
        : 'this account may not read it. Run Lectern as the account that ran it before, or change the owner of the data.';
    throw new EngineError(`PostgreSQL's data directory ${path} is a link to ${full}, and ${why}`, { cause });
  }
}

/** The path of the last link between `wanted` and the data. */
async function linkOf(wanted: string): Promise<string> {
  let path = resolve(wanted);
  for (;;) {
    path = join(await realpath(dirname(path)), basename(path));
    const target = resolve(dirname(path), await readlink(path));
    if ((await lstat(target).catch(() => undefined))?.isSymbolicLink() !== true) return path;
    path = target;
  }
}

async function placeOf(dataDir: string): Promise<Place | undefined> {
  const folder = dirname(dataDir);
  if (basename(dataDir) !== DATA || !basename(folder).startsWith(PREFIX)) return undefined;
  const record = await readRecord(folder);
  return record === undefined ? undefined : { folder, record };
}

async function readRecord(folder: string): Promise<PlaceRecord | undefined> {
  try {
    const found = await lstat(folder);
    if (!found.isDirectory() || found.uid !== 0) return undefined;
    return recordSchema.safeParse(JSON.parse(await readFile(join(folder, RECORD), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

async function writeRecord(folder: string, record: PlaceRecord): Promise<void> {
  const draft = join(folder, `${RECORD}.draft`);
  await writeFile(draft, `${JSON.stringify(record)}\n`, { mode: 0o600, flush: true });
  await rename(draft, join(folder, RECORD));
}

/**
 * Updates the record after a data folder was moved. If a folder was copied, the original keeps the
 * data.
 */
async function keepForOneFolder({ folder, record }: Place, link: string): Promise<void> {
  if (record.link === link && record.isLinked) return;
  const data = join(folder, DATA);
  const other = record.link === link ? undefined : await readlink(record.link).catch(() => undefined);
  if (other !== undefined && resolve(dirname(record.link), other) === data)
    throw new EngineError(
      `${link} is a copy of ${record.link}: both link to the database in ${data}, which belongs to ${record.link}. To copy a data folder, use \`npm run backup\` and \`npm run restore\`. If the copy is to replace the original, remove ${record.link}.`,
    );
  await writeRecord(folder, { link, isLinked: true });
}

/** The data locations in all private folders. */
async function allPlaces(): Promise<Place[]> {
  const places: Place[] = [];
  for (const parent of privateFolders()) {
    if ((await faultOf(parent)) !== undefined) continue;
    for (const name of await readdir(parent).catch(() => [])) {
      const place = await placeOf(join(parent, name, DATA));
      if (place !== undefined) places.push(place);
    }
  }
  return places;
}

const hasDatabase = ({ folder }: Place) => exists(join(folder, DATA, 'PG_VERSION'));

/** Returns the location that an interrupted move had filled. Throws if its link is lost. */
async function findMoved(places: readonly Place[], link: string): Promise<Place | undefined> {
  for (const place of places) if (!place.record.isLinked && (await hasDatabase(place))) return place;
  const noted = (await readFile(`${link}${NOTE}`, 'utf8').catch(() => '')).trim();
  const lost = await placeOf(join(noted, DATA));
  if (lost === undefined || !(await hasDatabase(lost))) return undefined;
  const data = join(lost.folder, DATA);
  throw new EngineError(
    `${link} does not exist, but the database of this data folder is in ${data}. To use it again, run \`ln -s ${data} ${link}\`. To start with an empty database, remove ${link}${NOTE}.`,
  );
}

/** Returns the locations of databases that belonged to this path earlier and have no link any more. */
export async function abandonedLocations(wanted: string): Promise<string[]> {
  if (process.getuid?.() !== 0) return [];
  const path = resolve(wanted);
  const link = join(await realpath(dirname(path)), basename(path));
  const own = dirname(await realpath(path).catch(() => path));
  const abandoned: string[] = [];
  for (const place of await allPlaces())
    if (place.record.link === link && place.folder !== own && (await hasDatabase(place))) abandoned.push(place.folder);
  return abandoned;
}

/**
 * Removes the partial copy of an interrupted move; the data itself is still at its original path.
 */
async function removeUnfinished(places: readonly Place[]): Promise<void> {
  for (const place of places) if (!place.record.isLinked) await rm(place.folder, { recursive: true, force: true });
}

async function moveToNewPlace(dataDir: string, account: Account, places: readonly Place[]): Promise<Place> {
  await removeUnfinished(places);
  const folder = await mkdtemp(join(await openPrivateFolder(privateFolder(), account), PREFIX));
  const record = { link: dataDir, isLinked: false };
  await writeRecord(folder, record);
  await chown(folder, 0, account?.gid ?? 0);
  await chmod(folder, 0o710);
  for (const name of await besides(dataDir)) {
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
async function linkTo({ folder, record }: Place, dataDir: string): Promise<void> {
  await rmdir(dataDir).catch((error) => {
    if (codeOf(error) === 'ENOENT') return;
    throw new EngineError(`${dataDir} contains files but no database. Move the files to another folder.`, {
      cause: error,
    });
  });
  await writeFile(`${dataDir}${NOTE}`, `${folder}\n`, { mode: 0o600, flush: true });
  await symlink(join(folder, DATA), dataDir);
  await writeRecord(folder, { ...record, isLinked: true });
  for (const name of await besides(dataDir)) await rm(join(dirname(dataDir), name), { force: true });
  await rm(movedName(dataDir), { recursive: true, force: true });
}

/** The files next to a data directory that belong to it, for example its password. */
async function besides(dataDir: string): Promise<string[]> {
  const entries = await readdir(dirname(dataDir), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const own = basename(dataDir);
  return names.filter((name) => name.startsWith(`${own}.`) && !name.includes('.pid.json') && name !== `${own}${NOTE}`);
}

/**
 * Removes a data directory and its related files, wherever they are. No server may be running on
 * it.
 */
export async function removePostgres(wanted: string): Promise<void> {
  const path = resolve(wanted);
  const dataDir = await followLinks(path).catch(() => undefined);
  const place = dataDir === undefined ? undefined : await placeOf(dataDir);
  if (place !== undefined && place.record.link === (await linkOf(path)))
    await rm(place.folder, { recursive: true, force: true });
  const names = await readdir(dirname(path)).catch(() => []);
  for (const name of names)
    if (name === basename(path) || name.startsWith(`${basename(path)}.`))
      await rm(join(dirname(path), name), { recursive: true, force: true, maxRetries: 5 });
}

/**
 * Removes a temporary folder and every data directory that a link in it leads to. No server may be
 * running on them.
 */
export async function removeWithData(temporary: string): Promise<void> {
  const real = await realpath(temporary).catch(() => resolve(temporary));
  for (const { folder, record } of await allPlaces())
    if (record.link.startsWith(`${real}/`)) await rm(folder, { recursive: true, force: true });
  await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
