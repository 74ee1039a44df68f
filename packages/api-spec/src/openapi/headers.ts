import { z } from 'zod';
import { acceptsIdempotencyKey, acceptsIfMatch, hasEtag, type OperationSpec } from '#operation';

const integer = { type: 'integer' };
const ref = (kind: 'headers' | 'parameters', name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** Headers of responses. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'The id of the request, as in `meta.requestId`.',
    required: true,
    schema: { type: 'string' },
    example: 'req_01h455vb4pex5vsknk084sn02q',
  },
  'X-RateLimit-Limit': { description: 'The limit in requests per minute.', schema: integer, example: 3_000 },
  'X-RateLimit-Remaining': {
    description: 'The number of requests currently remaining.',
    schema: integer,
    example: 2_999,
  },
  'X-RateLimit-Reset': {
    description: 'When the whole limit is available again, as Unix time in seconds.',
    schema: integer,
    example: 1_795_255_200,
  },
  'X-Budget-Warning': {
    description: 'Present if a soft limit of the budget is reached: which one, what was used, the limit and its reset.',
    schema: { type: 'string' },
    example: 'tokens; used=812000; limit=800000; resets=2026-12-01T00:00:00.000Z',
  },
  'Retry-After': { description: 'Seconds to wait before the next request.', schema: integer, example: 2 },
  'Idempotent-Replayed': {
    description: 'Present if this is the stored response to an earlier request with the same Idempotency-Key.',
    schema: { const: 'true' },
  },
  ETag: {
    description:
      'Changes whenever the record changes. Send it as `If-Match` in an update or a deletion, or as `If-None-Match` in a GET.',
    schema: { type: 'string' },
    example: '"3kTg1mYxq0cVb2Zr.9fQwLx_5dNaE7hRu"',
  },
  Location: { description: 'Where the browser is redirected.', schema: { type: 'string', format: 'uri' } },
} as const;

type HeaderName = keyof typeof HEADERS;

const LIMITS: readonly HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** References to headers of responses. */
const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name)]));

/** The headers of a success. */
export function successHeaders(operation: OperationSpec): object {
  const names: HeaderName[] = ['X-Request-Id'];
  if (operation.access !== 'open') names.push(...LIMITS);
  if (operation.usage === 'chat' || operation.usage === 'agent_run') names.push('X-Budget-Warning');
  if (acceptsIdempotencyKey(operation)) names.push('Idempotent-Replayed');
  if (hasEtag(operation)) names.push('ETag');
  const additional = Object.entries(operation.responseHeaders ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return { ...headerRefs(names), ...Object.fromEntries(additional) };
}

/** The response for a client that already has the current record. */
export function notModified(operation: OperationSpec): object {
  if (operation.method !== 'get' || !hasEtag(operation)) return {};
  const headers = headerRefs(['X-Request-Id', ...LIMITS, 'ETag']);
  return { '304': { description: 'Not Modified: the client has the current version.', headers } };
}

/** The headers of a redirect. */
export const redirectHeaders = () => headerRefs(['X-Request-Id', 'Location']);

/** The headers of an error. The limit headers are present if the key is valid. */
export function errorHeaders(status: number): object {
  return headerRefs([
    'X-Request-Id',
    ...LIMITS,
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ]);
}

/** Request headers in addition to the key. */
export const PARAMETERS = {
  ServiceUser: {
    name: 'X-Service-User',
    in: 'header',
    description:
      'The email address of the end user on whose behalf a secret key makes the request. The response contains only what that user may read. Requests that change connectors, permissions, keys or other people’s data return 403. Sync jobs omit `errors`, and connectors omit `statusReason`.',
    schema: { type: 'string', format: 'email', pattern: z.regexes.email.source, maxLength: 320 },
  },
  Timestamp: {
    name: 'X-Service-Timestamp',
    in: 'header',
    description:
      'The time of the signature as Unix time in milliseconds, at most 5 minutes from the time of the server.',
    schema: { type: 'string', pattern: '^\\d{13}$' },
    example: '1700000000000',
  },
  Signature: {
    name: 'X-Service-Signature',
    in: 'header',
    description:
      'The hexadecimal HMAC-SHA256 of `<timestamp>.<body>` with the secret key, where the body is exactly as sent. It is always verified, and required if the pair has `require_signature`. A signature for a request that changes something works once.',
    schema: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
    example: 'cb37bcacf0be6f97e3ce6534883c9b062163941c082291bc84c0f2c8f7057a9e',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A unique value for a request that you may retry. A request with the same value and body within 24 hours returns the stored response. With another body, it returns 409 `conflict`.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '4b1c0e0e-6f0c-4a52-9f0e-0d7d3f3f4a10',
  },
  CsrfHeader: {
    name: 'X-Lectern-CSRF',
    in: 'header',
    description: 'Always `1`. Required because forms of other sites cannot send it.',
    required: true,
    schema: { const: '1' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the record as the client read it. If an editable field has changed since, the response is 412 `precondition_failed` and nothing changes. Counters, status and timestamps that Lectern maintains are ignored. Several tags are separated by commas; `*` matches any.',
    schema: { type: 'string' },
    example: '"3kTg1mYxq0cVb2Zr.9fQwLx_5dNaE7hRu"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the client’s copy. The response is 304 if the record has not changed.',
    schema: { type: 'string' },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description:
      'The id of the last received event of a stream. The stream resumes after that event, without sending the message again.',
    schema: { type: 'string' },
    example: 'msg_01h455vb4pex5vsknk084sn02q.0.42',
  },
} as const;

/** References to the request headers that an operation accepts. */
export function headerParameters(operation: OperationSpec): readonly object[] {
  if (operation.isForOwnPages === true) return [ref('parameters', 'CsrfHeader')];
  if (operation.isForPeople === true) return operation.method === 'get' ? [] : [ref('parameters', 'CsrfHeader')];
  if (operation.access === 'open') return [];
  const names: (keyof typeof PARAMETERS)[] = ['ServiceUser', 'Timestamp', 'Signature'];
  if (acceptsIdempotencyKey(operation)) names.push('IdempotencyKey');
  if (acceptsIfMatch(operation)) names.push('IfMatch');
  if (operation.method === 'get' && hasEtag(operation)) names.push('IfNoneMatch');
  if (operation.stream?.resumable) names.push('LastEventId');
  return names.map((name) => ref('parameters', name));
}
