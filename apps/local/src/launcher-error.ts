/** An error with a message for people: what failed, why and what to do. Shown without a stack. */
export class LauncherError extends Error {
  override readonly name = 'LauncherError';
}

/** The code of a system error, for example `EACCES`. */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
}

/** The message of anything that can be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
