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

/**
 * Counts a request and sets the limit headers. A secret key has one limit, a publishable key one
 * per client network. Throws `rate_limited`.
 */
export async function limitRequest(
  { limiter, config }: { readonly limiter: Limiter; readonly config: Config },
  { pairId, kind, rateLimitPerMinute }: StoredKey,
  address: string,
  response: ServerResponse,
): Promise<void> {
  const isSecret = kind === 'secret';
  const standard = isSecret ? config.RATE_LIMIT_SECRET_PER_MINUTE : config.RATE_LIMIT_PUBLISHABLE_PER_MINUTE;
  const name = isSecret ? `s:${pairId}` : `p:${pairId}:${clientNetwork(address)}`;
  const taken = limiter.take(name, rateLimitPerMinute ?? standard);
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
