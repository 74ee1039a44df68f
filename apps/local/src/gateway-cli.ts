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

/** A new pair of keys. The gateway shows the secret key only once. */
export type KeyPair = z.infer<typeof pairSchema>;

/** The gateway's command for keys. */
export const GATEWAY_CLI = join(REPOSITORY, 'apps/gateway/src/cli/keys.ts');

/** Returns the environment for the gateway's command. */
export function gatewayCliEnv(env: NodeJS.ProcessEnv, databaseUrl: string, cache: string): NodeJS.ProcessEnv {
  return { ...pickSettings(env, COMMON_SETTINGS), DATABASE_URL: databaseUrl, NODE_COMPILE_CACHE: cache };
}

/** Creates a key pair for the team `default`, and the team if needed. Throws a `LauncherError`. */
export async function createKeyPair(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<KeyPair> {
  const args = [GATEWAY_CLI, 'create', '--team', 'default', '--json'];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: TIMEOUT_MS, signal });
    return pairSchema.parse(JSON.parse(stdout));
  } catch (error) {
    signal.throwIfAborted();
    // Standard output can contain keys; standard error contains the reason.
    const stderr = error instanceof Error ? Reflect.get(error, 'stderr') : undefined;
    const why = typeof stderr === 'string' && stderr !== '' ? stderr.trim() : messageOf(error);
    throw new LauncherError(`The first API keys could not be created: ${why}`, { cause: error });
  }
}
