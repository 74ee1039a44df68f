import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the disk usage of a folder in bytes. Ignores files that are deleted in the meantime. */
export async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(
    names.map(async (name) => {
      const found = await lstat(join(folder, name)).catch(() => undefined);
      return found?.isFile() ? found.blocks * 512 : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
