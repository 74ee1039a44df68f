import { createCache } from '@lectern/resilience';
import { countLookup, databaseErrorCode } from '@lectern/service-kit';
import { withDeadline } from '#deadline';
import { hashKey } from '#keys/format';
import type { StoredKey } from '#keys/key-store';

/** A revocation takes effect within 5 s; the query itself takes time too. */
const TTL_MS = 4_000;
/** Age from which a key in use is refreshed in the background. */
const REFRESH_MS = 3_000;
/** Deadline of a query for a cached key. */
const DEADLINE_MS = 2_000;
/** Delay between queries while the database is unavailable. */
const RETRY_MS = 1_000;
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly key: StoredKey;
  readonly readAt: number;
  /** Set while the database is unavailable. */
  retryAt: number;
}

type Found = StoredKey | undefined;

/**
 * Finds keys and caches each result for four seconds, including unknown keys. Concurrent requests
 * share one query. While the database is unavailable, cached keys keep working for a limited time.
 */
export interface KeyCache {
  find(key: string): Promise<Found> | Found;
  /** True if `find` needs no new query: the result is cached, or a query for it is running. */
  isCached(key: string): boolean;
  /** Drops the keys of a changed pair, or the sessions of a changed person. */
  forget(pairId: string): void;
}

/** `presented` distinguishes keys from sessions. */
export type FindCredential = (hash: Buffer<ArrayBuffer>, presented: string) => Promise<Found>;

export interface KeyCacheOptions {
  /** Milliseconds for which a cached key works while the database is unavailable. */
  readonly staleMs: number;
  /** Finds a stored key by its SHA-256, or a session. */
  readonly find: FindCredential;
  /** In milliseconds. */
  readonly now?: () => number;
}

/** The error for a query that takes too long, with the code that the database driver uses for timeouts. */
const queryTimeout = () => Object.assign(new Error('The query took too long.'), { code: 'SocketTimeout' });

/** Creates the cache. It stores SHA-256 hashes instead of API keys. */
export function createKeyCache({ staleMs, find, now = Date.now }: KeyCacheOptions): KeyCache {
  const known = createCache<string, Entry>({ maxEntries: MAX_ENTRIES });
  // Separate, so that invented keys cannot evict keys in use. The value is the time of the query.
  const unknown = createCache<string, number>({ maxEntries: MAX_ENTRIES });
  const pending = new Map<string, Promise<Found>>();
  /** When a pair was dropped: an older query must not restore it. */
  const forgottenAt = createCache<string, number>({ maxEntries: MAX_ENTRIES });

  const remember = (id: string, key: Found, readAt: number) => {
    known.delete(id);
    if (key === undefined) unknown.set(id, readAt);
    else if ((forgottenAt.get(key.pairId) ?? 0) < readAt) known.set(id, { key, readAt, retryAt: 0 });
  };

  const read = async (id: string, hash: Buffer<ArrayBuffer>, text: string, last: Entry | undefined): Promise<Found> => {
    const startedAt = now();
    try {
      const found = find(hash, text);
      const key = await (last === undefined ? found : withDeadline(found, DEADLINE_MS, queryTimeout));
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

  const load = (id: string, hash: Buffer<ArrayBuffer>, text: string, last: Entry | undefined): Promise<Found> => {
    const shared = pending.get(id);
    if (shared !== undefined) return shared;
    const found = read(id, hash, text, last);
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
      if (entry === undefined) return isUnknown ? undefined : load(id, hash, text, undefined);
      if (age >= TTL_MS) return at < entry.retryAt && age < staleMs ? entry.key : load(id, hash, text, entry);
      if (age >= REFRESH_MS) load(id, hash, text, entry).catch(() => undefined);
      return entry.key;
    },
    isCached: (text) => {
      const id = hashKey(text).toString('latin1');
      return known.has(id) || pending.has(id) || now() - (unknown.get(id) ?? 0) < TTL_MS;
    },
    forget: (pairId) => {
      forgottenAt.set(pairId, now());
      for (const [id, { key }] of known.entries()) if (key.pairId === pairId) known.delete(id);
    },
  };
}
