/**
 * Growing waits for a platform that limits the rate without naming a time. Shared by all requests
 * of a connector.
 */
export interface GrowingWait {
  /** Returns the time to retry. Failures before that time, for example of concurrent requests, count as one. */
  next(now?: number): Date;
  /** Called after a success. */
  reset(): void;
}

/** Creates the waits in milliseconds; the last one repeats. */
export function createGrowingWait(waitsMs: readonly [number, ...number[]]): GrowingWait {
  let step = -1;
  let until = 0;
  return {
    next: (now = Date.now()) => {
      if (step < 0 || now >= until) {
        step = Math.min(step + 1, waitsMs.length - 1);
        until = now + (waitsMs[step] ?? waitsMs[0]);
      }
      return new Date(until);
    },
    reset: () => {
      step = -1;
    },
  };
}
