/**
 * The code of a system error, for example ENOENT; otherwise undefined. Checks the shape instead of the
 * class, because test runners have another `Error` class.
 */
export function codeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** The message of anything that was thrown. For "fetch failed" it is the message of the cause. */
export function messageOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null || !('message' in thrown)) return String(thrown);
  if (thrown.message === 'fetch failed' && 'cause' in thrown && thrown.cause) return messageOf(thrown.cause);
  return String(thrown.message);
}
