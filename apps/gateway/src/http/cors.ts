import type { RequestHandler } from 'express';

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'X-Service-Key',
  'X-Service-Signature',
  'X-Service-Timestamp',
  'X-Service-User',
].join(', ');

const EXPOSED_HEADERS = [
  'Deprecation',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ');

const PREFLIGHT_SECONDS = '600';

/**
 * Lets pages of any origin call the API: a key, never a cookie, is the proof, so an origin by itself gives no right. Which origins
 * a publishable key works from is the key's matter.
 */
export const cors: RequestHandler = (_request, response, next) => {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
  next();
};

/** Answers OPTIONS, preflights among them, without a key. */
export function preflight(allowed: string): RequestHandler {
  return (_request, response) => {
    response.setHeader('Allow', allowed);
    response.setHeader('Access-Control-Allow-Methods', allowed);
    response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    response.status(204).end();
  };
}
