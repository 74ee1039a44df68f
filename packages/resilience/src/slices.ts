import { setImmediate as nextTurn } from 'node:timers/promises';

/** A computation that yields at every point where it can pause. */
export type Pausable<T> = Generator<undefined, T, undefined>;

/** The longest time that a computation blocks the event loop, plus the time to its next pause. */
const SLICE_MS = 8;

/**
 * Runs a computation in slices, so that other work of the process can run in between. Throws the
 * signal's reason at the next pause after it is aborted.
 */
export async function runInSlices<T>(work: Pausable<T>, signal?: AbortSignal): Promise<T> {
  let startedAt = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - startedAt < SLICE_MS) continue;
    await nextTurn();
    signal?.throwIfAborted();
    startedAt = performance.now();
  }
}

/** Maps items one by one in slices. */
export function mapInSlices<T, R>(items: readonly T[], compute: (item: T) => R, signal?: AbortSignal): Promise<R[]> {
  return runInSlices(
    (function* (): Pausable<R[]> {
      const results: R[] = [];
      for (const item of items) {
        results.push(compute(item));
        yield;
      }
      return results;
    })(),
    signal,
  );
}

/** Runs a computation to its end without a pause, for tools that have nothing else to do. */
export function runToEnd<T>(work: Pausable<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
