import { createCache } from '@lectern/resilience';

const MINUTE_MS = 60_000;
const MAX_NAMES = 100_000;

interface Minute {
  count: number;
  readonly endsAt: number;
}

/**
 * Counts per name and minute. Each replica counts separately: a shared count would cost as much as
 * the requests that it prevents.
 */
export interface MinuteCounts {
  /**
   * Returns when the minute of a name at its limit ends, as Unix time in milliseconds; undefined
   * for any other name.
   */
  fullUntil(name: string): number | undefined;
  add(name: string, amount?: number): void;
  /** Undoes a count. */
  giveBack(name: string, amount?: number): void;
}

/**
 * Creates counts with a limit per minute and name; 0 for no limit. A minute starts with the first
 * count.
 */
export function createMinuteCounts(perMinute: number, now: () => number = Date.now): MinuteCounts {
  const minutes = createCache<string, Minute>({ maxEntries: MAX_NAMES });

  const current = (name: string): Minute | undefined => {
    const minute = minutes.get(name);
    return minute !== undefined && minute.endsAt > now() ? minute : undefined;
  };

  return {
    fullUntil: (name) => {
      const minute = perMinute === 0 ? undefined : current(name);
      return minute !== undefined && minute.count >= perMinute ? minute.endsAt : undefined;
    },
    add: (name, amount = 1) => {
      if (perMinute === 0) return;
      const minute = current(name);
      if (minute === undefined) minutes.set(name, { count: amount, endsAt: now() + MINUTE_MS });
      else minute.count += amount;
    },
    giveBack: (name, amount = 1) => {
      const minute = current(name);
      if (minute !== undefined) minute.count = Math.max(0, minute.count - amount);
    },
  };
}
