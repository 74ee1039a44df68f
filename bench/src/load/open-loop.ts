import { setTimeout as delay } from 'node:timers/promises';

/** Work that arrives at a steady rate, whether or not earlier work is finished. */
export interface SteadyWork {
  readonly name: string;
  readonly perSecond: number;
  /** Performs it once. */
  readonly run: () => Promise<void>;
}

/** One unit of work. */
export interface Done {
  readonly name: string;
  /** When it was due (`performance.now()`). */
  readonly at: number;
  /** From then until it ended, in milliseconds. */
  readonly ms: number;
  /** The error if it failed. */
  readonly failure: string | undefined;
}

/** With this many of one kind in progress, further work is not started and counts as failed. */
const MOST_UNDER_WAY = 50;

/**
 * Performs each kind of work at its rate for `durationMs`, then waits for pending work. Latency is
 * measured from the due time, so that waiting for earlier work counts, as it does for a client.
 */
export async function runSteadily(
  kinds: readonly SteadyWork[],
  {
    durationMs,
    factor,
    signal,
  }: { readonly durationMs: number; readonly factor: number; readonly signal: AbortSignal },
): Promise<readonly Done[]> {
  const done: Done[] = [];
  const started = performance.now();
  const drive = async ({ name, perSecond, run }: SteadyWork) => {
    const everyMs = 1_000 / (perSecond * factor);
    const underWay = new Set<Promise<void>>();
    // Starts half a step in, so that kinds with equal rates are not all due at the same time.
    for (let number = 0; (number + 0.5) * everyMs < durationMs; number += 1) {
      const at = started + (number + 0.5) * everyMs;
      await delay(Math.max(0, at - performance.now()), undefined, { signal });
      const note = (failure?: string) => void done.push({ name, at, ms: performance.now() - at, failure });
      if (underWay.size >= MOST_UNDER_WAY) {
        note(`${MOST_UNDER_WAY} were under way already`);
        continue;
      }
      const work: Promise<void> = run()
        .then(
          () => note(),
          (error: unknown) => note(error instanceof Error ? error.message : String(error)),
        )
        .finally(() => underWay.delete(work));
      underWay.add(work);
    }
    await Promise.all(underWay);
  };
  await Promise.all(kinds.map(drive));
  signal.throwIfAborted();
  return done;
}
