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

/** An error that the API returned. */
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
    return new LecternError({ ...fields, code: error.code });
  } catch (cause) {
    return unexpectedResponse(response, cause);
  }
}
