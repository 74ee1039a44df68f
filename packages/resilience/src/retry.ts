import { setTimeout as delay } from 'node:timers/promises';
import pRetry from 'p-retry';

export interface RetryOptions {
  /** The maximum number of attempts, including the first one. */
  readonly attempts: number;
  /** The first wait is between this and twice this; each further wait doubles. */
  readonly minDelayMs: number;
  /** The maximum wait of the backoff. */
  readonly maxDelayMs: number;
  /**
   * The total time. If a wait would end later than this after the first attempt began, the error is
   * thrown instead.
   */
  readonly totalMs?: number;
  readonly shouldRetry: (error: unknown) => boolean;
  /**
   * Returns a wait that replaces the backoff, for example from `Retry-After`, or undefined to back
   * off.
   */
  readonly delayMs?: (error: unknown) => number | undefined;
  /** Aborting ends a wait and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each wait. `attempt` is the one that failed, counted from 1. */
  readonly onRetry?: (retry: { readonly error: unknown; readonly attempt: number; readonly delayMs: number }) => void;
}

/** Wraps thrown values, because p-retry never retries a TypeError and replaces non-errors. */
class AttemptFailure extends Error {}

/**
 * Runs `work` until it succeeds, with exponential backoff and jitter between attempts.
 * Throws the last attempt's error unchanged, or the signal's reason once it is aborted.
 */
export async function retry<T>(work: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const {
    attempts,
    minDelayMs,
    maxDelayMs,
    totalMs = Number.POSITIVE_INFINITY,
    shouldRetry,
    onRetry,
    signal,
  } = options;
  const deadline = performance.now() + totalMs;
  let requestedMs: number | undefined;
  const tryOnce = async (attempt: number): Promise<T> => {
    try {
      return await work(attempt);
    } catch (error) {
      throw new AttemptFailure('The attempt failed.', { cause: error });
    }
  };
  try {
    return await pRetry(tryOnce, {
      retries: attempts - 1,
      minTimeout: minDelayMs,
      maxTimeout: maxDelayMs,
      randomize: true,
      ...(signal === undefined ? {} : { signal }),
      // False makes p-retry skip its own wait.
      shouldConsumeRetry: ({ error }) => {
        requestedMs = options.delayMs?.(error.cause);
        return requestedMs === undefined;
      },
      shouldRetry: async ({ error, attemptNumber, retryDelay }) => {
        const delayMs = requestedMs ?? retryDelay;
        if (attemptNumber >= attempts || !shouldRetry(error.cause)) return false;
        if (performance.now() + delayMs >= deadline) return false;
        onRetry?.({ error: error.cause, attempt: attemptNumber, delayMs });
        if (requestedMs !== undefined) await waitFor(requestedMs, signal);
        return true;
      },
    });
  } catch (error) {
    throw error instanceof AttemptFailure ? error.cause : error;
  }
}

async function waitFor(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(delayMs, undefined, signal === undefined ? {} : { signal }).catch(() => signal?.throwIfAborted());
}

/**
 * Returns the wait after the given number of failures, doubling without jitter. For waits that are
 * stored.
 */
export function backoffMs(
  failures: number,
  { minDelayMs, maxDelayMs }: Pick<RetryOptions, 'minDelayMs' | 'maxDelayMs'>,
): number {
  return Math.min(maxDelayMs, minDelayMs * 2 ** Math.max(0, failures - 1));
}
