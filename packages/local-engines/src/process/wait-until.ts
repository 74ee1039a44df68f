import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '#process/engine-error';

/** The timeout, the interval, and a description of the condition, for example "the server to start". */
export type WaitOptions = {
  readonly what: string;
  /** Default: no limit. */
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Waits until the condition is true. Throws an `EngineError` on timeout, the signal's reason when it
 * aborts, and errors of the condition.
 */
export async function waitUntil(condition: () => boolean | Promise<boolean>, options: WaitOptions): Promise<void> {
  const { timeoutMs = Number.POSITIVE_INFINITY } = options;
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    options.signal?.throwIfAborted();
    if (Date.now() >= deadline) throw new EngineError(`Gave up after ${timeoutMs} ms waiting for ${options.what}`);
    await delay(options.intervalMs ?? 20, undefined, options.signal ? { signal: options.signal } : {});
  }
}
