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
export interface UnknownKeyLimit {
  /**
   * Counts an unknown key before the query for it. Throws `rate_limited` if the limit is exceeded.
   */
  take(): void;
  /** Undoes the count: the key exists, or the query failed. */
  giveBack(): void;
}

/** Finds a key that is not in this process's cache, at the cost of a query. */
async function findNew(
  keys: KeyCache,
  presented: string,
  unknownKeys: UnknownKeyLimit,
): Promise<StoredKey | undefined> {
  unknownKeys.take();
  let isUnknown = false;
  try {
    const key = await keys.find(presented);
    isUnknown = key === undefined;
    return key;
  } finally {
    if (!isUnknown) unknownKeys.giveBack();
  }
}

/** Checks a request's key. Throws `unauthorized`, `invalid_key` (without a query where the checksum is wrong), `key_expired`. */
export async function authenticate(
  keys: KeyCache,
  headers: IncomingHttpHeaders,
  unknownKeys: UnknownKeyLimit,
): Promise<Authenticated> {
  const presented = presentedKey(headers);
  if (kindOfKey(presented) === undefined) throw invalidKey();
  const key = keys.remembers(presented) ? await keys.find(presented) : await findNew(keys, presented, unknownKeys);
  const refusal = refusalOf(key);
  if (refusal !== undefined || key === undefined) throw refusal ?? invalidKey();
  return { presented, key };
}
