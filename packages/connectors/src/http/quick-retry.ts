import { retry } from '@lectern/resilience';
import { SourceError } from '#source-error';

const BACKOFF = { attempts: 4, minDelayMs: 100, maxDelayMs: 2_000 };
/**
 * A slow failure is not retried here: a source that hangs would block its caller four times as
 * long.
 */
const QUICK_MS = 10_000;

/** Milliseconds until `retryAt`; undefined for errors without one. */
const delayMs = (error: unknown): number | undefined =>
  error instanceof SourceError && error.kind === 'rate'
    ? Math.max((error.retryAt?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now(), 0)
    : undefined;

const shouldRetry = (error: unknown): boolean =>
  error instanceof SourceError && error.retryable && (delayMs(error) ?? 0) <= BACKOFF.maxDelayMs;

/**
 * Retries `attempt` quickly: at most four attempts within ten seconds, with waits of at most two
 * seconds. Only a retryable `SourceError` is retried; any other error and the signal end it
 * immediately.
 */
export const quickRetry = <T>(signal: AbortSignal, attempt: () => Promise<T>): Promise<T> =>
  retry(attempt, { ...BACKOFF, totalMs: QUICK_MS, shouldRetry, delayMs, signal });
