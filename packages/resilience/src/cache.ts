import { LRUCache } from 'lru-cache';

export interface CacheOptions<K, V> {
  /** The maximum number of entries. */
  readonly maxEntries: number;
  /**
   * The maximum total bytes of all entries, as counted by `sizeOf`. A larger entry is not stored.
   */
  readonly maxBytes?: number;
  /** Bytes of one entry. Needed with `maxBytes`. */
  readonly sizeOf?: (value: V, key: K) => number;
  /** Milliseconds after which an entry expires. */
  readonly ttlMs?: number;
  /** Called when an entry is dropped for lack of room or because it expired. */
  readonly onEvict?: (value: V, key: K) => void;
  /** Returns the current time in milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

export type Cache<K extends {}, V extends {}> = LRUCache<K, V>;

/**
 * Creates a bounded cache that drops the least recently used entries. `get` counts as use, `peek`
 * and `has` do not.
 */
export function createCache<K extends {}, V extends {}>(options: CacheOptions<K, V>): Cache<K, V> {
  const { maxEntries, maxBytes, sizeOf, ttlMs, onEvict, now } = options;
  return new LRUCache<K, V>({
    // lru-cache allocates all slots of `max` immediately. With entries of size 1, it allocates what is used.
    ...(maxBytes === undefined ? { maxSize: maxEntries } : { max: maxEntries, maxSize: maxBytes }),
    // lru-cache rejects sizes and times that are not positive integers.
    sizeCalculation: (value, key) => Math.max(1, Math.ceil(sizeOf?.(value, key) ?? 1)),
    ...(ttlMs === undefined ? {} : { ttl: Math.max(1, Math.ceil(ttlMs)), ttlResolution: 0 }),
    ...(now === undefined ? {} : { perf: { now } }),
    ...(onEvict === undefined
      ? {}
      : {
          dispose: (value, key, reason) => {
            if (reason === 'evict' || reason === 'expire') onEvict(value, key);
          },
        }),
  });
}
