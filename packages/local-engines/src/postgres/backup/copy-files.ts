import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '#process/thrown';

const AT_ONCE = 32;

/** Files that were copied, and their bytes. */
export interface Copied {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Copies the files of a folder that may change meanwhile: what goes before its turn is left out. `isLeftOut` takes a path inside the folder,
 * with `/` between names. Every copy is on the disk when this resolves, and readable for this account alone.
 */
export async function copyFiles(from: string, to: string, isLeftOut = (_path: string) => false): Promise<Copied> {
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
    const entries = await readdir(join(from, path), { withFileTypes: true }).catch(gone(() => []));
    const named = entries.map((entry) => ({ entry, inside: path === '' ? entry.name : `${path}/${entry.name}` }));
    const taken = named.filter(({ inside }) => !isLeftOut(inside));
    const copies = taken.filter(({ entry }) => entry.isFile());
    // Side by side, as each waits for the disk.
    while (copies.length > 0) await Promise.all(copies.splice(0, AT_ONCE).map(({ inside }) => copy(inside)));
    for (const { inside } of taken.filter(({ entry }) => entry.isDirectory())) {
      await mkdir(join(to, inside), { recursive: true, mode: 0o700 });
      await walk(inside);
    }
  };
  await walk('');
  return { files, bytes };
}

/** Copies a file and syncs the copy; answers with its bytes, or undefined where the file is gone. */
export async function copyOne(from: string, to: string): Promise<number | undefined> {
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    // A file system that can shares the blocks: no time, no room.
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

const gone =
  <T>(instead: () => T) =>
  (error: unknown): T => {
    if (codeOf(error) === 'ENOENT') return instead();
    throw error;
  };
