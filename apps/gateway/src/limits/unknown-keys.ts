import type { ServerResponse } from 'node:http';
import { BoundedMap } from '#keys/bounded-map';
import { rateLimited, setRateHeaders } from '#limits/rate-headers';

const MINUTE_MS = 60_000;
const MAX_NETWORKS = 100_000;

interface Minute {
  count: number;
  readonly endsAt: number;
}

/** Counts keys that nobody has, by the network of the client that made them up: each one costs a query. */
export interface UnknownKeys {
  /** Throws `rate_limited` where the network has presented as many as it may in this minute. */
  requireRoom(network: string, response: ServerResponse): void;
  note(network: string): void;
}

/**
 * Limits unknown keys to so many a minute and network; 0 for no limit. Each replica counts by itself: a shared count would cost what it is
 * to spare.
 */
export function createUnknownKeys(perMinute: number, now: () => number = Date.now): UnknownKeys {
  const minutes = new BoundedMap<Minute>(MAX_NETWORKS);

  const current = (network: string): Minute | undefined => {
    const minute = minutes.get(network);
    return minute !== undefined && minute.endsAt > now() ? minute : undefined;
  };

  return {
    requireRoom: (network, response) => {
      const minute = perMinute === 0 ? undefined : current(network);
      if (minute === undefined || minute.count < perMinute) return;
      const retryAfter = Math.max(1, Math.ceil((minute.endsAt - now()) / 1000));
      const resetAt = Math.ceil(minute.endsAt / 1000);
      setRateHeaders(response, { admitted: false, limit: perMinute, remaining: 0, resetAt, retryAfter });
      throw rateLimited(response, retryAfter, `Too many API keys that nobody has. Try again in ${retryAfter} s.`);
    },
    note: (network) => {
      if (perMinute === 0) return;
      const minute = current(network);
      if (minute === undefined) minutes.set(network, { count: 1, endsAt: now() + MINUTE_MS });
      else minute.count += 1;
    },
  };
}
