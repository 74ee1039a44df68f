import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@lectern/service-kit';
import type { ChatEvent } from '#model/chat-event';
import { endedBySignal } from '#provider/ended-by-signal';
import type { ProviderFailure } from '#provider/provider-failure';
import { backoff } from '#provider/retry-after';
import type { ModelPatience } from '#registry/model-settings';

/** One try of a reply. `alive` is called at each sign of life that yields no event. */
export type OpenStream = (signal: AbortSignal, alive: () => void) => AsyncIterator<ChatEvent>;

/** What a provider is tried with where the operator says nothing. */
export const PATIENCE: ModelPatience = { tries: 4, totalMs: 30_000, idleMs: 90_000 };

/**
 * Streams a reply, trying again what may pass as long as nothing of it has been given on. Ends within a moment of the signal, whatever the
 * provider's client does, and gives a silent provider up. Time that the reader takes does not count as silence.
 * Throws AppError: what `failureOf` makes of the client's errors, `timeout` for silence, `cancelled` or `timeout` by the signal.
 */
export async function* streamPatiently(
  open: OpenStream,
  failureOf: (error: unknown) => ProviderFailure,
  patience: ModelPatience,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const deadline = performance.now() + patience.totalMs;
  for (let tries = 1; ; tries += 1) {
    if (signal.aborted) throw endedBySignal(signal);
    let begun = false;
    try {
      for await (const event of watched(open, patience.idleMs, signal)) {
        begun = true;
        yield event;
      }
      return;
    } catch (error) {
      if (signal.aborted) throw endedBySignal(signal);
      const failure = error instanceof AppError ? { error, isPassing: false } : failureOf(error);
      const wait = failure.retryAfterMs ?? backoff(tries);
      const hopeless = begun || !failure.isPassing || tries >= patience.tries;
      if (hopeless || performance.now() + wait >= deadline) throw failure.error;
      await pause(wait, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** The events of one try, ended by the signal or by silence. */
async function* watched(open: OpenStream, idleMs: number, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  const call = new AbortController();
  const ended = Promise.withResolvers<never>();
  // Someone may be waiting for nothing when it is rejected.
  ended.promise.catch(() => undefined);
  const end = (error: AppError) => {
    ended.reject(error);
    call.abort();
  };
  const onAbort = () => end(endedBySignal(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const watch = () => {
    clearTimeout(timer);
    // A call that has been ended may still stir.
    if (call.signal.aborted) return;
    timer = setTimeout(() => end(new AppError('timeout', 'The model fell silent. Try again.')), idleMs);
  };
  const events = open(call.signal, watch);
  try {
    for (;;) {
      watch();
      const next = await Promise.race([events.next(), ended.promise]);
      clearTimeout(timer);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    call.abort();
    // Not awaited: a client that hangs must not hold up its reader.
    events.return?.().catch(() => undefined);
  }
}
