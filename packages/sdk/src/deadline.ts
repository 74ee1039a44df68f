import { LecternConnectionError } from './errors.ts';

export interface Deadline {
  /** Endless where it is left out. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits for work until the time is up or the caller has enough: then throws `LecternConnectionError`, or the signal's reason. The work is
 * told by a signal of its own; where it does not listen, it is left behind.
 */
export async function withDeadline<T>(
  { timeoutMs, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const ended = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  const giveUp = () =>
    controller.abort(new LecternConnectionError(`Nothing came within ${timeoutMs} ms.`, { isTimeout: true }));
  const leave = () => controller.abort(signal?.reason);
  const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
  signal?.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([ended, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
}
