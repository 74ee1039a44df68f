import { setImmediate as nextTurn } from 'node:timers/promises';

/** The maximum time that other requests wait for one long computation. */
const TURN_MS = 10;

/** Maps items one by one and yields to other requests in between. */
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
