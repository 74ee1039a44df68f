import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Copied, copyFiles } from '@lectern/local-engines';

const ATTEMPTS = 5;

/**
 * Copies the data of qdrant-local, even while it runs: its logs are append-only, and it drops an
 * incomplete last entry when it opens them. Repeats the copy if a compaction replaced files in the
 * meantime. Returns undefined if there is no data or every attempt failed: a restore then regenerates
 * the vectors from the database.
 */
export async function copyVectors(dataDir: string, to: string): Promise<Copied | undefined> {
  if (!existsSync(dataDir)) return undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = await fingerprint(dataDir);
    const copied = await copyFiles(dataDir, to, isExcluded);
    if ((await fingerprint(dataDir)) === before) return copied;
    await rm(to, { recursive: true, force: true });
  }
  return undefined;
}

/** Excludes the lock of the running process and the temporary files of a running compaction. */
const isExcluded = (path: string): boolean => path.endsWith('.tmp') || path === 'lock' || path.endsWith('.lock');

/** Returns the names of all files and the list of collections, as text. */
async function fingerprint(dataDir: string): Promise<string> {
  const names = (await readdir(dataDir, { recursive: true })).filter((name) => !isExcluded(name)).sort();
  const manifest = await readFile(join(dataDir, 'manifest.json'), 'utf8').catch(() => '');
  return JSON.stringify([names, manifest]);
}
