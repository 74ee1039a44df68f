import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '#process/engine-error';

/**
 * Reads the superuser's password from `<dataDir>.password` (mode 0600), or creates one with 192 random bits
 * for a new data directory. Throws an `EngineError` if the data exists without its password.
 */
export async function readOrCreatePassword(dataDir: string): Promise<string> {
  const file = `${dataDir}.password`;
  const stored = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (stored !== '') return stored;
  if (existsSync(join(dataDir, 'PG_VERSION'))) {
    throw new EngineError(
      `${file} is missing: Lectern cannot log in to the database in ${dataDir}. Restore the file, or move ${dataDir} away to start with an empty database.`,
    );
  }
  const created = randomBytes(24).toString('base64url');
  await writeFile(file, `${created}\n`, { mode: 0o600, flush: true });
  return created;
}
