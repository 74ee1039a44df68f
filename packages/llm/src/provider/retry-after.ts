const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;

/** Milliseconds until a provider wants to be asked again: `retry-after-ms`, else Retry-After (RFC 9110 §10.2.3) in seconds or as a date. */
export function readRetryAfter(headers: Headers | undefined, now = Date.now()): number | undefined {
  const exact = headers?.get('retry-after-ms')?.trim();
  if (exact && Number.isFinite(Number(exact))) return Math.max(0, Number(exact));
  const text = headers?.get('retry-after')?.trim();
  if (!text) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Exponential backoff in milliseconds: half of it fixed, half by chance, so that clients do not come back all at once. */
export function backoff(failedTries: number): number {
  const ceiling = Math.min(FIRST_BACKOFF_MS * 2 ** (failedTries - 1), LONGEST_BACKOFF_MS);
  return ceiling / 2 + (Math.random() * ceiling) / 2;
}
