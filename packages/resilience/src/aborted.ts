/**
 * The promise, or the signal's reason as soon as it is aborted: for work that may ignore the
 * signal.
 */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Why work failed: the signal's reason if it is aborted, else the error. Calls report an abort in
 * many ways.
 */
export function failureReason(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted ? signal.reason : error;
}
