import type { Schemas } from './types.ts';

/** The error codes of the API. */
export type ErrorCode = Schemas['ErrorCode'];

interface LecternErrorFields {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** An error that the API returned. Each group of codes has a subclass. */
export class LecternError extends Error {
  override readonly name: string = 'LecternError';
  readonly code: ErrorCode;
  /** The HTTP status. 200 if a stream failed after it had started. */
  readonly status: number;
  /** Include it in support requests: it identifies the request in the server's logs. */
  readonly requestId: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds to wait before a retry, from the `Retry-After` header. */
  readonly retryAfterSeconds: number | undefined;

  constructor({ code, message, status, requestId, details = {}, retryAfterSeconds }: LecternErrorFields) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The invalid fields of the request if the code is `invalid_request`. */
  get issues(): readonly Schemas['Issue'][] {
    const { issues } = this.details;
    return Array.isArray(issues) ? issues : [];
  }
}

/** The request is invalid: see `issues`. */
export class InvalidRequestError extends LecternError {
  override readonly name = 'InvalidRequestError';
}

/** The key, the token, the session or the signature is missing, invalid or expired. */
export class AuthenticationError extends LecternError {
  override readonly name = 'AuthenticationError';
}

/** The caller may not do this. */
export class ForbiddenError extends LecternError {
  override readonly name = 'ForbiddenError';
}

/** The record does not exist, or the caller cannot see it. */
export class NotFoundError extends LecternError {
  override readonly name = 'NotFoundError';
}

/** The record is in another state than the request expects, or has changed since it was read. */
export class ConflictError extends LecternError {
  override readonly name = 'ConflictError';
}

/** Too many requests: see `retryAfterSeconds`. */
export class RateLimitError extends LecternError {
  override readonly name = 'RateLimitError';
}

/** Lectern, or a service that it uses, failed or is not available. */
export class ServerError extends LecternError {
  override readonly name = 'ServerError';
}

/** The subclass of each code. Other codes have none. */
const CLASSES: Readonly<Partial<Record<string, typeof LecternError>>> = {
  invalid_request: InvalidRequestError,
  payload_too_large: InvalidRequestError,
  unsupported_media_type: InvalidRequestError,
  unauthorized: AuthenticationError,
  invalid_key: AuthenticationError,
  key_expired: AuthenticationError,
  invalid_signature: AuthenticationError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  conflict: ConflictError,
  precondition_failed: ConflictError,
  rate_limited: RateLimitError,
  internal_error: ServerError,
  upstream_error: ServerError,
  unavailable: ServerError,
  timeout: ServerError,
};

/** Creates the error for a code. A newer server can have codes that this client does not know. */
export function createError(fields: LecternErrorFields): LecternError {
  const { code, status } = fields;
  const known = Object.hasOwn(CLASSES, code) ? CLASSES[code] : undefined;
  const Class = known ?? (status >= 500 ? ServerError : LecternError);
  return new Class(fields);
}

interface ConnectionErrorOptions {
  readonly cause?: unknown;
  readonly isTimeout?: boolean;
  readonly status?: number | undefined;
}

/** No response, or not one from Lectern: a network failure, a proxy's page or a timeout. */
export class LecternConnectionError extends Error {
  override readonly name: string = 'LecternConnectionError';
  readonly isTimeout: boolean;
  /** The HTTP status of an unexpected response, for example of a proxy. */
  readonly status: number | undefined;

  constructor(message: string, { cause, isTimeout = false, status }: ConnectionErrorOptions = {}) {
    super(message, { cause });
    this.isTimeout = isTimeout;
    this.status = status;
  }
}

/** Creates the error for a response that is not from Lectern: a proxy's page, or an empty body. */
export const unexpectedResponse = ({ status }: Response, cause: unknown): LecternConnectionError =>
  new LecternConnectionError(`Unexpected response (HTTP ${status}). Is this a Lectern server?`, { cause, status });

const wholeSeconds = (text: string | null): number | undefined =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/** Reads the error from a response whose status is not 2xx. */
export async function readError(response: Response): Promise<LecternError | LecternConnectionError> {
  const text = await response.text();
  try {
    const { error, meta } = JSON.parse(text);
    const requestId = response.headers.get('x-request-id') ?? meta?.requestId;
    const { code, message, details } = error;
    if (typeof code !== 'string' || typeof message !== 'string') throw new TypeError('The body is not an API error.');
    const retryAfterSeconds = wholeSeconds(response.headers.get('retry-after'));
    const fields = { message, status: response.status, requestId, details, retryAfterSeconds };
    return createError({ ...fields, code: error.code });
  } catch (cause) {
    return unexpectedResponse(response, cause);
  }
}
