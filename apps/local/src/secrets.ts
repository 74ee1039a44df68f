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
import { keptSecret } from '#kept-secret';
import { LauncherError } from '#launcher-error';
import { isElsewhere } from '#own-setting';
import { SERVICES, type ServiceName } from '#services';

const KEY_BYTES = 32;
/** Who may do everything with NATS: the launcher, for commands and tests. */
const NATS_OPERATOR = 'lectern';
/** Each has a schema of its name. */
const WITH_DATABASE = SERVICES.filter(({ needs }) => needs.includes('postgres')).map(({ name }) => name);

/** What the parts of this installation prove themselves with to each other. Nothing of it is needed after a restore, or on another machine. */
export interface Secrets {
  /** `LECTERN_INTERNAL_KEYS`. */
  readonly internalKeys: string;
  /** Demanded by the vector store that is started here. */
  readonly qdrantApiKey: string;
  /** The operator first. */
  readonly natsUsers: readonly [NatsUser, ...NatsUser[]];
  natsUrlOf(service: ServiceName, url: string): string;
  /** Makes the services' roles in a database that is run here; `url` is the superuser's. */
  ensureRoles(url: string): Promise<void>;
  databaseUrlOf(service: ServiceName, url: string): string;
}

/** Derives each secret from the one that the home keeps, which is made at the first start. Throws a `LauncherError`. */
export async function openSecrets(home: Home): Promise<Secrets> {
  const kept = await keptSecret(home.installationKey, () => randomBytes(KEY_BYTES).toString('base64'));
  const key = Buffer.from(kept, 'base64');
  if (key.length !== KEY_BYTES)
    throw new LauncherError(`${home.installationKey} is damaged. Remove it: the next start makes another.`);
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

/** The launcher's settings with the secrets that the operator has not set. A vector store of the operator's own has its own key, or none. */
export function withSecrets(config: Config, { internalKeys, qdrantApiKey }: Secrets): Config {
  const env = { ...config.env, LECTERN_INTERNAL_KEYS: config.env.LECTERN_INTERNAL_KEYS || internalKeys };
  if (isElsewhere(config.env, 'QDRANT_URL') || config.QDRANT_API_KEY) return { ...config, env };
  return { ...config, env, QDRANT_API_KEY: qdrantApiKey };
}
