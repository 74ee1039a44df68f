import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@lectern/service-kit';
import { kindOfKey } from '#keys/format';
import type { KeyCache } from '#keys/key-cache';
import type { StoredKey } from '#keys/key-store';
import { presentedKey } from '#keys/presented-key';

/** A request's key: as it was presented, and what is stored of it. */
export interface Authenticated {
  readonly presented: string;
  readonly key: StoredKey;
}

function invalidKey(): AppError {
  return new AppError('invalid_key', 'This API key is not valid. Check that it is complete and has not been revoked.');
}

/** Counts the unknown keys of a client. */
export interface Strangers {
  /** Throws `rate_limited` where a query for a further one is refused. */
  requireRoom(): void;
  note(): void;
}

/** Checks a request's key. Throws `unauthorized`, `invalid_key` (without a query where the checksum is wrong), `key_expired`. */
export async function authenticate(
  keys: KeyCache,
  headers: IncomingHttpHeaders,
  strangers: Strangers,
): Promise<Authenticated> {
  const presented = presentedKey(headers);
  if (kindOfKey(presented) === undefined) throw invalidKey();
  const isNew = !keys.remembers(presented);
  if (isNew) strangers.requireRoom();
  const key = await keys.find(presented);
  if (isNew && key === undefined) strangers.note();
  const now = Date.now();
  if (key === undefined || (key.endsAt !== null && key.endsAt.getTime() <= now)) throw invalidKey();
  if (key.expiresAt !== null && key.expiresAt.getTime() <= now) {
    throw new AppError('key_expired', 'This API key has expired. Create a new pair.');
  }
  return { presented, key };
}
