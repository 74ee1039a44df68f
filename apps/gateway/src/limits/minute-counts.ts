import { BoundedMap } from '#keys/bounded-map';

const MINUTE_MS = 60_000;
const MAX_NAMES = 100_000;

interface Minute {
  count: number;
  readonly endsAt: number;
}

/** What one client may do a minute. Each replica counts by itself: a shared count would cost what it is to spare. */
export interface MinuteCounts {
  /** When the minute of a name that has reached the limit ends, as Unix time in milliseconds; undefined for any other. */
  fullUntil(name: string): number | undefined;
  add(name: string, amount?: number): void;
  /** Takes back what was counted in vain. */
  giveBack(name: string, amount?: number): void;
}

/** Counts up to `perMinute` a minute and name; 0 for no limit. A minute begins with the first count. */
export function createMinuteCounts(perMinute: number, now: () => number = Date.now): MinuteCounts {
  const minutes = new BoundedMap<Minute>(MAX_NAMES);

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
