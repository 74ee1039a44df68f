import { AppError } from '@lectern/service-kit';
import { RejectedRequest } from '#connection/transport';

/** The deadline of a call was exceeded. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';

  constructor(timeoutMs: number) {
    super(`No response within ${timeoutMs} ms`);
  }
}

/**
 * Translates any error of a call: `cancelled`, `timeout`, `unavailable` (unreachable, overloaded,
 * failing or locked), else `internal_error`: this package builds the requests, so a rejected one is
 * a bug here. Addresses and Qdrant's own text stay in the cause.
 */
export function translateError(error: unknown, { cancelled }: { readonly cancelled: boolean }): AppError {
  if (error instanceof AppError) return error;
  if (cancelled) return new AppError('cancelled', 'The request was cancelled.', { cause: error });
  if (error instanceof TimedOut) {
    return new AppError('timeout', 'The vector store took too long. Try again.', { cause: error });
  }
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    const message = 'The vector store rejected the API key of this installation. Check QDRANT_API_KEY.';
    return new AppError('unavailable', message, { cause: error });
  }
  if (status === undefined ? isLostConnection(error) : status === 429 || status >= 500) {
    return new AppError('unavailable', 'The vector store is unavailable. Try again shortly.', { cause: error });
  }
  return new AppError('internal_error', 'The vector store rejected a request. Check the log of the service.', {
    cause: error,
  });
}

/** Returns whether Qdrant reports that the collection does not exist. */
export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404;
}

/**
 * Returns whether Qdrant reports that the collection already exists (409, in older servers 400).
 */
export function isConflict(error: unknown): boolean {
  const status = statusOf(error);
  return status === 400 || status === 409;
}

/** Returns whether Qdrant reports that a collection has no vector of a name. */
export function isUnknownVector(error: unknown): boolean {
  return error instanceof RejectedRequest && error.status === 400 && error.message.includes('Not existing vector name');
}

/**
 * Error codes below HTTP: those of the system (`ECONNREFUSED`, `EAI_AGAIN`), of undici, of its HTTP
 * parser, and of TLS.
 */
const CONNECTION_CODES =
  /^(?:E[A-Z]+|EAI_[A-Z]+|UND_ERR_(?:SOCKET|CONNECT_TIMEOUT|CLOSED|DESTROYED)|HPE_\w+|ERR_(?:TLS|SSL)_\w+|\w*CERT\w*)$/;

/** Returns whether a request failed below HTTP. */
export function isLostConnection(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && CONNECTION_CODES.test(code);
}

function statusOf(error: unknown): number | undefined {
  return error instanceof RejectedRequest ? error.status : undefined;
}
