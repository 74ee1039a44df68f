import { STATUS_CODES } from 'node:http';
import { type ErrorCode, grpcStatusOfCode, httpStatusOfCode, isErrorCode } from '@lectern/contracts';
import { acceptsIfMatch, type OperationSpec } from '#operation';

/** The meaning of each code. */
const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'The request is invalid; `details.issues` lists the invalid fields',
  unauthorized: 'The request has no API key and no session, the session has ended, or the password is wrong',
  invalid_key: 'The API key is invalid or revoked',
  key_expired: 'The API key has expired',
  invalid_signature: 'The signature is missing although it is required, wrong, too old, or already used',
  forbidden: 'The key or the role has no access to the operation or the collection, or may not be used from this page',
  not_found: 'The record does not exist; `details` contains its kind and id',
  method_not_allowed: 'The path does not support the method; the `Allow` header lists its methods',
  conflict: 'The state of a record does not allow the operation, or the Idempotency-Key was used for another request',
  precondition_failed:
    'The record has changed since the client read the ETag in `If-Match`; the request changed nothing',
  payload_too_large: 'The body exceeds the limit in `details`',
  unsupported_media_type: 'The operation does not support the Content-Type or Content-Encoding',
  rate_limited: 'The rate limit is exceeded; retry after `Retry-After` seconds',
  cancelled: 'The client disconnected',
  internal_error: 'An unexpected error on the server; report it with the request id',
  upstream_error: 'An external service failed, for example a language model or a source',
  unavailable: 'Part of the service is unavailable; retry shortly',
  timeout: 'The operation took too long; retry',
};

/**
 * Codes that no operation returns: for a client that disconnected, and for unsupported methods of a
 * path.
 */
const NOT_RETURNED: readonly ErrorCode[] = ['cancelled', 'method_not_allowed'];

const KEY_CODES: readonly ErrorCode[] = [
  'unauthorized',
  'invalid_key',
  'key_expired',
  'invalid_signature',
  'forbidden',
  'rate_limited',
];
const BODY_CODES: readonly ErrorCode[] = ['not_found', 'payload_too_large', 'unsupported_media_type'];

/** Every code that an operation can return. */
export const RETURNED_CODES: readonly ErrorCode[] = Object.keys(grpcStatusOfCode).filter(
  (code): code is ErrorCode => isErrorCode(code) && !NOT_RETURNED.includes(code),
);

/** These codes by HTTP status. */
export const CODES_BY_STATUS: ReadonlyMap<number, readonly ErrorCode[]> = Map.groupBy(RETURNED_CODES, httpStatusOfCode);

/** The name of the response to a status, for example `NotFound`. */
export const nameOfStatus = (status: number): string =>
  (STATUS_CODES[status] ?? `Status ${status}`).replaceAll(/\W/g, '');

/** Returns the error statuses of an operation, in ascending order. */
export function errorStatuses(operation: OperationSpec): readonly number[] {
  const { access, method, params, body, errors = [] } = operation;
  const codes = new Set<ErrorCode>(['invalid_request', 'internal_error', 'unavailable', ...errors]);
  if (access !== 'open') for (const code of [...KEY_CODES, 'timeout' as const]) codes.add(code);
  if (access !== 'open' && Object.keys(params.shape).length > 0) codes.add('not_found');
  if (body.schema !== null) for (const code of BODY_CODES) codes.add(code);
  if (access === 'secret' && method !== 'get') codes.add('conflict');
  if (acceptsIfMatch(operation)) codes.add('precondition_failed');
  return [...new Set([...codes].map(httpStatusOfCode))].sort((a, b) => a - b);
}

/** Returns the meanings of the codes, one paragraph each. */
export function describeCodes(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${MEANINGS[code]}.`).join('\n\n');
}
