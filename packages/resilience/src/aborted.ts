/**
 * Settles like the promise, or rejects with the signal's reason as soon as it is aborted. For work
 * that can ignore the signal.
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
 * Returns why work failed: the signal's reason if it is aborted, else the error, because calls
 * report an abort in many ways.
 */
export function failureReason(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted ? signal.reason : error;
}
