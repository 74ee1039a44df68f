import { setTimeout as delay } from 'node:timers/promises';

/** Work that comes at a steady rate, whether or not what came before is done. */
export interface SteadyWork {
  readonly name: string;
  readonly perSecond: number;
  /** Does it once. */
  readonly run: () => Promise<void>;
}

/** One piece of work that came. */
export interface Done {
  readonly name: string;
  /** When it was due, `performance.now()`. */
  readonly at: number;
  /** From then to its end, in milliseconds. */
  readonly ms: number;
  /** Why it failed. */
  readonly failure: string | undefined;
}

/** Beyond this many of a kind under way, what comes is not begun and counts as failed: the system does not keep up. */
const MOST_UNDER_WAY = 50;

/**
 * Does each kind of work at its rate for `durationMs`, then waits for what is under way. Times run from when a piece was due, so one that had to wait
 * for a slow one before it is as late as its client finds it.
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
    // Half a step in, so that kinds of equal rates do not all come in the same moment as the rest begins.
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
