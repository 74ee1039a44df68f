/**
 * Returns the code of a system error, for example ENOENT. Undefined for other values. Checks the shape
 * instead of the class, because test runners have a different `Error` class.
 */
export function codeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** Returns the message of a thrown value. For "fetch failed", returns the message of the cause. */
export function messageOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null || !('message' in thrown)) return String(thrown);
  if (thrown.message === 'fetch failed' && 'cause' in thrown && thrown.cause) return messageOf(thrown.cause);
  return String(thrown.message);
}
