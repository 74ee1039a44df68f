import type { ServerResponse } from 'node:http';
import type { AppError } from '@lectern/service-kit';
import { createMinuteCounts } from '#limits/minute-counts';
import { rateLimited, setRateHeaders } from '#limits/rate-headers';

/** Limits the requests per minute of one client network on this replica. */
export interface AddressLimit {
  /** Counts one request. Throws `rate_limited` with `Retry-After`. */
  take(network: string, response: ServerResponse): void;
  /**
   * Counts one request. At the limit, counts nothing and returns a function that creates the error.
   */
  tryTake(network: string): ((response: ServerResponse) => AppError) | undefined;
  /** Undoes a count. */
  giveBack(network: string): void;
}

/**
 * Creates a limit; 0 for no limit. `what` is the first sentence of the error message, for example
 * “Too many invalid API keys from this address.”
 */
export function createAddressLimit(what: string, perMinute: number, now: () => number = Date.now): AddressLimit {
  const counts = createMinuteCounts(perMinute, now);
  const reject = (endsAt: number, response: ServerResponse): AppError => {
    const retryAfter = Math.max(1, Math.ceil((endsAt - now()) / 1000));
    const resetAt = Math.ceil(endsAt / 1000);
    setRateHeaders(response, { admitted: false, limit: perMinute, remaining: 0, resetAt, retryAfter });
    const seconds = `${retryAfter} second${retryAfter === 1 ? '' : 's'}`;
    return rateLimited(response, retryAfter, `${what} Retry after ${seconds}.`);
  };
  const tryTake: AddressLimit['tryTake'] = (network) => {
    const endsAt = counts.fullUntil(network);
    if (endsAt !== undefined) return (response) => reject(endsAt, response);
    counts.add(network);
    return undefined;
  };
  return {
    tryTake,
    take: (network, response) => {
      const createError = tryTake(network);
      if (createError !== undefined) throw createError(response);
    },
    giveBack: counts.giveBack,
  };
}
