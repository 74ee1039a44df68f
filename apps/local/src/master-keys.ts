import { randomBytes } from 'node:crypto';
import type { Config } from '#config';
import type { Home } from '#home';
import { keptSecret } from '#kept-secret';

const KEY_BYTES = 32;

/**
 * The launcher's settings with the keys that credentials are sealed with: the operator's `LECTERN_MASTER_KEYS`, else those that the home
 * keeps, which are made at the first start. Throws a `LauncherError`.
 */
export async function withMasterKeys(config: Config, home: Home): Promise<Config> {
  if (config.env.LECTERN_MASTER_KEYS) return config;
  const keys = await keptSecret(home.masterKeys, () => `1:${randomBytes(KEY_BYTES).toString('base64')}`);
  return { ...config, env: { ...config.env, LECTERN_MASTER_KEYS: keys } };
}
