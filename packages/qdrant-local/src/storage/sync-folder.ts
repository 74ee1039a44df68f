import { open } from 'node:fs/promises';

/** Makes new, renamed and deleted names in a folder durable. Windows cannot sync folders and needs no such step. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
