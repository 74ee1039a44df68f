import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '#launcher-error';

/**
 * Creates a folder with mode 0700, and missing parents. Returns false if it existed. Node's own
 * `recursive` never returns on /proc, which reports ENOENT for new folders. Throws file system errors.
 */
export async function createFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return false;
    if (codeOf(error) !== 'ENOENT') throw error;
    const above = dirname(path);
    // The parent exists, so the file system does not allow new folders.
    if (above === path || !(await createFolder(above))) throw error;
    await mkdir(path, { mode: 0o700 });
    return true;
  }
}
