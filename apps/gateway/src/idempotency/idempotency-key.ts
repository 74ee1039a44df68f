import type { IncomingHttpHeaders } from 'node:http';
import { invalidRequest } from '@lectern/service-kit';
import type { Described } from '#http/operation';

const KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** True for an operation of which a repeat is answered as the first was: a POST that a publishable key may not do, no stream. */
export function takesIdempotencyKey({ method, access, stream }: Described & { readonly access: string }): boolean {
  return method === 'post' && access === 'secret' && stream === undefined;
}

/** The request's Idempotency-Key; undefined where it has none, or the operation takes none. Throws `invalid_request`. */
export function readIdempotencyKey(
  operation: Described & { readonly access: string },
  headers: IncomingHttpHeaders,
): string | undefined {
  const key = headers['idempotency-key']?.toString();
  if (key === undefined || !takesIdempotencyKey(operation)) return undefined;
  if (!KEY.test(key)) {
    throw invalidRequest([{ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }]);
  }
  return key;
}
