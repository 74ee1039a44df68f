import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@lectern/resilience';
import { EngineError } from '#process/engine-error';
import { describeExit, type ProcessExit, type Running } from '#process/managed-process';
import { messageOf } from '#process/thrown';

/** What to restart, and when to give up. */
export type SuperviseOptions<T extends Running> = {
  readonly name: string;
  /**
   * Starts the process. `previous` is the one that ended, so that the new one can use its port
   * (`portIsFixed`). The signal aborts when `stop` is called.
   */
  readonly start: (previous: T | undefined, signal: AbortSignal) => Promise<T>;
  /** Called before each restart with the reason for it. */
  readonly onRestart?: (reason: string, delayMs: number) => void;
  /** Called once when the process keeps failing and is no longer restarted. */
  readonly onGiveUp: (error: EngineError) => void;
  /** The maximum number of restarts (default 5) within `windowMs` (default 60,000). */
  readonly maxRestarts?: number;
  readonly windowMs?: number;
  /** The delay of the first restart (default 100). Doubles with each restart, up to 5,000. */
  readonly firstDelayMs?: number;
};

/** A process that is restarted whenever it ends unexpectedly. */
export type Supervised<T extends Running> = {
  /** The current or last process. */
  current(): T;
  /** Stops the process without a restart. */
  stop(): Promise<void>;
};

const MAX_DELAY_MS = 5_000;

/** Starts a process and restarts it when it ends without `stop()`. Throws the error of the first start. */
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
      if (!(await restart(reasonOf(name, exit)))) return;
    }
  }

  /** Restarts the process. Returns false if supervision has ended. */
  async function restart(firstReason: string): Promise<boolean> {
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
      const delayMs = backoffMs(recent.length + 1, { minDelayMs: firstDelayMs, maxDelayMs: MAX_DELAY_MS });
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
      // A restart that was already running can have started a new process.
      await current.stop();
    },
  };
}

function reasonOf(name: string, exit: ProcessExit): string {
  return `${name} ended unexpectedly (${describeExit(exit)})`;
}
