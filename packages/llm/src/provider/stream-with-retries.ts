import { retry } from '@lectern/resilience';
import { AppError } from '@lectern/service-kit';
import type { ChatEvent } from '#model/chat-event';
import { abortError } from '#provider/abort-error';
import type { RetrySettings } from '#provider/model-settings';
import type { ProviderFailure } from '#provider/provider-failure';

/**
 * One attempt at a reply. It calls `onActivity` when the provider sends something that yields no
 * event.
 */
export type OpenStream = (signal: AbortSignal, onActivity: () => void) => AsyncIterator<ChatEvent>;

export const DEFAULT_RETRY: RetrySettings = { attempts: 4, totalMs: 30_000, idleMs: 90_000 };

const BACKOFF = { minDelayMs: 250, maxDelayMs: 8_000 } as const;

class AttemptFailed extends Error {
  readonly failure: ProviderFailure;

  constructor(failure: ProviderFailure) {
    super('The attempt failed.', { cause: failure.error });
    this.failure = failure;
  }
}

/**
 * Streams a reply. Retries transient failures until the first event, never after it. Ends
 * immediately after an abort, regardless of the provider's client, and gives up on a provider that
 * sends nothing for `idleMs`; the time that the reader needs does not count. Throws AppError: the
 * result of `failureOf` for errors of the client, `timeout` for an idle provider, `cancelled` or
 * `timeout` after an abort.
 */
export async function* streamWithRetries(
  open: OpenStream,
  failureOf: (error: unknown) => ProviderFailure,
  { attempts, totalMs, idleMs }: RetrySettings,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const toFailure = (error: unknown): ProviderFailure =>
    error instanceof AppError ? { error, isTransient: false } : failureOf(error);
  const start = async () => {
    const events = watch(open, idleMs, signal);
    try {
      return { events, first: await events.next() };
    } catch (error) {
      throw new AttemptFailed(toFailure(error));
    }
  };
  try {
    const { events, first } = await retry(start, {
      ...BACKOFF,
      attempts,
      totalMs,
      signal,
      shouldRetry: (error) => error instanceof AttemptFailed && error.failure.isTransient,
      delayMs: (error) => (error instanceof AttemptFailed ? error.failure.retryAfterMs : undefined),
    });
    try {
      if (first.done) return;
      yield first.value;
      yield* events;
    } finally {
      await events.return(undefined);
    }
  } catch (error) {
    if (signal.aborted) throw abortError(signal);
    throw error instanceof AttemptFailed ? error.failure.error : toFailure(error).error;
  }
}

/**
 * Returns the events of one attempt. Throws when the signal aborts or the provider is idle for too
 * long.
 */
async function* watch(open: OpenStream, idleMs: number, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  if (signal.aborted) throw abortError(signal);
  const call = new AbortController();
  const ended = Promise.withResolvers<never>();
  // No one awaits this promise if the attempt ends normally.
  ended.promise.catch(() => undefined);
  const end = (error: AppError) => {
    ended.reject(error);
    call.abort();
  };
  const onAbort = () => end(abortError(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const restartTimer = () => {
    clearTimeout(timer);
    // A client can still report activity after its call has ended.
    if (call.signal.aborted) return;
    timer = setTimeout(() => end(new AppError('timeout', 'The model stopped responding. Try again.')), idleMs);
  };
  const events = open(call.signal, restartTimer);
  try {
    for (;;) {
      restartTimer();
      const next = await Promise.race([events.next(), ended.promise]);
      clearTimeout(timer);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    call.abort();
    // Not awaited: a client that hangs must not delay its reader.
    events.return?.().catch(() => undefined);
  }
}
