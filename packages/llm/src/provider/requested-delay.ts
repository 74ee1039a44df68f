import { retryAfterMs } from '@lectern/resilience';

/**
 * Returns the delay that a provider requests before the next attempt, in milliseconds:
 * `retry-after-ms`, otherwise `Retry-After`.
 */
export function requestedDelayMs(headers: Headers | undefined): number | undefined {
  const exact = headers?.get('retry-after-ms')?.trim();
  if (exact && Number.isFinite(Number(exact))) return Math.max(0, Number(exact));
  return retryAfterMs(headers?.get('retry-after'));
}
