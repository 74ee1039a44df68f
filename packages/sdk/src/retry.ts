import { LecternConnectionError, LecternError } from './errors.ts';

// Not `packages/resilience`: the SDK also runs in browsers and on Node 20. Not p-retry: it retries a
// function that returns once, but a stream that resumes (events.ts) yields events between attempts.
// Requests and streams share this delay instead.

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;

/** If `Retry-After` is longer, the error is thrown without a retry. */
const MAX_RETRY_AFTER_SECONDS = 60;

const TEMPORARY: readonly string[] = ['unavailable', 'timeout', 'upstream_error'];

/** Returns the delay before the next attempt in milliseconds. Undefined if the request must not be retried. */
export function retryDelay(error: unknown, attempt: number, repeatable: boolean): number | undefined {
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS) * (0.5 + Math.random() / 2);
  if (error instanceof LecternConnectionError) return repeatable ? backoff : undefined;
  if (!(error instanceof LecternError)) return undefined;
  // The rate limiter rejects a request before it has any effect.
  if (error.code !== 'rate_limited' && !(repeatable && TEMPORARY.includes(error.code))) return undefined;
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds === undefined) return backoff;
  return retryAfterSeconds > MAX_RETRY_AFTER_SECONDS ? undefined : retryAfterSeconds * 1_000;
}

/** Waits. Throws the signal's reason if it is aborted. */
export async function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort = (): void => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(resolve, delayMs);
      onAbort = () => reject(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
