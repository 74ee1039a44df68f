import { chmod, lstat, mkdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import type { Account } from '#postgres/account';
import { firstClosed } from '#postgres/first-closed';
import { EngineError } from '#process/engine-error';
import { codeOf, messageOf } from '#process/thrown';

/**
 * Where root stores data that PostgreSQL's account could not access otherwise; LECTERN_POSTGRES_DIR
 * overrides it.
 */
const DEFAULT_FOLDER = '/var/lib/lectern';

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;
/** Other accounts may enter their own subfolders but cannot list names. */
const PASS_ONLY = 0o711;

/**
 * The private folder of this process. Throws an `EngineError` if the setting is not an absolute
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
 * Every folder that may contain private data: a changed setting must not hide data in the default
 * folder.
 */
export const privateFolders = (): string[] => [...new Set([privateFolder(), DEFAULT_FOLDER])];

/**
 * Returns the real path of the folder in which root stores private data directories, and creates it
 * if missing. Throws an `EngineError` if it is not safe or PostgreSQL's account cannot enter it.
 */
export async function openPrivateFolder(wanted: string, account: Account): Promise<string> {
  const path = resolve(wanted);
  const refuse = (why: string) =>
    new EngineError(
      `PostgreSQL's data cannot be stored in ${path}: ${why}. Set LECTERN_POSTGRES_DIR to a folder that only root can change and every account can enter (mode 711), or run Lectern as an ordinary user.`,
    );
  await makeFolders(path).catch((cause) => {
    throw refuse(`it cannot be created (${messageOf(cause)})`);
  });
  const fault = await faultOf(path);
  if (fault !== undefined) throw refuse(fault);
  const closed = await firstClosed(account, [{ path, how: 'pass' }]);
  if (closed !== undefined) throw refuse("PostgreSQL's account cannot enter it");
  return realpath(path);
}

/**
 * Returns why a private folder is not safe; undefined for an existing folder that only root can
 * change or replace. Root gives the folder's contents to another account.
 */
export async function faultOf(path: string): Promise<string | undefined> {
  const itself = await lstat(path).catch(() => undefined);
  if (itself?.isDirectory() !== true) return itself?.isSymbolicLink() ? 'it is a symbolic link' : 'it is not a folder';
  const real = await realpath(path);
  for (let folder = real; ; folder = dirname(folder)) {
    const { uid, mode } = await lstat(folder);
    if (uid !== 0) return `${folder} belongs to the account with uid ${uid}`;
    // In a shared folder with the sticky bit, for example /tmp, other accounts cannot replace what
    // root created.
    const isShared = (mode & WRITABLE_BY_OTHERS) !== 0 && (folder === real || (mode & STICKY) === 0);
    if (isShared) return `other accounts can change ${folder}`;
    if (folder === dirname(folder)) return undefined;
  }
}

/** `mkdir` with `recursive` would apply this process's umask to them. */
async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: PASS_ONLY });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT' || path === dirname(path)) throw error;
    await makeFolders(dirname(path));
    await mkdir(path, { mode: PASS_ONLY });
  }
  await chmod(path, PASS_ONLY);
}
