import { answersEtag, type Operation, takesIfMatch } from '#http/operation';
import { takesIdempotencyKey } from '#idempotency/idempotency-key';

const integer = { type: 'integer' };
const ref = (kind: 'headers' | 'parameters', name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** Headers of answers. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'The id of the request, as in `meta.requestId`',
    required: true,
    schema: { type: 'string' },
    example: 'req_01h455vb4pex5vsknk084sn02q',
  },
  'X-RateLimit-Limit': { description: 'Requests a minute', schema: integer, example: 3_000 },
  'X-RateLimit-Remaining': { description: 'Requests left now', schema: integer, example: 2_999 },
  'X-RateLimit-Reset': {
    description: 'When the whole limit is free again: Unix time in seconds',
    schema: integer,
    example: 1_795_255_200,
  },
  'Retry-After': { description: 'Seconds after which a new try is let in', schema: integer, example: 2 },
  'Idempotent-Replayed': {
    description: 'Present where this is the answer to an earlier request with the same Idempotency-Key',
    schema: { const: 'true' },
  },
  ETag: {
    description:
      'Changes whenever the record changes. Send it as `If-Match` in an update or a deletion, or as `If-None-Match` in a GET',
    schema: { type: 'string' },
    example: '"3kTg1mYxq0cVb2Zr.9fQwLx_5dNaE7hRu"',
  },
  Location: { description: 'Where the browser is sent', schema: { type: 'string', format: 'uri' } },
} as const;

type HeaderName = keyof typeof HEADERS;

const LIMITS: readonly HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** References to headers of answers. */
const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name)]));

/** The headers of a success. */
export function successHeaders(operation: Operation): object {
  const names: HeaderName[] = ['X-Request-Id'];
  if (operation.access !== 'open') names.push(...LIMITS);
  if (takesIdempotencyKey(operation)) names.push('Idempotent-Replayed');
  if (answersEtag(operation)) names.push('ETag');
  const own = Object.entries(operation.answerHeaders ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return { ...headerRefs(names), ...Object.fromEntries(own) };
}

/** The response for a client that already has the current record. */
export function notModified(operation: Operation): object {
  if (operation.method !== 'get' || !answersEtag(operation)) return {};
  const headers = headerRefs(['X-Request-Id', ...LIMITS, 'ETag']);
  return { '304': { description: 'Not Modified: the client has the current version', headers } };
}

/** The headers of a redirect. */
export const redirectHeaders = () => headerRefs(['X-Request-Id', 'Location']);

/** The headers of an error. Where the limit stands is told as soon as the key is known. */
export function errorHeaders(status: number): object {
  return headerRefs(['X-Request-Id', ...LIMITS, ...(status === 429 ? (['Retry-After'] as const) : [])]);
}

/** Headers of requests, beside the key. */
export const PARAMETERS = {
  ServiceUser: {
    name: 'X-Service-User',
    in: 'header',
    description:
      'The e-mail address of the end user on whose behalf a secret key makes the request. The response contains only what that user may read. Requests that change connectors, permissions, keys or other people’s data return 403. Sync jobs omit `errors`, and connectors omit `statusReason`',
    schema: { type: 'string', format: 'email' },
  },
  Timestamp: {
    name: 'X-Service-Timestamp',
    in: 'header',
    description: 'With a signature: Unix time in milliseconds, at most 5 minutes from the time of the server',
    schema: { type: 'string', pattern: '^\\d{13}$' },
    example: '1700000000000',
  },
  Signature: {
    name: 'X-Service-Signature',
    in: 'header',
    description:
      'Hexadecimal HMAC-SHA256 over `<timestamp>.<body>`, the body as sent, keyed with the secret key. Checked wherever it is sent; demanded where the pair has `require_signature`. A signed request that changes something is let in once.',
    schema: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
    example: 'cb37bcacf0be6f97e3ce6534883c9b062163941c082291bc84c0f2c8f7057a9e',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A repeat with the same key and body within 24 hours gets the first answer again; with another body, 409 `conflict`',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '4b1c0e0e-6f0c-4a52-9f0e-0d7d3f3f4a10',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the record as the client read it. If an editable field has changed since, the response is 412 `precondition_failed` and nothing changes. Counters, status and timestamps that Lectern maintains are ignored. Several tags are separated by commas; `*` matches any',
    schema: { type: 'string' },
    example: '"3kTg1mYxq0cVb2Zr.9fQwLx_5dNaE7hRu"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the client’s copy. The response is 304 if the record has not changed',
    schema: { type: 'string' },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description:
      'The id of the last event that was received of a stream: the same stream goes on after it, and nothing is asked anew',
    schema: { type: 'string' },
    example: 'msg_01h455vb4pex5vsknk084sn02q.0.42',
  },
} as const;

/** References to the headers that an operation's requests may carry. */
export function headerParameters(operation: Operation): readonly object[] {
  if (operation.access === 'open') return [];
  const names: (keyof typeof PARAMETERS)[] = ['ServiceUser', 'Timestamp', 'Signature'];
  if (takesIdempotencyKey(operation)) names.push('IdempotencyKey');
  if (takesIfMatch(operation)) names.push('IfMatch');
  if (operation.method === 'get' && answersEtag(operation)) names.push('IfNoneMatch');
  if (operation.stream?.continues) names.push('LastEventId');
  return names.map((name) => ref('parameters', name));
}
