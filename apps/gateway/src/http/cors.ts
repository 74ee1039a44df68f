import type { RequestHandler } from 'express';

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'X-Service-Key',
  'X-Service-Signature',
  'X-Service-Timestamp',
  'X-Service-User',
];

const EXPOSED_HEADERS = [
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Retry-After',
  'X-Budget-Warning',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ');

const PREFLIGHT_SECONDS = '600';

/**
 * Allows pages of any origin to call the API with a key, so an origin alone grants nothing. The check
 * of a publishable key limits its origins. Sessions are limited to pages of this installation.
 */
export const cors: RequestHandler = (_request, response, next) => {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
  next();
};

/**
 * Responds to OPTIONS, including preflights, without a key. Allows `headers` in addition to those
 * of the API.
 */
export function preflight(allowed: string, headers: readonly string[] = []): RequestHandler {
  const allowedHeaders = [...ALLOWED_HEADERS, ...headers].join(', ');
  return (_request, response) => {
    response.setHeader('Allow', allowed);
    response.setHeader('Access-Control-Allow-Methods', allowed);
    response.setHeader('Access-Control-Allow-Headers', allowedHeaders);
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    response.status(204).end();
  };
}
