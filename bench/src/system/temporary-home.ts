import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A place for a Lectern that is gone after the run. */
export interface TemporaryHome {
  readonly path: string;
  remove(): Promise<void>;
}

/** Makes it. */
export async function createTemporaryHome(): Promise<TemporaryHome> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-'));
  // PostgreSQL does not run as root, and its account must be able to pass through.
  if (process.getuid?.() === 0) await chmod(folder, 0o711);
  return { path: join(folder, 'home'), remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) };
}
