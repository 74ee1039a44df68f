import { execFile } from 'node:child_process';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { LauncherError, messageOf } from '#launcher-error';

const TIMEOUT_MS = 24 * 60 * 60_000;

/** True for the path of a file that is packed, not of a folder. */
export const isArchive = (path: string): boolean => /\.(tar|tar\.gz|tgz)$/.test(path);

/** Packs a folder into one file, which appears whole or not at all. Mode 0600. Throws a `LauncherError`. */
export async function pack(folder: string, file: string): Promise<void> {
  const draft = `${file}.draft`;
  await tar([file.endsWith('.tar') ? '-cf' : '-czf', draft, '-C', folder, '.']);
  await chmod(draft, 0o600);
  await rename(draft, file);
}

/** Unpacks what `pack` wrote into a new folder. Throws a `LauncherError`; a file that was cut short is told by tar. */
export async function unpack(file: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  await tar(['-xf', file, '-C', folder, '--no-same-owner']);
}

async function tar(args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)('tar', [...args], { timeout: TIMEOUT_MS, env: { ...process.env, LC_ALL: 'C' } });
  } catch (error) {
    throw new LauncherError(`tar failed: ${messageOf(error)}`, { cause: error });
  }
}
