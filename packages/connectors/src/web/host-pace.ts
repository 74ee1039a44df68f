import { setTimeout as delay } from 'node:timers/promises';

/** A longer `Crawl-delay` counts as this: otherwise a crawl would take days. */
const MAX_DELAY_MS = 10_000;

/** Spaces the requests to each host, also concurrent ones. */
export interface HostPace {
  /** Waits for the next turn of a host. Rejects once the signal is aborted. */
  turn(host: string, signal: AbortSignal): Promise<void>;
  /** Sets the delay that a host asks for. The configured one counts if it is longer. */
  slowDown(host: string, delayMs: number): void;
}

export function createHostPace(configuredMs: number): HostPace {
  const freeAt = new Map<string, number>();
  const delays = new Map<string, number>();
  return {
    turn: async (host, signal) => {
      signal.throwIfAborted();
      const now = performance.now();
      const startAt = Math.max(now, freeAt.get(host) ?? 0);
      freeAt.set(host, startAt + (delays.get(host) ?? configuredMs));
      if (startAt > now) await delay(startAt - now, undefined, { signal });
    },
    slowDown: (host, delayMs) => {
      delays.set(host, Math.max(configuredMs, Math.min(delayMs, MAX_DELAY_MS)));
    },
  };
}
