import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder for the files of one download, which no other download uses. */
export interface Staging {
  readonly folder: string;
  /** Keeps the files for a later download, unless they were moved. */
  release(): Promise<void>;
}

const SIGN_OF_LIFE_MS = 5_000;
/** A folder without a sign of life for so long belongs to a process that ended. */
const ABANDONED_MS = 30_000;
/** Files that no download continues are deleted after this time. */
const KEEP_MS = 7 * 24 * 3_600_000;

/**
 * Creates the folder of a download in `parent`, and deletes forgotten ones. It contains the files of
 * an interrupted download with the same key. Downloads at the same time have separate folders, also
 * if they are in other processes or on other machines.
 */
export async function claimStaging(parent: string, key: string): Promise<Staging> {
  await mkdir(parent, { recursive: true });
  const folder = join(parent, `${key}.${randomUUID()}`);
  let isClaimed = false;
  for (const entry of await readdir(parent)) {
    const found = join(parent, entry);
    const idleMs = await idleTime(found);
    if (idleMs === undefined) continue;
    const isFree = entry === key || (entry.startsWith(`${key}.`) && idleMs > ABANDONED_MS);
    if (isFree && !isClaimed) isClaimed = await tryRename(found, folder);
    else if (idleMs > KEEP_MS) await rm(found, { recursive: true, force: true });
  }
  if (!isClaimed) await mkdir(folder);
  const touch = () => utimes(folder, new Date(), new Date()).catch(() => undefined);
  await touch();
  const signs = setInterval(touch, SIGN_OF_LIFE_MS).unref();
  return {
    folder,
    async release() {
      clearInterval(signs);
      const isKept = await tryRename(folder, join(parent, key));
      if (!isKept) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Replaces a folder that others read, so that it is missing only for a moment. */
export async function replaceFolder(parent: string, source: string, target: string): Promise<void> {
  const earlier = join(parent, `replaced-${randomUUID()}`);
  await tryRename(target, earlier);
  try {
    await rename(source, target);
  } catch (error) {
    // Another download of the same model was faster: its files are as good, and these are not needed.
    if (!isOneOf(error, OCCUPIED)) throw error;
    await rm(source, { recursive: true, force: true });
  }
  await rm(earlier, { recursive: true, force: true });
}

async function idleTime(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && Date.now() - found.mtimeMs;
}

const OCCUPIED = ['ENOTEMPTY', 'EEXIST'];
const NOT_MOVED = ['ENOENT', ...OCCUPIED];

/** Returns false if there is nothing to move, or the target is occupied. */
async function tryRename(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (isOneOf(error, NOT_MOVED)) return false;
    throw error;
  }
}

const isOneOf = (error: unknown, codes: readonly string[]): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
