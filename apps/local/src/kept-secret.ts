import { randomUUID } from 'node:crypto';
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises';
import { codeOf, LauncherError, messageOf } from '#launcher-error';

/**
 * The secret that a file keeps, readable for this account alone; made where there is none, whole or not at all, and never over another's. Throws a
 * `LauncherError`.
 */
export async function keptSecret(file: string, make: () => string): Promise<string> {
  try {
    await makeFile(file, make);
    // A copy from elsewhere may have come with other rights.
    await chmod(file, 0o600);
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new LauncherError(`${file} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

async function makeFile(file: string, make: () => string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, `${make()}\n`, { mode: 0o600, flush: true });
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
