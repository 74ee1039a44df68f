/** Waits that grow while a platform keeps saying that it is asked too often without saying until when. */
export interface GrowingWait {
  /** When to ask again. Refusals that come before that time, as of requests at the same moment, count as one. */
  next(now?: number): Date;
  /** The platform answers again. */
  reset(): void;
}

/** The waits one after another, in milliseconds; the last one from then on. */
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
