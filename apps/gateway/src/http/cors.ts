import type { ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { isHostAllowed } from '#keys/allowed-hosts';
import type { StoredKey } from '#keys/key-store';

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

/** Lets only pages of the allowed hosts read what a publishable key with such a list is answered. */
export function allowOnlyKeysOrigins(response: ServerResponse, key: StoredKey, origin: string | undefined): void {
  if (key.kind !== 'publishable' || key.allowedHosts.length === 0) return;
  response.setHeader('Vary', 'Origin');
  if (origin !== undefined && isHostAllowed(key.allowedHosts, { origin })) {
    response.setHeader('Access-Control-Allow-Origin', origin);
  } else response.removeHeader('Access-Control-Allow-Origin');
}

/** Answers OPTIONS, preflights among them, without a key. `headers` are those that may be sent beyond the API's own. */
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
