/** Milliseconds to wait where a source says that it is asked too often, but not until when. */
const DEFAULT_RATE_WAIT_MS = 5_000;

/** The time that a `Retry-After` names, in seconds or as a date (RFC 9110, 10.2.3); undefined where there is none. */
export function parseRetryAfter(value: string | null | undefined, now = Date.now()): Date | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return new Date(now + Math.min(Number(text), 30 * 86_400) * 1_000);
  const at = text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : new Date(at);
}

/** When to ask again after too many requests: what the answer says, else in a few seconds. */
export function retryTime(headers: Headers, now = Date.now()): Date {
  return parseRetryAfter(headers.get('retry-after'), now) ?? new Date(now + DEFAULT_RATE_WAIT_MS);
}
