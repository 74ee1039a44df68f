import { setTimeout as delay } from 'node:timers/promises';

export interface PaceOptions {
  /** The maximum number of units that start per second. */
  readonly perSecond: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Limits the rate of work: each call waits until the units of the calls before it had their time.
 * Time without work is not saved up, so there are no bursts. Rejects once the signal is aborted.
 */
export function createPace({
  perSecond,
  now = () => performance.now(),
  wait = (ms, signal) => delay(ms, undefined, { signal }),
}: PaceOptions): (units: number, signal: AbortSignal) => Promise<void> {
  let freeAt = Number.NEGATIVE_INFINITY;
  return async (units, signal) => {
    signal.throwIfAborted();
    const at = now();
    const startAt = Math.max(at, freeAt);
    freeAt = startAt + (units / perSecond) * 1000;
    if (startAt > at) await wait(startAt - at, signal);
  };
}
