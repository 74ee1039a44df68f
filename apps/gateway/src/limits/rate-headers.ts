import type { ServerResponse } from 'node:http';
import { AppError } from '@lectern/service-kit';
import type { Decision } from '#limits/limiter';

/** Tells the client where it stands with its limit; stands on every answer to an authenticated request. */
export function setRateHeaders(response: ServerResponse, { limit, remaining, resetAt }: Decision): void {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', resetAt);
}

/** Refuses a request until so many seconds have passed. */
export function rateLimited(response: ServerResponse, retryAfter: number, message: string): AppError {
  response.setHeader('Retry-After', retryAfter);
  return new AppError('rate_limited', message, { details: { retryAfter } });
}
