/**
 * The code of a system error, such as ENOENT; undefined for anything else. Looks at the shape and not at the class: a
 * test runner's realm has an `Error` of its own.
 */
export function codeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** What was thrown, in words; fetch says only "fetch failed", so the innermost cause speaks. */
export function messageOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const cause = 'cause' in thrown && thrown.cause ? messageOf(thrown.cause) : '';
  if (cause !== '') return cause;
  return 'message' in thrown ? String(thrown.message) : String(thrown);
}
