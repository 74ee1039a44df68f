import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureNatsServer, removeWithData } from '#index';

/** A folder for one suite; `remove` deletes it. */
export function scratchFolder(): { path: string; remove: () => Promise<void> } {
  const path = mkdtempSync(join(tmpdir(), 'lectern-engines-'));
  // PostgreSQL does not run as root: its account must be able to enter the folder.
  if (process.getuid?.() === 0) chmodSync(path, 0o711);
  return { path, remove: () => removeWithData(path) };
}

/** The path of the nats-server that all suites of a checkout share. */
export function natsBinary(): Promise<string> {
  return ensureNatsServer({
    cacheDir: fileURLToPath(new URL('../../../../node_modules/.cache/lectern', import.meta.url)),
  });
}
