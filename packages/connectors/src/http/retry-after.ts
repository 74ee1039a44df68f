import { retryAfterMs } from '@lectern/resilience';

/** The default wait after too many requests. */
const DEFAULT_WAIT_MS = 5_000;

/** Returns the time in a `Retry-After` header; undefined if it is missing or malformed. */
export function retryDate(header: string | null | undefined, now = Date.now()): Date | undefined {
  const waitMs = retryAfterMs(header, now);
  return waitMs === undefined ? undefined : new Date(now + waitMs);
}

/** Returns the time to retry after too many requests: from the response, else in a few seconds. */
export function retryTime(headers: Headers, now = Date.now()): Date {
  return retryDate(headers.get('retry-after'), now) ?? new Date(now + DEFAULT_WAIT_MS);
}
