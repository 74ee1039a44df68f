import { LecternConnectionError } from './errors.ts';

export interface Deadline {
  /** No limit if omitted. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` until the deadline or until the caller aborts. Throws `LecternConnectionError` with
 * `isTimeout`, or the signal's reason. `work` gets a signal; work that ignores it is abandoned.
 */
export async function withDeadline<T>(
  { timeoutMs, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  const onTimeout = () =>
    controller.abort(new LecternConnectionError(`No response within ${timeoutMs} ms.`, { isTimeout: true }));
  const onAbort = () => controller.abort(signal?.reason);
  const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([aborted, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
