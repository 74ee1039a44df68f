import type { Config } from '#config';
import { type Credentials, readCredentials, writeCredentials } from '#credentials';
import { createKeyPair, gatewayCliEnv } from '#gateway-cli';
import type { Home } from '#home';

const CHECK_TIMEOUT_MS = 10_000;

/** The credentials, and whether this start created them. */
export interface EnsuredCredentials {
  readonly credentials: Credentials;
  readonly areNew: boolean;
}

/** Creates keys if none are stored. Runs while the services start, because it does not need them. */
export async function keysForFirstStart(
  config: Config,
  home: Home,
  databaseUrl: Promise<string>,
  signal: AbortSignal,
): Promise<Omit<Credentials, 'baseUrl'> | undefined> {
  if (await readCredentials(home.credentials)) return undefined;
  return createKeyPair(gatewayCliEnv(config.env, await databaseUrl, home.cache), signal);
}

/**
 * Writes credentials.json with the current address and the new or stored keys. Replaces stored keys
 * that the gateway rejects, for example after a change of the database.
 */
export async function ensureCredentials(
  config: Config,
  home: Home,
  databaseUrl: Promise<string>,
  created: Omit<Credentials, 'baseUrl'> | undefined,
  baseUrl: string,
  signal: AbortSignal,
): Promise<EnsuredCredentials> {
  const stored = created ? undefined : await readCredentials(home.credentials);
  const isUsable = stored !== undefined && (await isAccepted(stored, baseUrl, signal));
  const keys =
    created ??
    (isUsable ? stored : await createKeyPair(gatewayCliEnv(config.env, await databaseUrl, home.cache), signal));
  const { teamId, secretKey, publishableKey } = keys;
  const credentials = { baseUrl, teamId, secretKey, publishableKey };
  await writeCredentials(home.credentials, credentials);
  return { credentials, areNew: !isUsable };
}

/** Returns false only if the gateway rejects the key, and not for a rate limit or server error. */
async function isAccepted({ secretKey }: Credentials, baseUrl: string, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(`${baseUrl}/api/v1/collections?limit=1`, {
    headers: { authorization: `Bearer ${secretKey}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]),
  });
  const body: unknown = await response.json().catch(() => undefined);
  return !(response.status === 401 && JSON.stringify(body).includes('"invalid_key"'));
}
