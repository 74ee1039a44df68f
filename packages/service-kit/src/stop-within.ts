import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '#logging';

/**
 * Milliseconds of a shutdown in which work can finish. Then it is aborted and has the rest of the
 * time to store its state.
 */
export const graceMs = (timeoutMs: number): number => timeoutMs * 0.9;

/**
 * Waits up to `timeoutMs` for all parts of a service to stop. Work that still runs then fails when the
 * engines are closed, and a sweeper picks it up.
 */
export async function stopWithin(timeoutMs: number, log: Logger, parts: readonly Promise<unknown>[]): Promise<void> {
  const ended = new AbortController();
  const late = delay(timeoutMs, true, { signal: ended.signal }).catch(() => false);
  try {
    const isLate = await Promise.race([Promise.all(parts).then(() => false), late]);
    if (isLate) log.warn({ timeoutMs }, 'shutdown timed out with work still running');
  } finally {
    ended.abort();
  }
}
