/** Returns the code of a system error, for example `ENOENT`. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
}
