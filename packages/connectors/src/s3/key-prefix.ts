/** The keys of a bucket that belong to a connector. */
export interface KeyPrefix {
  /** The prefix for listings. */
  readonly text: string;
  has(key: string): boolean;
  /** Returns the key of a file with this path. */
  keyOf(path: string): string;
}

/**
 * Creates a key prefix. A prefix is a folder: `docs` and `docs/` include `docs/a`, but not
 * `docs2/a`. Without a prefix, all keys are included.
 */
export function createKeyPrefix(prefix: string | undefined): KeyPrefix {
  const folder = (prefix ?? '').replace(/^\/+/, '').replace(/\/+$/, '');
  const text = folder === '' ? '' : `${folder}/`;
  // Keys that end with a slash are empty folders created by consoles.
  const has = (key: string) => key.startsWith(text) && !key.endsWith('/') && key !== '';
  return {
    text,
    has,
    keyOf: (path) => {
      const key = path.replace(/^\/+/, '');
      return key.startsWith(text) ? key : `${text}${key}`;
    },
  };
}
