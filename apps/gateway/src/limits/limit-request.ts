import type { ServerResponse } from 'node:http';
import { createCounter } from '@lectern/service-kit';
import type { Config } from '#config';
import type { StoredKey } from '#keys/key-store';
import { clientNetwork } from '#limits/client-ip';
import type { Limiter } from '#limits/limiter';
import { rateLimited, setRateHeaders } from '#limits/rate-headers';

const decisions = createCounter(
  'lectern_limiter_decisions',
  'Requests that the rate limits admitted and refused, by kind of key',
);

/** Returns the limit of a key in requests per minute. */
export function limitPerMinute(config: Config, { kind, rateLimitPerMinute, person, app }: StoredKey): number {
  if (person !== undefined || app !== undefined) return config.RATE_LIMIT_PERSON_PER_MINUTE;
  if (rateLimitPerMinute !== undefined) return rateLimitPerMinute;
  return kind === 'secret' ? config.RATE_LIMIT_SECRET_PER_MINUTE : config.RATE_LIMIT_PUBLISHABLE_PER_MINUTE;
}

function bucketOf({ pairId, kind, token, app }: StoredKey, address: string): string {
  // An assistant in a loop must not keep its person out of the console.
  if (app !== undefined) return `o:${app.grantId}`;
  if (token !== undefined) return `u:${pairId}:${token.user}`;
  return kind === 'secret' ? `s:${pairId}` : `p:${pairId}:${clientNetwork(address)}`;
}

/**
 * Counts a request and sets the limit headers. A secret key has one limit, a publishable key one per
 * client network, all tokens of a user together one, and a connected app one. Throws `rate_limited`.
 */
export async function limitRequest(
  { limiter, config }: { readonly limiter: Limiter; readonly config: Config },
  key: StoredKey,
  address: string,
  response: ServerResponse,
): Promise<void> {
  const { kind } = key;
  const taken = limiter.take(bucketOf(key, address), limitPerMinute(config, key));
  const decision = taken instanceof Promise ? await taken : taken;
  decisions.add(1, { kind, decision: decision.admitted ? 'admitted' : 'refused' });
  setRateHeaders(response, decision);
  if (decision.admitted) return;
  const { limit, retryAfter } = decision;
  throw rateLimited(
    response,
    retryAfter,
    `Rate limit exceeded: ${limit} requests per minute. Retry after ${retryAfter} s.`,
  );
}
