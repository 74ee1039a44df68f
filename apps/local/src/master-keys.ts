import { randomBytes } from 'node:crypto';
import type { Config } from '#config';
import type { Home } from '#home';
import { readOrCreateSecret } from '#secret-file';

const KEY_BYTES = 32;

/**
 * Adds the keys that encrypt connector credentials to the settings: `LECTERN_MASTER_KEYS`, or the keys
 * in the home, which the first start creates. Throws a `LauncherError`.
 */
export async function withMasterKeys(config: Config, home: Home): Promise<Config> {
  if (config.env.LECTERN_MASTER_KEYS) return config;
  const keys = await readOrCreateSecret(home.masterKeys, () => `1:${randomBytes(KEY_BYTES).toString('base64')}`);
  return { ...config, env: { ...config.env, LECTERN_MASTER_KEYS: keys } };
}
