import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@lectern/service-kit';
import { isToken, kindOfKey } from '#keys/format';
import type { KeyCache } from '#keys/key-cache';
import { invalidKey, keyError } from '#keys/key-error';
import type { StoredKey } from '#keys/key-store';
import { presentedKey } from '#keys/presented-key';

/** The key or the session of a request. */
export interface Authenticated {
  /** The key, or the token of the session, as it was sent. */
  readonly presented: string;
  readonly key: StoredKey;
}

/** Counts the unknown keys of a client. */
export interface UnknownKeyLimit {
  /**
   * Counts a key before the query for it. If the client has sent too many unknown keys, returns a
   * function that creates the error.
   */
  tryTake(): (() => AppError) | undefined;
  /** Undoes a count, because the key exists or the query failed. */
  giveBack(): void;
  /** True if a key exists. Calls are batched, so that many cost little. */
  exists(key: string): Promise<boolean>;
}

/**
 * Finds a key that this process has not cached, which costs a query. Clients can share an address,
 * so a valid key must work even if others there send invalid ones: above the limit, keys are
 * checked in batches, and only existing keys get their own query.
 */
async function findNew(
  keys: KeyCache,
  presented: string,
  unknownKeys: UnknownKeyLimit,
): Promise<StoredKey | undefined> {
  const createError = unknownKeys.tryTake();
  if (createError !== undefined) {
    if (await unknownKeys.exists(presented)) return keys.find(presented);
    throw createError();
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

/** Returns the key of a request, or its session if it has no key. */
function credentialOf(headers: IncomingHttpHeaders, session: string | undefined): string {
  const key = presentedKey(headers);
  const isKnownForm =
    key === undefined || kindOfKey(key) !== undefined || isToken('userToken', key) || isToken('appAccess', key);
  if (!isKnownForm) throw invalidKey();
  const presented = key ?? session;
  if (presented !== undefined) return presented;
  throw new AppError(
    'unauthorized',
    'An API key or a session is required. Send a key as X-Service-Key: <key> or Authorization: Bearer <key>, or sign in.',
  );
}

/**
 * Checks the key of a request, or the session from its cookie if it has no key. A key with a wrong
 * checksum is rejected without a query. Throws `unauthorized`, `invalid_key` and `key_expired`.
 */
export async function authenticate(
  keys: KeyCache,
  headers: IncomingHttpHeaders,
  session: string | undefined,
  unknownKeys: UnknownKeyLimit,
): Promise<Authenticated> {
  const presented = credentialOf(headers, session);
  const key = keys.isCached(presented) ? await keys.find(presented) : await findNew(keys, presented, unknownKeys);
  const error = keyError(presented, key);
  if (error !== undefined || key === undefined) throw error ?? invalidKey();
  return { presented, key };
}
