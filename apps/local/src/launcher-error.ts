/** An error whose message is shown to the user without a stack: what failed, why and what to do. */
export class LauncherError extends Error {
  override readonly name = 'LauncherError';
}

/** Returns the code of a system error, for example `EACCES`. */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
}

/** Returns the message of a thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
