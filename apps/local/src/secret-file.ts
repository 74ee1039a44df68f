import { randomUUID } from 'node:crypto';
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises';
import { codeOf, LauncherError, messageOf } from '#launcher-error';

/**
 * Returns the secret in a file that only this account can read. Creates a missing file atomically
 * and never overwrites an existing one. Throws a `LauncherError`.
 */
export async function readOrCreateSecret(file: string, create: () => string): Promise<string> {
  try {
    await createFile(file, create);
    // A file that was copied can have other permissions.
    await chmod(file, 0o600);
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new LauncherError(
      `Lectern cannot use ${file}: ${messageOf(error)}. Check that this account can read and write it.`,
      { cause: error },
    );
  }
}

async function createFile(file: string, create: () => string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, `${create()}\n`, { mode: 0o600, flush: true });
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
