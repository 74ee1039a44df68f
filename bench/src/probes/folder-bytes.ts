import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes that a folder's files take on the disk. Files that go meanwhile count as nothing. */
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
