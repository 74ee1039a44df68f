import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '#process/thrown';

const MAX_PARALLEL = 32;

/** The number of copied files and their bytes. */
export interface Copied {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Copies the files of a folder that can change during the copy. Skips files that disappear. `isExcluded`
 * gets a path inside the folder with `/` as the separator. The copies have mode 0600 and are synced to disk.
 */
export async function copyFiles(from: string, to: string, isExcluded = (_path: string) => false): Promise<Copied> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  let files = 0;
  let bytes = 0;
  const copy = async (inside: string): Promise<void> => {
    const size = await copyOne(join(from, inside), join(to, inside));
    if (size === undefined) return;
    files += 1;
    bytes += size;
  };
  const walk = async (path: string): Promise<void> => {
    const entries = await readdir(join(from, path), { withFileTypes: true }).catch(ifMissing(() => []));
    const named = entries.map((entry) => ({ entry, inside: path === '' ? entry.name : `${path}/${entry.name}` }));
    const included = named.filter(({ inside }) => !isExcluded(inside));
    const copies = included.filter(({ entry }) => entry.isFile());
    // In parallel, because each copy waits for the disk.
    while (copies.length > 0) await Promise.all(copies.splice(0, MAX_PARALLEL).map(({ inside }) => copy(inside)));
    for (const { inside } of included.filter(({ entry }) => entry.isDirectory())) {
      await mkdir(join(to, inside), { recursive: true, mode: 0o700 });
      await walk(inside);
    }
  };
  await walk('');
  return { files, bytes };
}

/** Copies a file and syncs the copy. Returns its size in bytes, or undefined if the file no longer exists. */
export async function copyOne(from: string, to: string): Promise<number | undefined> {
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    // Copy-on-write file systems share the blocks.
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  await chmod(to, 0o600);
  const file = await open(to, 'r+');
  try {
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

const ifMissing =
  <T>(fallback: () => T) =>
  (error: unknown): T => {
    if (codeOf(error) === 'ENOENT') return fallback();
    throw error;
  };
