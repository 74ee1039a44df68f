import { hkdfSync, randomBytes } from 'node:crypto';
import {
  ensureServiceRoles,
  NATS_PERMISSIONS,
  type NatsUser,
  natsUserUrl,
  serviceRoleUrl,
} from '@lectern/local-engines';
import type { Config } from '#config';
import type { Home } from '#home';
import { LauncherError } from '#launcher-error';
import { readOrCreateSecret } from '#secret-file';
import { isExternal } from '#service-setting';
import { SERVICES, type ServiceName } from '#services';

const KEY_BYTES = 32;
/** The NATS user with full access, for the launcher's commands and for tests. */
const NATS_OPERATOR = 'lectern';
/** The services with a database. Each has a schema of the same name. */
const WITH_DATABASE = SERVICES.filter(({ needs }) => needs.includes('postgres')).map(({ name }) => name);

/**
 * The secrets that the services of this installation use to authenticate to each other and to the
 * engines. A backup does not need them.
 */
export interface Secrets {
  /** `LECTERN_INTERNAL_KEYS`. */
  readonly internalKeys: string;
  /** The API key of the vector store that Lectern starts. */
  readonly qdrantApiKey: string;
  /** The operator first. */
  readonly natsUsers: readonly [NatsUser, ...NatsUser[]];
  natsUrlOf(service: ServiceName, url: string): string;
  /** Creates the services' roles in a database that Lectern runs; `url` is the superuser's. */
  ensureRoles(url: string): Promise<void>;
  databaseUrlOf(service: ServiceName, url: string): string;
}

/**
 * Derives each secret from the installation key in the home. The first start creates that key.
 * Throws a `LauncherError`.
 */
export async function openSecrets(home: Home): Promise<Secrets> {
  const stored = await readOrCreateSecret(home.installationKey, () => randomBytes(KEY_BYTES).toString('base64'));
  const key = Buffer.from(stored, 'base64');
  if (key.length !== KEY_BYTES)
    throw new LauncherError(
      `The installation key ${home.installationKey} is damaged. Remove the file: the next start creates a new one.`,
    );
  const secretFor = (purpose: string): string =>
    Buffer.from(hkdfSync('sha256', key, '', `lectern ${purpose}`, KEY_BYTES)).toString('base64url');
  const natsUser = (name: string): NatsUser => ({ name, password: secretFor(`nats ${name}`) });
  const passwordOf = (service: string) => secretFor(`postgresql ${service}`);
  return {
    internalKeys: secretFor('internal calls'),
    qdrantApiKey: secretFor('qdrant'),
    natsUsers: [
      natsUser(NATS_OPERATOR),
      ...Object.entries(NATS_PERMISSIONS).map(([name, permissions]) => ({ ...natsUser(name), permissions })),
    ],
    natsUrlOf: (service, url) => natsUserUrl(url, natsUser(service)),
    ensureRoles: (url) =>
      ensureServiceRoles(url, Object.fromEntries(WITH_DATABASE.map((name) => [name, passwordOf(name)]))),
    databaseUrlOf: (service, url) => serviceRoleUrl(url, service, passwordOf(service)),
  };
}

/**
 * Adds the secrets that the operator has not set to the launcher's settings. An external vector store
 * has a separate key, or none.
 */
export function withSecrets(config: Config, { internalKeys, qdrantApiKey }: Secrets): Config {
  const env = { ...config.env, LECTERN_INTERNAL_KEYS: config.env.LECTERN_INTERNAL_KEYS || internalKeys };
  if (isExternal(config.env, 'QDRANT_URL') || config.QDRANT_API_KEY) return { ...config, env };
  return { ...config, env, QDRANT_API_KEY: qdrantApiKey };
}
