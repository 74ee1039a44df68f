/** The results of a pure function for recent keys. */
export interface Memo<K, V extends {}> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
}

/**
 * Creates a bounded memory for results that can be computed again at any time. An entry is kept for
 * at least `maxEntries / 2` other ones after its last use. It has neither the exact order nor the
 * other options of `createCache`, and a lookup takes a third of the time, which matters where every
 * word of a text is looked up.
 */
export function createMemo<K, V extends {}>({ maxEntries }: { readonly maxEntries: number }): Memo<K, V> {
  const half = Math.max(1, Math.floor(maxEntries / 2));
  let recent = new Map<K, V>();
  let former = new Map<K, V>();
  const set = (key: K, value: V): void => {
    if (recent.size >= half && !recent.has(key)) {
      former = recent;
      recent = new Map();
    }
    recent.set(key, value);
  };
  return {
    get: (key) => {
      const known = recent.get(key);
      if (known !== undefined) return known;
      const older = former.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
  };
}
