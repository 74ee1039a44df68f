import type { IncomingHttpHeaders } from 'node:http';
import { kindOfKey } from '#keys/format';
import type { KeyCache } from '#keys/key-cache';
import type { StoredKey } from '#keys/key-store';
import { presentedKey } from '#keys/presented-key';
import { invalidKey, refusalOf } from '#keys/refusal-of';

/** A request's key: as it was presented, and what is stored of it. */
export interface Authenticated {
  readonly presented: string;
  readonly key: StoredKey;
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
  const refusal = refusalOf(key);
  if (refusal !== undefined || key === undefined) throw refusal ?? invalidKey();
  return { presented, key };
}
