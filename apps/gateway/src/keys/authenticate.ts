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
export interface Strangers {
  /** Counts a key before the query for it. Where the client has presented too many unknown ones: the refusal. */
  tryTake(): (() => AppError) | undefined;
  /** Takes a count back: the key exists, or nobody knows. */
  giveBack(): void;
  /** Whether a key exists, at little cost however often it is asked. */
  exists(key: string): Promise<boolean>;
}

/**
 * Finds a key that this process has not seen lately, which costs a query. Others may share the client's address, so a valid key works whatever
 * they present: beyond the limit keys are looked up together, and only those that exist get a query of their own.
 */
async function findNew(keys: KeyCache, presented: string, strangers: Strangers): Promise<StoredKey | undefined> {
  const refusal = strangers.tryTake();
  if (refusal !== undefined) {
    if (await strangers.exists(presented)) return keys.find(presented);
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
