import type { Config } from '#config';
import { type Credentials, readCredentials, writeCredentials } from '#credentials';
import { createKeyPair, gatewayCliEnv } from '#gateway-cli';
import type { Home } from '#home';

const CHECK_TIMEOUT_MS = 10_000;

/** The credentials to be kept, and whether they were made just now. */
export interface EnsuredCredentials {
  readonly credentials: Credentials;
  readonly areNew: boolean;
}

/** Makes keys where none are kept; runs beside the start of the services, which it does not need. */
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
 * Writes credentials.json for this start: the new keys, else those that are kept with the address of now. Kept keys that the
 * gateway does not know (another database, revoked) give way to new ones.
 */
export async function ensureCredentials(
  config: Config,
  home: Home,
  databaseUrl: Promise<string>,
  made: Omit<Credentials, 'baseUrl'> | undefined,
  baseUrl: string,
  signal: AbortSignal,
): Promise<EnsuredCredentials> {
  const kept = made ? undefined : await readCredentials(home.credentials);
  const isUsable = kept !== undefined && (await isKnown(kept, baseUrl, signal));
  const keys =
    made ?? (isUsable ? kept : await createKeyPair(gatewayCliEnv(config.env, await databaseUrl, home.cache), signal));
  const { teamId, secretKey, publishableKey } = keys;
  const credentials = { baseUrl, teamId, secretKey, publishableKey };
  await writeCredentials(home.credentials, credentials);
  return { credentials, areNew: !isUsable };
}

/** False only where the gateway says so: a limit or an error says nothing about the key. */
async function isKnown({ secretKey }: Credentials, baseUrl: string, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(`${baseUrl}/api/v1/collections?limit=1`, {
    headers: { authorization: `Bearer ${secretKey}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  return !(response.status === 401 && JSON.stringify(answer).includes('"invalid_key"'));
}
