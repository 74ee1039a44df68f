/** Something that keeps Lectern from starting; the message says what a person can do about it, and is shown without a stack. */
export class LauncherError extends Error {
  override readonly name = 'LauncherError';
}

/** The system's code of an error (`EACCES`, `ENOSPC`), where it has one. */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
}

/** What an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
