import { setImmediate as nextTurn } from 'node:timers/promises';

/** Other requests wait no longer than this for one that has much to compute. */
const TURN_MS = 10;

/** Computes something of each item, and lets other requests have their turns in between. */
export async function inTurns<T, R>(items: readonly T[], compute: (item: T) => R, signal: AbortSignal): Promise<R[]> {
  const results: R[] = [];
  let startedAt = performance.now();
  for (const item of items) {
    if (performance.now() - startedAt >= TURN_MS) {
      await nextTurn(undefined, { signal });
      startedAt = performance.now();
    }
    results.push(compute(item));
  }
  return results;
}
