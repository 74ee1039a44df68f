import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@lectern/service-kit';

/** Runs `work` again and again, one run at a time, until it is stopped; a failure is logged and the next run tries again. */
export function repeat(
  name: string,
  intervalMs: number,
  log: Logger,
  work: () => Promise<unknown>,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await work();
      } catch (err) {
        log.warn({ err, work: name }, 'repeated work failed, will be tried again');
      }
      await delay(intervalMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await loop;
    },
  };
}
