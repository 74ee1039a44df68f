import { setTimeout as delay } from 'node:timers/promises';
import type { Logger, Running } from '@lectern/service-kit';

/** Another replica may have stored something to do. */
const POLL_MS = 1_000;

/** Rows that processes take with a lease. */
export interface Work<T> {
  /** For the log. */
  readonly name: string;
  /** The most that a process does at once. */
  readonly concurrent: number;
  /** Takes at most `limit` that are due. */
  claim(limit: number): Promise<readonly T[]>;
  /** Does one and stores the outcome. If it fails, the lease expires and the work is taken again. */
  handle(work: T, stop: AbortSignal): Promise<void>;
  /** Resolves when there may be something to do now. */
  woken?(): Promise<void>;
}

/** Does work until it is stopped. */
export function startWorkLoop<T>({ name, concurrent, claim, handle, woken }: Work<T>, log: Logger): Running {
  const stopping = new AbortController();
  const { signal } = stopping;
  const active = new Set<Promise<void>>();

  const take = async () => {
    const free = concurrent - active.size;
    for (const claimed of free > 0 ? await claim(free) : []) {
      const work = handle(claimed, signal)
        .catch((err: unknown) => log.warn({ err, work: name }, 'could not finish work; will retry'))
        .finally(() => active.delete(work));
      active.add(work);
    }
  };

  const loop = (async () => {
    while (!signal.aborted) {
      const wake = woken?.();
      await take().catch((err: unknown) => log.warn({ err, work: name }, 'could not find work; will retry'));
      const wait = delay(POLL_MS, undefined, { signal }).catch(() => undefined);
      await Promise.race([wait, ...(wake === undefined ? [] : [wake]), ...(active.size >= concurrent ? active : [])]);
    }
    await Promise.all(active);
  })();
  return {
    stop: async () => {
      stopping.abort();
      await loop;
    },
  };
}
