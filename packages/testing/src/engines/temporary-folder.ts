import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeWithData } from '@lectern/local-engines';

/** Creates a temporary folder for a test. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'lectern-test-'));
  // PostgreSQL does not run as root, and its account must be able to enter the folder.
  if (process.getuid?.() === 0) await chmod(path, 0o711);
  return { path, remove: () => removeWithData(path) };
}
