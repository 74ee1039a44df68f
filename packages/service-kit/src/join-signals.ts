/** A signal that follows others until it is disposed of. */
export interface JoinedSignal extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Aborts with the first of the signals that is, with its reason. As `AbortSignal.any`, for work that is shorter than one of its signals: one that lives
 * as long as the process would keep a trace of each signal that was made of it, and all that listens to it. Dispose of it when the work is done.
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
