import { chmod, lstat, mkdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import type { Account } from '#postgres/account';
import { firstClosed } from '#postgres/first-closed';
import { EngineError } from '#process/engine-error';
import { codeOf, messageOf } from '#process/thrown';

/** Where root keeps data that PostgreSQL's account could not reach otherwise, unless LECTERN_POSTGRES_DIR names another. */
const DEFAULT_FOLDER = '/var/lib/lectern';

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;
/** Others may pass through, to what is theirs, and see no names. */
const PASS_ONLY = 0o711;

/** The private folder of this process. Throws an `EngineError` where its setting is no absolute path. */
export function privateFolder(): string {
  const folder = process.env.LECTERN_POSTGRES_DIR || DEFAULT_FOLDER;
  if (isAbsolute(folder)) return resolve(folder);
  throw new EngineError(
    `LECTERN_POSTGRES_DIR is "${folder}", which is no absolute path. Set it to one that begins with /.`,
  );
}

/** Every folder that may hold private data: a setting that has changed must not hide what is in the default. */
export const privateFolders = (): string[] => [...new Set([privateFolder(), DEFAULT_FOLDER])];

/**
 * The real path of the folder that root keeps private data directories in; made where it is missing. Throws an
 * `EngineError` where it is not safe, or PostgreSQL's account cannot pass through it.
 */
export async function openPrivateFolder(wanted: string, account: Account): Promise<string> {
  const path = resolve(wanted);
  const refuse = (why: string) =>
    new EngineError(
      `PostgreSQL's data cannot be kept in ${path}: ${why}. Set LECTERN_POSTGRES_DIR to a folder that only root can change and every account may pass through (mode 711), or run Lectern as an ordinary user.`,
    );
  await makeFolders(path).catch((cause) => {
    throw refuse(`it cannot be made (${messageOf(cause)})`);
  });
  const fault = await faultOf(path);
  if (fault !== undefined) throw refuse(fault);
  const closed = await firstClosed(account, [{ path, how: 'pass' }]);
  if (closed !== undefined) throw refuse("PostgreSQL's account may not pass through it");
  return realpath(path);
}

/**
 * Why a private folder is not to be trusted; undefined for one that is there and that nobody but root can change or
 * replace. Root hands what it finds there to another account.
 */
export async function faultOf(path: string): Promise<string | undefined> {
  const itself = await lstat(path).catch(() => undefined);
  if (itself?.isDirectory() !== true) return itself?.isSymbolicLink() ? 'it is a symbolic link' : 'it is not a folder';
  const real = await realpath(path);
  for (let folder = real; ; folder = dirname(folder)) {
    const { uid, mode } = await lstat(folder);
    if (uid !== 0) return `${folder} belongs to the account with uid ${uid}`;
    // In a shared folder with the sticky bit, such as /tmp, nobody can replace what root made.
    const isShared = (mode & WRITABLE_BY_OTHERS) !== 0 && (folder === real || (mode & STICKY) === 0);
    if (isShared) return `other accounts can change ${folder}`;
    if (folder === dirname(folder)) return undefined;
  }
}

/** `mkdir` with `recursive` would give them the modes of this process's umask. */
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
