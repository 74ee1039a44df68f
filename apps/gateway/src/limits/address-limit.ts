import type { ServerResponse } from 'node:http';
import type { AppError } from '@lectern/service-kit';
import { createMinuteCounts } from '#limits/minute-counts';
import { rateLimited, setRateHeaders } from '#limits/rate-headers';

/** Limits the requests per minute of one client network on this replica. */
export interface AddressLimit {
  /** Counts one request. Throws `rate_limited` with `Retry-After`. */
  take(network: string, response: ServerResponse): void;
  /** Counts one where there is room; otherwise returns how to refuse. */
  tryTake(network: string): ((response: ServerResponse) => AppError) | undefined;
  giveBack(network: string): void;
}

/**
 * Creates a limit; 0 for none. `what` begins the error message, for example “Too many invalid API
 * keys from this address.”
 */
export function createAddressLimit(what: string, perMinute: number, now: () => number = Date.now): AddressLimit {
  const counts = createMinuteCounts(perMinute, now);
  const refuse = (endsAt: number, response: ServerResponse): AppError => {
    const retryAfter = Math.max(1, Math.ceil((endsAt - now()) / 1000));
    const resetAt = Math.ceil(endsAt / 1000);
    setRateHeaders(response, { admitted: false, limit: perMinute, remaining: 0, resetAt, retryAfter });
    const seconds = `${retryAfter} second${retryAfter === 1 ? '' : 's'}`;
    return rateLimited(response, retryAfter, `${what} Retry after ${seconds}.`);
  };
  const tryTake: AddressLimit['tryTake'] = (network) => {
    const endsAt = counts.fullUntil(network);
    if (endsAt !== undefined) return (response) => refuse(endsAt, response);
    counts.add(network);
    return undefined;
  };
  return {
    tryTake,
    take: (network, response) => {
      const refusal = tryTake(network);
      if (refusal !== undefined) throw refusal(response);
    },
    giveBack: counts.giveBack,
  };
}
