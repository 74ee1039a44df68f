import type { IncomingHttpHeaders } from 'node:http';
import { AppError, type Caller, invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';
import type { KeyKind } from '#gen/prisma/client';
import { kindOfKey } from '#keys/format';
import type { KeyCache } from '#keys/key-cache';
import { presentedKey } from '#keys/presented-key';

/** Who makes a request, and with which kind of key. */
export interface Authenticated {
  readonly caller: Caller;
  readonly kind: KeyKind;
}

const email = z.email().max(320);

function invalidKey(): AppError {
  return new AppError('invalid_key', 'This API key is not valid. Check that it is complete and has not been revoked.');
}

/** The end user whose view a secret key asks for. */
function serviceUser(headers: IncomingHttpHeaders, kind: KeyKind): string | undefined {
  const header = headers['x-service-user']?.toString().trim();
  if (header === undefined) return undefined;
  if (kind !== 'secret') throw new AppError('forbidden', 'X-Service-User needs a secret key.');
  const result = email.safeParse(header);
  if (!result.success) throw invalidRequest([{ path: 'X-Service-User', message: 'must be an e-mail address' }]);
  return result.data.toLowerCase();
}

/**
 * Checks a request's key. Throws `unauthorized`, `invalid_key` (without a query where the checksum is wrong), `key_expired`;
 * `invalid_request` or `forbidden` for an `X-Service-User` that cannot be used.
 */
export async function authenticate(keys: KeyCache, headers: IncomingHttpHeaders): Promise<Authenticated> {
  const key = presentedKey(headers);
  if (kindOfKey(key) === undefined) throw invalidKey();
  const stored = await keys.find(key);
  const now = Date.now();
  if (stored === undefined || (stored.endsAt !== null && stored.endsAt.getTime() <= now)) throw invalidKey();
  if (stored.expiresAt !== null && stored.expiresAt.getTime() <= now) {
    throw new AppError('key_expired', 'This API key has expired. Create a new pair.');
  }
  const { pairId, teamId, scope, kind } = stored;
  return { caller: { teamId, keyId: pairId, scope, userEmail: serviceUser(headers, kind) }, kind };
}
