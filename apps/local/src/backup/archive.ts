import { chmod, rename, rm } from 'node:fs/promises';
import { runToEnd } from '@lectern/local-engines';

const TIMEOUT_MS = 24 * 60 * 60_000;

/** True for the path of a file that is packed, not of a folder. */
export const isArchive = (path: string): boolean => /\.(tar|tar\.gz|tgz)$/.test(path);

/** What `pack` writes to until it is whole. */
export const draftOf = (file: string): string => `${file}.draft`;

/** Packs a folder into one file, which appears whole or not at all. Mode 0600. Throws an `EngineError`, or why the signal was aborted. */
export async function pack(folder: string, file: string, signal: AbortSignal): Promise<void> {
  const draft = draftOf(file);
  try {
    await tar([file.endsWith('.tar') ? '-cf' : '-czf', draft, '-C', folder, '.'], signal);
    await chmod(draft, 0o600);
    await rename(draft, file);
  } catch (error) {
    // Secrets are in it, and on a full disk its room is needed.
    await rm(draft, { force: true });
    throw error;
  }
}

/** Unpacks what `pack` wrote into a folder. Throws as `pack` does; a file that was cut short is told by tar. */
export const unpack = (file: string, folder: string, signal: AbortSignal): Promise<void> =>
  tar(['-xf', file, '-C', folder, '--no-same-owner'], signal);

/** It ends with this process, however that ends. */
const tar = (args: readonly string[], signal: AbortSignal): Promise<void> =>
  runToEnd('tar', args, { timeoutMs: TIMEOUT_MS, env: { ...process.env, LC_ALL: 'C' }, signal });
