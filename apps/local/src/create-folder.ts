import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '#launcher-error';

/**
 * Creates a folder with mode 0700, and missing parents. Returns false if it existed. Does not use
 * Node's `recursive`, which never returns on /proc, where new folders fail with ENOENT. Throws file system errors.
 */
export async function createFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return false;
    if (codeOf(error) !== 'ENOENT') throw error;
    const parent = dirname(path);
    // The parent exists, so the file system does not allow new folders.
    if (parent === path || !(await createFolder(parent))) throw error;
    await mkdir(path, { mode: 0o700 });
    return true;
  }
}
