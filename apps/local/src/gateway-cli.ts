import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { REPOSITORY } from '#home-folder';
import { LauncherError, messageOf } from '#launcher-error';
import { pickSettings } from '#service-env';
import { COMMON_SETTINGS } from '#services';

/** Longer than it takes while the services of a first start compile on a busy machine. */
const TIMEOUT_MS = 180_000;
const pairSchema = z.object({ teamId: z.string(), secretKey: z.string(), publishableKey: z.string() });

const linkSchema = z.object({ path: z.string().nullable() });

/** A new pair of keys. The gateway shows the secret key only once. */
export type KeyPair = z.infer<typeof pairSchema>;

/** The gateway's command for keys. */
export const GATEWAY_CLI = join(REPOSITORY, 'apps/gateway/src/cli/keys.ts');

/** Returns the environment for the gateway's command. */
export function gatewayCliEnv(env: NodeJS.ProcessEnv, databaseUrl: string, cache: string): NodeJS.ProcessEnv {
  return { ...pickSettings(env, COMMON_SETTINGS), DATABASE_URL: databaseUrl, NODE_COMPILE_CACHE: cache };
}

/** Runs the gateway's command for the team `default`. Throws a `LauncherError`. */
async function runCli<T>(
  args: readonly string[],
  schema: z.ZodType<T>,
  what: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  program: string = GATEWAY_CLI,
): Promise<T> {
  const all = [program, ...args, '--team', 'default', '--json'];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, all, { env, timeout: TIMEOUT_MS, signal });
    return schema.parse(JSON.parse(stdout));
  } catch (error) {
    signal.throwIfAborted();
    throw new LauncherError(`${what} could not be created: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return messageOf(error);
  // Standard output can contain keys; standard error contains the reason.
  const stderr: unknown = Reflect.get(error, 'stderr');
  const reason = typeof stderr === 'string' ? stderr.trim() : '';
  if (Reflect.get(error, 'killed') !== true) return reason || messageOf(error);
  const end = reason && ` Its last output: ${reason}`;
  return `the command did not end within ${TIMEOUT_MS / 1000} s, because the machine is too busy or the database does not respond. Start Lectern again.${end}`;
}

/** Creates a key pair for the team `default`, and the team if needed. Throws a `LauncherError`. */
export const createKeyPair = (env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<KeyPair> =>
  runCli(['create'], pairSchema, 'The first API keys', env, signal);

/**
 * Creates a link that makes the first owner of the team `default`. Returns its path, or null if the
 * team has an owner. Throws a `LauncherError`.
 */
export async function createOwnerLink(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  program: string,
): Promise<string | null> {
  const args = ['owner-link', '--if-none'];
  const { path } = await runCli(args, linkSchema, 'The link for the owner', env, signal, program);
  return path;
}
