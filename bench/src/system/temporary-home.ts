import { chmod, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeWithData } from '@lectern/local-engines';

/** A place for a Lectern's data. */
export interface TemporaryHome {
  readonly path: string;
  /** Leaves alone what is to be kept. */
  remove(): Promise<void>;
}

/** Makes a place that is gone after the run. */
export async function createTemporaryHome(): Promise<TemporaryHome> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-'));
  await letPostgresPass(folder);
  return { path: join(folder, 'home'), remove: () => removeWithData(folder) };
}

/** The same in a folder that is kept, with what an earlier run left in it. */
export async function openKeptHome(folder: string): Promise<TemporaryHome> {
  await mkdir(folder, { recursive: true });
  await letPostgresPass(folder);
  return { path: join(folder, 'home'), remove: async () => undefined };
}

/** PostgreSQL does not run as root, and its account must be able to pass through. */
async function letPostgresPass(folder: string): Promise<void> {
  if (process.getuid?.() === 0) await chmod(folder, 0o711);
}
