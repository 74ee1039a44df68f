import { setTimeout as wait } from 'node:timers/promises';
import { SourceError } from '../source-error.ts';

const MAX_ATTEMPTS = 4;
const BACKOFF_MS = 150;
const LONGEST_WAIT_MS = 2_000;
/** What has taken so long already is no matter of a quick retry: a source that hangs would hold its caller four times as long. */
const QUICK_MS = 10_000;

/** Milliseconds to wait before the given attempt is made again, or undefined where a second does not mend it. */
function waitBeforeRetry(error: SourceError, attempt: number): number | undefined {
  if (!error.retryable || attempt >= MAX_ATTEMPTS) return undefined;
  if (error.kind === 'transient') return BACKOFF_MS * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
  const untilMs = (error.retryAt?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now();
  return untilMs > LONGEST_WAIT_MS ? undefined : Math.max(untilMs, 0);
}

/**
 * Tries until it goes well, cannot, or would take longer than a quick retry may: four attempts, no wait of more than two seconds, and
 * none after ten. `attempt` throws `SourceError` for what the source says; anything else ends it at once, and so does the signal.
 */
export async function quickRetry<T>(
  signal: AbortSignal,
  attempt: () => Promise<T>,
  now: () => number = () => performance.now(),
): Promise<T> {
  const begunAt = now();
  for (let number = 1; ; number += 1) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const waitMs = error instanceof SourceError ? waitBeforeRetry(error, number) : undefined;
      if (waitMs === undefined || now() - begunAt > QUICK_MS) throw error;
      await wait(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}
