import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '#launcher-error';

/**
 * Makes a folder, readable for this account alone, and what is missing above it; true where it was made. Node's own `recursive` never ends on a file
 * system that says of a new folder that it does not exist, as /proc does. Throws what the file system says.
 */
export async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return false;
    if (codeOf(error) !== 'ENOENT') throw error;
    const above = dirname(path);
    // What is above is there, and takes no folder.
    if (above === path || !(await makeFolder(above))) throw error;
    await mkdir(path, { mode: 0o700 });
    return true;
  }
}
