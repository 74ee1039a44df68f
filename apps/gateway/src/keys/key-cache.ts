import type { PrismaClient } from '#gen/prisma/client';
import { hashKey } from '#keys/format';
import { findKey, type StoredKey } from '#keys/key-store';

/** A revocation holds everywhere within 5 s; a query may itself take a while. */
const TTL_MS = 4_000;
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly found: Promise<StoredKey | undefined>;
  readonly staleAt: number;
}

/** Finds keys, remembering each answer for four seconds, unknown keys included. Requests that ask at once share one query. */
export interface KeyCache {
  find(key: string): Promise<StoredKey | undefined>;
}

/** `now` is in milliseconds. */
export function createKeyCache(db: PrismaClient, now: () => number = Date.now): KeyCache {
  const entries = new Map<string, Entry>();

  const load = (id: string, hash: Buffer<ArrayBuffer>): Promise<StoredKey | undefined> => {
    const found = findKey(db, hash);
    const entry = { found, staleAt: now() + TTL_MS };
    // A Map keeps the order of insertion: the first entry is the oldest.
    entries.delete(id);
    entries.set(id, entry);
    const [oldest] = entries.keys();
    if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
    found.catch(() => {
      if (entries.get(id) === entry) entries.delete(id);
    });
    return found;
  };

  return {
    find: (key) => {
      const hash = hashKey(key);
      const id = hash.toString('base64');
      const entry = entries.get(id);
      return entry !== undefined && now() < entry.staleAt ? entry.found : load(id, hash);
    },
  };
}
