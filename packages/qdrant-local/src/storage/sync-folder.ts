import { open } from 'node:fs/promises';

/**
 * Makes created, renamed and deleted files of a folder durable. Windows neither supports nor needs
 * this.
 */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
