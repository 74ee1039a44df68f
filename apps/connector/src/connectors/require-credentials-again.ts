import { isDeepStrictEqual } from 'node:util';
import type { ConnectorType } from '@lectern/connectors';
import { invalidRequest } from '@lectern/service-kit';

type Config = Readonly<Record<string, unknown>>;

/**
 * Throws `invalid_request` where an update would send kept credentials to another place, less protected, or open something else with
 * them: who may change the address need not be who knows the secret.
 */
export function requireCredentialsAgain(type: ConnectorType, kept: Config, next: Config): void {
  const changed = type.endpointFields.filter((field) => !isDeepStrictEqual(kept[field], next[field]));
  if (changed.length === 0) return;
  const fields = changed.map((field) => `config.${field}`).join(' and ');
  throw invalidRequest([
    {
      path: 'credentials',
      message: `must be given again, because ${fields} decides where they are sent or what they open`,
    },
  ]);
}
