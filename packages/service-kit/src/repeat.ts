import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '#logging';
import type { Running } from '#run-service';

export interface RepeatOptions {
  /** The name of the work in the log. */
  readonly name: string;
  /** Milliseconds between the end of a run and the start of the next. */
  readonly intervalMs: number;
  readonly log: Logger;
}

/**
 * Runs `work` in a loop, starting immediately. A failure is logged. `stop` aborts the signal and waits
 * for the current run.
 */
export function repeat(
  { name, intervalMs, log }: RepeatOptions,
  work: (signal: AbortSignal) => Promise<unknown>,
): Running {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = (async () => {
    while (!signal.aborted) {
      try {
        await work(signal);
      } catch (err) {
        if (!signal.aborted) log.warn({ err, work: name }, 'could not finish repeated work; will retry');
      }
      await delay(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await loop;
    },
  };
}
