import type { IncomingHttpHeaders } from 'node:http';
import { acceptsIdempotencyKey, type OperationSpec } from '@lectern/api-spec';
import { invalidRequest } from '@lectern/service-kit';

const KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/**
 * Reads the Idempotency-Key of a request. Returns undefined if there is none, or if the operation
 * does not accept one. Throws `invalid_request`.
 */
export function readIdempotencyKey(operation: OperationSpec, headers: IncomingHttpHeaders): string | undefined {
  return acceptsIdempotencyKey(operation) ? parseIdempotencyKey(headers) : undefined;
}

/** Reads the Idempotency-Key of any request. Throws `invalid_request`. */
export function parseIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key']?.toString();
  if (key === undefined) return undefined;
  if (!KEY.test(key)) {
    throw invalidRequest([{ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }]);
  }
  return key;
}
