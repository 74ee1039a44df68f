import { AppError } from '@lectern/service-kit';
import { RefusedRequest, TimedOut } from '#connection/send';

/** What was known about a call when it failed. */
export interface FailedCall {
  readonly cancelled: boolean;
}

/**
 * What went wrong in a call, as an `AppError`: `cancelled`, `timeout`, `unavailable` (unreachable, overloaded, failing or locked), else
 * `internal_error`, since requests are built here and a refused one is a fault of ours. Addresses and Qdrant's own words stay in the cause.
 */
export function translateError(error: unknown, { cancelled }: FailedCall): AppError {
  if (error instanceof AppError) return error;
  if (cancelled) return new AppError('cancelled', 'The request was cancelled.', { cause: error });
  if (error instanceof TimedOut) {
    return new AppError('timeout', 'The vector store took too long. Try again.', { cause: error });
  }
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    return new AppError('unavailable', 'The vector store refused the key of this installation.', { cause: error });
  }
  if (status === undefined ? isLostConnection(error) : status === 429 || status >= 500) {
    return new AppError('unavailable', 'The vector store cannot be reached. Try again shortly.', { cause: error });
  }
  return new AppError('internal_error', 'The vector store refused a request.', { cause: error });
}

/** Whether Qdrant answered that the collection does not exist. */
export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** Whether Qdrant answered that what was asked for is there already (409, from older servers 400). */
export function isConflict(error: unknown): boolean {
  const status = statusOf(error);
  return status === 400 || status === 409;
}

/** Codes of faults below HTTP: the system's (`ECONNREFUSED`, `EAI_AGAIN`), undici's, the HTTP parser's, and those of TLS. */
const CONNECTION_FAULTS =
  /^(?:E[A-Z]+|EAI_[A-Z]+|UND_ERR_(?:SOCKET|CONNECT_TIMEOUT|CLOSED|DESTROYED)|HPE_\w+|ERR_(?:TLS|SSL)_\w+|\w*CERT\w*)$/;

/** Whether a request failed below HTTP. */
export function isLostConnection(error: unknown): boolean {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && CONNECTION_FAULTS.test(code);
}

function statusOf(error: unknown): number | undefined {
  return error instanceof RefusedRequest ? error.status : undefined;
}
