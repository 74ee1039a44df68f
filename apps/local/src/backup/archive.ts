import { chmod, rename, rm } from 'node:fs/promises';
import { runToEnd } from '@lectern/local-engines';

const TIMEOUT_MS = 24 * 60 * 60_000;

/** Returns true if the path names an archive, not a folder. */
export const isArchive = (path: string): boolean => /\.(tar|tar\.gz|tgz)$/.test(path);

/** Returns the path that `pack` writes to before it renames the file. */
export const draftOf = (file: string): string => `${file}.draft`;

/** Packs a folder into a file with mode 0600, atomically. Throws an `EngineError`, or the signal's reason. */
export async function pack(folder: string, file: string, signal: AbortSignal): Promise<void> {
  const draft = draftOf(file);
  try {
    await tar([file.endsWith('.tar') ? '-cf' : '-czf', draft, '-C', folder, '.'], signal);
    await chmod(draft, 0o600);
    await rename(draft, file);
  } catch (error) {
    // The draft contains secrets, and uses space on a disk that may be full.
    await rm(draft, { force: true });
    throw error;
  }
}

/** Unpacks an archive into a folder. Throws like `pack`, also if the archive is truncated. */
export const unpack = (file: string, folder: string, signal: AbortSignal): Promise<void> =>
  tar(['-xf', file, '-C', folder, '--no-same-owner'], signal);

/** Runs tar. It ends with this process. */
const tar = (args: readonly string[], signal: AbortSignal): Promise<void> =>
  runToEnd('tar', args, { timeoutMs: TIMEOUT_MS, env: { ...process.env, LC_ALL: 'C' }, signal });
