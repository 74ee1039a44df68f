import { isDeepStrictEqual } from 'node:util';
import type { ConnectorType } from '@lectern/connectors';
import { invalidRequest } from '@lectern/service-kit';

type Config = Readonly<Record<string, unknown>>;

/**
 * Throws `invalid_request` if an update would send the stored credentials to a different place,
 * with less protection, or use them to open something else. The caller who changes the address may
 * not know the secret.
 */
export function requireCredentialsAgain(type: ConnectorType, kept: Config, next: Config): void {
  const changed = type.endpointFields.filter((field) => !isDeepStrictEqual(kept[field], next[field]));
  if (changed.length === 0) return;
  const fields = changed.map((field) => `config.${field}`).join(' and ');
  throw invalidRequest([
    {
      path: 'credentials',
      message: `must be sent again, because a change of ${fields} changes where the stored credentials are sent or what they open`,
    },
  ]);
}
