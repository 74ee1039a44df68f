import { createCache } from '@lectern/resilience';
import { countLookup, databaseErrorCode } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';
import { hashKey } from '#keys/format';
import { findKey, type StoredKey } from '#keys/key-store';

/** A revocation holds everywhere within 5 s; a query may itself take a while. */
const TTL_MS = 4_000;
/** From this age on a key that is in use is read anew, while requests still go by what is known. */
const REFRESH_MS = 3_000;
/** A query for a key that is known is waited for this long. */
const DEADLINE_MS = 2_000;
/** Between tries to read a key while the database is away. */
const RETRY_MS = 1_000;
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly key: StoredKey;
  readonly readAt: number;
  /** Set while the database is away. */
  retryAt: number;
}

type Found = StoredKey | undefined;

/**
 * Finds keys, remembering each answer for four seconds, unknown keys included. Requests that ask at once share one query. While the
 * database is away, keys that were known work on for a bounded time.
 */
export interface KeyCache {
  find(key: string): Promise<Found> | Found;
  /** True if `find` needs no new query: the answer is cached, or a query for it is running. */
  remembers(key: string): boolean;
  /** Forgets the keys of a pair, because it was changed. */
  forget(pairId: string): void;
}

export interface KeyCacheOptions {
  /** Milliseconds for which a known key works on while the database is away. */
  readonly staleMs: number;
  /** In milliseconds. */
  readonly now?: () => number;
}

function within<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  // A code that counts as a database's, like those of the driver.
  const timer = setTimeout(() => late.reject(Object.assign(new Error('late'), { code: 'SocketTimeout' })), ms);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** Makes the cache. Entries are found by the key's SHA-256: no key is kept. */
export function createKeyCache(db: PrismaClient, { staleMs, now = Date.now }: KeyCacheOptions): KeyCache {
  const known = createCache<string, Entry>({ maxEntries: MAX_ENTRIES });
  // Apart, so that somebody who makes up keys cannot push out those that are in use. The value is when it was read.
  const unknown = createCache<string, number>({ maxEntries: MAX_ENTRIES });
  const pending = new Map<string, Promise<Found>>();
  /** When a pair was forgotten: a query from before must not bring it back. */
  const forgottenAt = createCache<string, number>({ maxEntries: MAX_ENTRIES });

  const remember = (id: string, key: Found, readAt: number) => {
    known.delete(id);
    if (key === undefined) unknown.set(id, readAt);
    else if ((forgottenAt.get(key.pairId) ?? 0) < readAt) known.set(id, { key, readAt, retryAt: 0 });
  };

  const read = async (id: string, hash: Buffer<ArrayBuffer>, last: Entry | undefined): Promise<Found> => {
    const startedAt = now();
    try {
      const found = findKey(db, hash);
      const key = await (last === undefined ? found : within(found, DEADLINE_MS));
      remember(id, key, startedAt);
      return key;
    } catch (error) {
      const isAway = databaseErrorCode(error) !== undefined;
      if (last === undefined || !isAway || known.get(id) !== last || now() - last.readAt >= staleMs) throw error;
      last.retryAt = now() + RETRY_MS;
      return last.key;
    } finally {
      pending.delete(id);
    }
  };

  const load = (id: string, hash: Buffer<ArrayBuffer>, last: Entry | undefined): Promise<Found> => {
    const shared = pending.get(id);
    if (shared !== undefined) return shared;
    const found = read(id, hash, last);
    pending.set(id, found);
    return found;
  };

  return {
    find: (text) => {
      const hash = hashKey(text);
      const id = hash.toString('latin1');
      const entry = known.get(id);
      const at = now();
      const isUnknown = entry === undefined && at - (unknown.get(id) ?? 0) < TTL_MS;
      const age = at - (entry?.readAt ?? 0);
      countLookup(
        'api_key',
        isUnknown || (entry !== undefined && (age < TTL_MS || (at < entry.retryAt && age < staleMs))),
      );
      if (entry === undefined) return isUnknown ? undefined : load(id, hash, undefined);
      if (age >= TTL_MS) return at < entry.retryAt && age < staleMs ? entry.key : load(id, hash, entry);
      if (age >= REFRESH_MS) load(id, hash, entry).catch(() => undefined);
      return entry.key;
    },
    remembers: (text) => {
      const id = hashKey(text).toString('latin1');
      return known.has(id) || pending.has(id) || now() - (unknown.get(id) ?? 0) < TTL_MS;
    },
    forget: (pairId) => {
      forgottenAt.set(pairId, now());
      for (const [id, { key }] of known.entries()) if (key.pairId === pairId) known.delete(id);
    },
  };
}
