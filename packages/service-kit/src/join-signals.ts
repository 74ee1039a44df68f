/** A signal that follows others until it is disposed. */
export interface JoinedSignal extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Aborts with the first aborted signal and its reason, like `AbortSignal.any`, but does not leak memory
 * if a signal lives as long as the process. Dispose of it when the work is done.
 */
export function joinSignals(...signals: readonly AbortSignal[]): JoinedSignal {
  const joined = new AbortController();
  const stops = signals.map((signal) => {
    const follow = () => joined.abort(signal.reason);
    signal.addEventListener('abort', follow, { once: true });
    if (signal.aborted) follow();
    return () => signal.removeEventListener('abort', follow);
  });
  return {
    signal: joined.signal,
    [Symbol.dispose]: () => {
      for (const stop of stops) stop();
    },
  };
}
