import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './logging.ts';
import type { Running } from './run-service.ts';

export interface RepeatOptions {
  /** Names the work in the log. */
  readonly name: string;
  /** Milliseconds between the end of a run and the beginning of the next. */
  readonly intervalMs: number;
  readonly log: Logger;
}

/**
 * Runs `work` again and again, one run at a time, the first at once. A failure is logged and the next run tries again. `stop` aborts the signal and waits for
 * the run at work.
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
        if (!signal.aborted) log.warn({ err, work: name }, 'repeated work failed, will be tried again');
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
