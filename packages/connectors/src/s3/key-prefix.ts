/** Which keys of a bucket belong to a connector. */
export interface KeyPrefix {
  /** What a listing asks for. */
  readonly text: string;
  has(key: string): boolean;
  /** The key of a file that is to be stored under this path. */
  keyOf(path: string): string;
}

/**
 * A prefix is a folder: `docs` and `docs/` hold `docs/a` and not `docs2/a`. No prefix holds all.
 */
export function createKeyPrefix(prefix: string | undefined): KeyPrefix {
  const folder = (prefix ?? '').replace(/^\/+/, '').replace(/\/+$/, '');
  const text = folder === '' ? '' : `${folder}/`;
  // Keys that end in a slash are what consoles show as empty folders.
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
