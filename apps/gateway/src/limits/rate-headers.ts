import type { ServerResponse } from 'node:http';
import { AppError } from '@lectern/service-kit';
import type { Decision } from '#limits/limiter';

/** Sets the limit headers of a response. */
export function setRateHeaders(response: ServerResponse, { limit, remaining, resetAt }: Decision): void {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', resetAt);
}

/** Creates `rate_limited` and sets `Retry-After`, in seconds. */
export function rateLimited(response: ServerResponse, retryAfter: number, message: string): AppError {
  response.setHeader('Retry-After', retryAfter);
  return new AppError('rate_limited', message, { details: { retryAfter } });
}
