import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '#process/engine-error';
import { describeExit, type ProcessExit, type Running } from '#process/managed-process';
import { messageOf } from '#process/thrown';

/** What to keep running, and when to give up. */
export type SuperviseOptions<T extends Running> = {
  readonly name: string;
  /**
   * Starts it; `previous` is the one that ended, so that the new one can take its port (`portIsFixed`). The signal aborts
   * when supervision is stopped meanwhile.
   */
  readonly start: (previous: T | undefined, signal: AbortSignal) => Promise<T>;
  /** Called before each restart with the reason for it. */
  readonly onRestart?: (reason: string, delayMs: number) => void;
  /** Called once when it keeps failing; supervision has ended then. */
  readonly onGiveUp: (error: EngineError) => void;
  /** At most this many restarts (default 5) within `windowMs` (default 60,000). */
  readonly maxRestarts?: number;
  readonly windowMs?: number;
  /** The pause before a restart: the first (default 100), doubling with each within the window, up to 5,000. */
  readonly firstDelayMs?: number;
};

/** Something that is started again when it ends unasked. */
export type Supervised<T extends Running> = {
  /** The one that runs now, or ran last. */
  current(): T;
  /** Ends it and keeps it ended. */
  stop(): Promise<void>;
};

const MAX_DELAY_MS = 5_000;

/** Starts a process or engine and starts it again whenever it ends without `stop()`. Throws what the first start throws. */
export async function supervise<T extends Running>(options: SuperviseOptions<T>): Promise<Supervised<T>> {
  const { name, maxRestarts = 5, windowMs = 60_000, firstDelayMs = 100 } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const restarts: number[] = [];
  let current = await options.start(undefined, signal);
  const watching = watch();

  async function watch(): Promise<void> {
    for (;;) {
      const exit = await current.exited;
      if (exit.expected || signal.aborted) return;
      if (!(await comeBack(reasonOf(name, exit)))) return;
    }
  }

  /** Tries until it runs again; false when supervision is over. */
  async function comeBack(firstReason: string): Promise<boolean> {
    for (let reason = firstReason; ; ) {
      const recent = restarts.filter((at) => Date.now() - at < windowMs);
      if (recent.length >= maxRestarts) {
        options.onGiveUp(
          new EngineError(`${reason}; gave up after ${maxRestarts} restarts within ${windowMs / 1000} s`, {
            log: current.lastLines(),
          }),
        );
        return false;
      }
      restarts.push(Date.now());
      const delayMs = Math.min(firstDelayMs * 2 ** recent.length, MAX_DELAY_MS);
      options.onRestart?.(reason, delayMs);
      try {
        await delay(delayMs, undefined, { signal });
        current = await options.start(current, signal);
        return true;
      } catch (error) {
        if (signal.aborted) return false;
        reason = messageOf(error);
      }
    }
  }

  return {
    current: () => current,
    async stop() {
      stopping.abort();
      await current.stop();
      await watching;
      // A restart that was past its last look at the signal has put a new one in place.
      await current.stop();
    },
  };
}

function reasonOf(name: string, exit: ProcessExit): string {
  return `${name} ended unasked (${describeExit(exit)})`;
}
