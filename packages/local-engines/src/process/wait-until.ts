import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '#process/engine-error';

/** How long to wait, how often to look, and what is waited for (it ends the error's sentence). */
export type WaitOptions = {
  readonly what: string;
  readonly timeoutMs: number;
  readonly intervalMs?: number;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Waits until the condition holds. Throws an `EngineError` when the deadline passes, the signal's reason when it aborts,
 * and whatever the condition throws.
 */
export async function waitUntil(condition: () => boolean | Promise<boolean>, options: WaitOptions): Promise<void> {
  const deadline = Date.now() + options.timeoutMs;
  while (!(await condition())) {
    options.signal?.throwIfAborted();
    if (Date.now() >= deadline)
      throw new EngineError(`Gave up after ${options.timeoutMs} ms waiting for ${options.what}`);
    await delay(options.intervalMs ?? 20, undefined, options.signal ? { signal: options.signal } : {});
  }
}
