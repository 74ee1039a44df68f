import type { IncomingHttpHeaders } from 'node:http';
import type { AppError } from '@lectern/service-kit';
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
  /** Counts a key before the query for it. Returns the refusal if the client has presented too many unknown keys. */
  tryTake(): (() => AppError) | undefined;
  /** Reverts a count: the key exists, or the query failed. */
  giveBack(): void;
  /** Reports whether a key exists. Batched, so that many calls cost little. */
  exists(key: string): Promise<boolean>;
}

/**
 * Finds a key that this process has not cached, which costs a query. Clients may share an address,
 * so a valid key must work whatever the others present: above the limit, keys are looked up in
 * batches, and only keys that exist get their own query.
 */
async function findNew(
  keys: KeyCache,
  presented: string,
  unknownKeys: UnknownKeyLimit,
): Promise<StoredKey | undefined> {
  const refusal = unknownKeys.tryTake();
  if (refusal !== undefined) {
    if (await unknownKeys.exists(presented)) return keys.find(presented);
    throw refusal();
  }
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
