import { chmod, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeWithData } from '@lectern/local-engines';

/** A folder for Lectern's data. */
export interface TemporaryHome {
  readonly path: string;
  /** Deletes the folder, unless it is kept. */
  remove(): Promise<void>;
}

/** Creates a folder that is deleted after the run. */
export async function createTemporaryHome(): Promise<TemporaryHome> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-'));
  await letPostgresPass(folder);
  return { path: join(folder, 'home'), remove: () => removeWithData(folder) };
}

/** Uses a folder that is kept between runs. */
export async function openKeptHome(folder: string): Promise<TemporaryHome> {
  await mkdir(folder, { recursive: true });
  await letPostgresPass(folder);
  return { path: join(folder, 'home'), remove: async () => undefined };
}

/** PostgreSQL does not run as root, so its account must be able to enter the folder. */
async function letPostgresPass(folder: string): Promise<void> {
  if (process.getuid?.() === 0) await chmod(folder, 0o711);
}
