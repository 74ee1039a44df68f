import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './logging.ts';

/** Of the milliseconds that a stop may take, those in which work may come to its end. It is aborted then, and has the rest to write down how it ended. */
export const graceMs = (timeoutMs: number): number => timeoutMs * 0.9;

/**
 * Waits for a service's parts to end, side by side and no longer than so many milliseconds altogether. What is at work then is cut off when the
 * engines are closed: whoever looks for its row takes it up.
 */
export async function stopWithin(timeoutMs: number, log: Logger, endings: readonly Promise<unknown>[]): Promise<void> {
  const ended = new AbortController();
  const late = delay(timeoutMs, true, { signal: ended.signal }).catch(() => false);
  try {
    const isLate = await Promise.race([Promise.all(endings).then(() => false), late]);
    if (isLate) log.warn({ timeoutMs }, 'the time to stop is over, work is cut off');
  } finally {
    ended.abort();
  }
}
