import { LecternConnectionError, LecternError } from './errors.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;

/** How long the API may ask for patience before the failure is thrown instead. */
const MAX_RETRY_AFTER_SECONDS = 60;

const PASSING: readonly string[] = ['unavailable', 'timeout', 'upstream_error'];

/** Milliseconds to wait before the next try; undefined where there must be none. `repeatable`: doing it twice does no harm. */
export function retryDelay(error: unknown, attempt: number, repeatable: boolean): number | undefined {
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS) * (0.5 + Math.random() / 2);
  if (error instanceof LecternConnectionError) return repeatable ? backoff : undefined;
  if (!(error instanceof LecternError)) return undefined;
  // What the limit refused was not begun.
  if (error.code !== 'rate_limited' && !(repeatable && PASSING.includes(error.code))) return undefined;
  const asked = error.retryAfterSeconds;
  if (asked === undefined) return backoff;
  return asked > MAX_RETRY_AFTER_SECONDS ? undefined : asked * 1_000;
}

/** Waits. Throws the signal's reason as soon as it is aborted. */
export async function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort = (): void => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(resolve, delayMs);
      abort = () => reject(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
