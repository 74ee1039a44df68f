const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 8_000;

/**
 * Milliseconds until a provider wants to be asked again, from its Retry-After header (RFC 9110 §10.2.3): seconds or a date. Undefined where it says
 * nothing that can be read.
 */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (text === '') return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Exponential backoff before the next try, in milliseconds: half of it fixed, half by chance, so that clients do not come back all at once. */
export function backoff(failedTries: number): number {
  const ceiling = Math.min(FIRST_BACKOFF_MS * 2 ** (failedTries - 1), LONGEST_BACKOFF_MS);
  return ceiling / 2 + (Math.random() * ceiling) / 2;
}
