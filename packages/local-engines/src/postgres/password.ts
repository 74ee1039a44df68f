import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '#process/engine-error';

/**
 * Reads the superuser's password from `<dataDir>.password`, which only its owner may read, or makes one of 192 random
 * bits for a data directory that does not exist yet. Throws an `EngineError` when the data is there without its password.
 */
export async function readOrCreatePassword(dataDir: string): Promise<string> {
  const file = `${dataDir}.password`;
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept.trim() !== '') return kept.trim();
  if (existsSync(join(dataDir, 'PG_VERSION'))) {
    throw new EngineError(
      `${file} is missing, and without it nobody can log in to the database in ${dataDir}. Restore the file, or move ${dataDir} away to begin with an empty database.`,
    );
  }
  const created = randomBytes(24).toString('base64url');
  await writeFile(file, `${created}\n`, { mode: 0o600, flush: true });
  return created;
}
