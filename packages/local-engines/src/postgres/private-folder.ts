import { chmod, lstat, mkdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import type { Account } from '#postgres/account';
import { firstInaccessible } from '#postgres/first-inaccessible';
import { EngineError } from '#process/engine-error';
import { codeOf, messageOf } from '#process/thrown';

/**
 * Where root stores data that PostgreSQL's account could not access in the data folder.
 * LECTERN_POSTGRES_DIR overrides it.
 */
const DEFAULT_FOLDER = '/var/lib/lectern';

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;
/** Other accounts can enter subfolders but cannot list names. */
const ENTER_ONLY = 0o711;

/**
 * Returns the private folder of this process. Throws an `EngineError` if the setting is not an absolute
 * path.
 */
export function privateFolder(): string {
  const folder = process.env.LECTERN_POSTGRES_DIR || DEFAULT_FOLDER;
  if (isAbsolute(folder)) return resolve(folder);
  throw new EngineError(
    `LECTERN_POSTGRES_DIR is "${folder}", which is not an absolute path. Set it to a path that starts with /.`,
  );
}

/**
 * Returns all folders that can contain private data. Includes the default folder, so that a changed
 * setting does not hide data.
 */
export const privateFolders = (): string[] => [...new Set([privateFolder(), DEFAULT_FOLDER])];

/**
 * Returns the real path of the folder in which root stores private data directories, and creates it
 * if missing. Throws an `EngineError` if it is not safe or PostgreSQL's account cannot enter it.
 */
export async function openPrivateFolder(requestedPath: string, account: Account): Promise<string> {
  const path = resolve(requestedPath);
  const unsafe = (why: string) =>
    new EngineError(
      `PostgreSQL's data cannot be stored in ${path}: ${why}. Set LECTERN_POSTGRES_DIR to a folder that only root can change and every account can enter (mode 711), or run Lectern as an ordinary user.`,
    );
  await makeFolders(path).catch((cause) => {
    throw unsafe(`it cannot be created (${messageOf(cause)})`);
  });
  const reason = await whyUnsafe(path);
  if (reason !== undefined) throw unsafe(reason);
  const inaccessible = await firstInaccessible(account, [{ path, how: 'enter' }]);
  if (inaccessible !== undefined) throw unsafe("PostgreSQL's account cannot enter it");
  return realpath(path);
}

/**
 * Returns why a private folder is not safe, because root changes the owner of its contents. Undefined
 * for an existing folder that only root can change or replace.
 */
export async function whyUnsafe(path: string): Promise<string | undefined> {
  const status = await lstat(path).catch(() => undefined);
  if (status?.isDirectory() !== true) return status?.isSymbolicLink() ? 'it is a symbolic link' : 'it is not a folder';
  const real = await realpath(path);
  for (let folder = real; ; folder = dirname(folder)) {
    const { uid, mode } = await lstat(folder);
    if (uid !== 0) return `${folder} belongs to the account with uid ${uid}`;
    // In a shared folder with the sticky bit, for example /tmp, other accounts cannot replace root's
    // files.
    const isShared = (mode & WRITABLE_BY_OTHERS) !== 0 && (folder === real || (mode & STICKY) === 0);
    if (isShared) return `other accounts can change ${folder}`;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Creates missing parent folders. `mkdir` with `recursive` would apply the umask to them. */
async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: ENTER_ONLY });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT' || path === dirname(path)) throw error;
    await makeFolders(dirname(path));
    await mkdir(path, { mode: ENTER_ONLY });
  }
  await chmod(path, ENTER_ONLY);
}
