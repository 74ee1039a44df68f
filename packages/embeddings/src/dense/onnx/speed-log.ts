import type { Logger } from '@lectern/service-kit';

/** Counts the passages that a model encodes. */
export interface SpeedLog {
  add(passages: number, busyMs: number): void;
}

/** Passages that arrive within this time are one line of the log. */
const PAUSE_MS = 5_000;
const REPORT_BUSY_MS = 30_000;

/** Logs how many passages a model encodes per second: when it pauses, and while it works. */
export function createSpeedLog(model: string, log: Pick<Logger, 'info'> | undefined): SpeedLog {
  let passages = 0;
  let busyMs = 0;
  let pause: NodeJS.Timeout | undefined;

  const report = (): void => {
    clearTimeout(pause);
    if (busyMs > 0) log?.info({ model, passages, passagesPerSecond: rate(passages, busyMs) }, 'encoded passages');
    passages = 0;
    busyMs = 0;
  };

  return {
    add(count, ms) {
      passages += count;
      busyMs += ms;
      clearTimeout(pause);
      if (busyMs >= REPORT_BUSY_MS) report();
      else pause = setTimeout(report, PAUSE_MS).unref();
    },
  };
}

/** Returns passages per second with one decimal place. */
const rate = (passages: number, busyMs: number): number => Math.round((passages * 10_000) / busyMs) / 10;
