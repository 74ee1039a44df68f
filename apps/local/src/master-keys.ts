import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import type { Config } from '#config';
import type { Home } from '#home';
import { codeOf, LauncherError, messageOf } from '#launcher-error';

const KEY_BYTES = 32;

/** Makes the file where there is none: whole or not at all, and never over another's. Mode 0600. */
async function makeFile(file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, `1:${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true });
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * The launcher's settings with the keys that credentials are sealed with: the operator's `LECTERN_MASTER_KEYS`, else those that the home
 * keeps, which are made at the first start. Throws a `LauncherError`.
 */
export async function withMasterKeys(config: Config, home: Home): Promise<Config> {
  if (config.env.LECTERN_MASTER_KEYS) return config;
  try {
    await makeFile(home.masterKeys);
    const keys = (await readFile(home.masterKeys, 'utf8')).trim();
    return { ...config, env: { ...config.env, LECTERN_MASTER_KEYS: keys } };
  } catch (error) {
    throw new LauncherError(`${home.masterKeys} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}
