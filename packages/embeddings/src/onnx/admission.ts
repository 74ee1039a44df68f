/** Decides whether work can be done in time. */
export interface Admission {
  /**
   * Returns a function to call when work of this size ends, with the milliseconds that it took if
   * it is done; undefined if the work could not end in time.
   */
  enter(size: number): ((busyMs?: number) => void) | undefined;
}

/** The weight of the last work in the estimate. */
const NEWEST = 0.3;

/**
 * Creates the admission for a worker that does one piece of work after another. It estimates from
 * the last work how long all that waits will take. A worker that is free gets any work, so that the
 * estimate follows a machine that becomes faster.
 */
export function createAdmission(timeoutMs: number): Admission {
  let waiting = 0;
  let msPerUnit: number | undefined;
  return {
    enter(size) {
      const total = waiting + size;
      // Before the first result, the model is still loading.
      if (waiting > 0 && (msPerUnit === undefined || total * msPerUnit > timeoutMs)) return undefined;
      waiting = total;
      return (busyMs) => {
        waiting -= size;
        if (busyMs === undefined) return;
        const measured = busyMs / Math.max(1, size);
        msPerUnit = msPerUnit === undefined ? measured : msPerUnit + NEWEST * (measured - msPerUnit);
      };
    },
  };
}
