/**
 * The code of a system error, such as ENOENT; undefined for anything else. Looks at the shape and not at the class: a
 * test runner's realm has an `Error` of its own.
 */
export function codeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** What was thrown, in words. fetch says no more than "fetch failed"; its cause tells what happened. */
export function messageOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null || !('message' in thrown)) return String(thrown);
  if (thrown.message === 'fetch failed' && 'cause' in thrown && thrown.cause) return messageOf(thrown.cause);
  return String(thrown.message);
}
