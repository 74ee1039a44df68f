import { randomBytes } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { EngineError } from '#process/engine-error';

/** Reads the superuser's password from a file only its owner may read, making one of 192 random bits when there is none. */
export async function readOrCreatePassword(file: string): Promise<string> {
  const created = randomBytes(24).toString('base64url');
  try {
    await writeFile(file, `${created}\n`, { mode: 0o600, flag: 'wx', flush: true });
    return created;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  await chmod(file, 0o600);
  const kept = (await readFile(file, 'utf8')).trim();
  if (kept === '') throw new EngineError(`${file} is empty. Delete it: the next start makes a new password.`);
  return kept;
}
