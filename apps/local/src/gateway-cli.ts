import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { REPOSITORY } from '#home-folder';
import { LauncherError, messageOf } from '#launcher-error';
import { pickSettings } from '#service-env';
import { COMMON_SETTINGS } from '#services';

const TIMEOUT_MS = 60_000;
const pairSchema = z.object({ teamId: z.string(), secretKey: z.string(), publishableKey: z.string() });

/** A new pair of keys, as the gateway shows it once. */
export type KeyPair = z.infer<typeof pairSchema>;

/** The gateway's command line for keys. */
export const GATEWAY_CLI = join(REPOSITORY, 'apps/gateway/src/cli/keys.ts');

/** The environment that the gateway's command line runs in. */
export function gatewayCliEnv(env: NodeJS.ProcessEnv, databaseUrl: string, cache: string): NodeJS.ProcessEnv {
  return { ...pickSettings(env, COMMON_SETTINGS), DATABASE_URL: databaseUrl, NODE_COMPILE_CACHE: cache };
}

/** Has the gateway make a pair for the team named `default`, and the team where there is none. Throws a `LauncherError`. */
export async function createKeyPair(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<KeyPair> {
  const args = [GATEWAY_CLI, 'create', '--team', 'default', '--json'];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: TIMEOUT_MS, signal });
    return pairSchema.parse(JSON.parse(stdout));
  } catch (error) {
    signal.throwIfAborted();
    // What it printed on standard output may hold keys; its standard error says what went wrong.
    const said = error instanceof Error ? Reflect.get(error, 'stderr') : undefined;
    const why = typeof said === 'string' && said !== '' ? said.trim() : messageOf(error);
    throw new LauncherError(`The first keys could not be made: ${why}`, { cause: error });
  }
}
