import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Copied, copyFiles } from '@lectern/local-engines';

const ATTEMPTS = 5;

/**
 * Copies the data of a qdrant-local that may be running. Its logs only grow, and a last entry that is cut short is cut off when it is opened; only a log
 * that gave way to a snapshot meanwhile makes a copy worthless, and then it is taken again. Undefined where there is no data, or it
 * changed its files each time: vectors can be made anew from the database.
 */
export async function copyVectors(dataDir: string, to: string): Promise<Copied | undefined> {
  if (!existsSync(dataDir)) return undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = await shapeOf(dataDir);
    const copied = await copyFiles(dataDir, to, isLeftOut);
    if ((await shapeOf(dataDir)) === before) return copied;
    await rm(to, { recursive: true, force: true });
  }
  return undefined;
}

/** The lock belongs to the process that runs; drafts belong to a compaction at work. */
const isLeftOut = (path: string): boolean => path.endsWith('.tmp') || path === 'lock' || path.endsWith('.lock');

/** The names of all files, and what the collections are. */
async function shapeOf(dataDir: string): Promise<string> {
  const names = (await readdir(dataDir, { recursive: true })).filter((name) => !isLeftOut(name)).sort();
  const manifest = await readFile(join(dataDir, 'manifest.json'), 'utf8').catch(() => '');
  return JSON.stringify([names, manifest]);
}
