import { type ErrorCode, grpcStatusOfCode, httpStatusOfCode, isErrorCode } from '@lectern/service-kit';
import { type Operation, takesIfMatch } from '#http/operation';

/** What each code means to a caller. */
const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'Something in the request is not as it must be; `details.issues` names each field at fault',
  unauthorized: 'No API key was sent',
  invalid_key: 'The API key is not valid, or was revoked',
  key_expired: 'The API key has expired',
  invalid_signature: 'The signature is missing where it must be, wrong, late or was used before',
  forbidden: 'The key may not do this, not on this collection, or not from this page',
  not_found: 'There is no such record; `details` tells its kind and id',
  method_not_allowed: 'The path has other methods',
  conflict: 'The state of a record forbids it, or an Idempotency-Key was used for something else',
  precondition_failed:
    'The record has changed since the client read the ETag in `If-Match`; the request changed nothing',
  payload_too_large: 'The body is larger than the limit in `details`',
  unsupported_media_type: 'The Content-Type or Content-Encoding is another than the operation takes',
  rate_limited: 'The limit is reached; try again after `Retry-After` seconds',
  cancelled: 'The client left',
  internal_error: 'Something went wrong on our side',
  upstream_error: 'An outside service, such as a model or a source, failed',
  unavailable: 'A part of the service cannot be reached; try again shortly',
  timeout: 'It took too long; try again',
};

/** Codes that no operation answers: a client that left reads nothing, and other methods of a path are no operation. */
const UNSEEN: readonly ErrorCode[] = ['cancelled', 'method_not_allowed'];

const OF_KEYS: readonly ErrorCode[] = [
  'unauthorized',
  'invalid_key',
  'key_expired',
  'invalid_signature',
  'forbidden',
  'rate_limited',
];
const OF_BODIES: readonly ErrorCode[] = ['not_found', 'payload_too_large', 'unsupported_media_type'];

/** Every code that some operation answers. */
export const ANSWERED_CODES: readonly ErrorCode[] = Object.keys(grpcStatusOfCode).filter(
  (code): code is ErrorCode => isErrorCode(code) && !UNSEEN.includes(code),
);

/** All codes by the status of their answer. */
export const CODES_BY_STATUS: ReadonlyMap<number, readonly ErrorCode[]> = Map.groupBy(ANSWERED_CODES, httpStatusOfCode);

/** The statuses of the errors that an operation may answer, ascending. */
export function errorStatuses(operation: Operation): readonly number[] {
  const { access, method, params, body, errors = [] } = operation;
  const codes = new Set<ErrorCode>(['invalid_request', 'internal_error', 'unavailable', ...errors]);
  if (access !== 'open') for (const code of [...OF_KEYS, 'timeout' as const]) codes.add(code);
  if (access !== 'open' && Object.keys(params.shape).length > 0) codes.add('not_found');
  if (body.schema !== null) for (const code of OF_BODIES) codes.add(code);
  if (access === 'secret' && method !== 'get') codes.add('conflict');
  if (takesIfMatch(operation)) codes.add('precondition_failed');
  return [...new Set([...codes].map(httpStatusOfCode))].sort((a, b) => a - b);
}

/** What the codes of an answer mean, a paragraph each. */
export function describeCodes(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${MEANINGS[code]}.`).join('\n\n');
}
