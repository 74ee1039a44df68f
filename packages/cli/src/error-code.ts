/** The code of a system's error (`ENOENT`); undefined for what has none. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
}
