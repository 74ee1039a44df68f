import { AppError } from '@lectern/service-kit';
import { QdrantClientResourceExhaustedError } from '@qdrant/js-client-rest';

/** What was known about a call when it failed. */
export interface FailedCall {
  readonly cancelled: boolean;
  readonly timedOut: boolean;
}

/**
 * What went wrong in a call, as an `AppError`: `cancelled`, `timeout`, `unavailable` (unreachable, overloaded, failing or locked), else
 * `internal_error`, since requests are built here and a refused one is a fault of ours. Addresses and Qdrant's own words stay in the cause.
 */
export function translateError(error: unknown, { cancelled, timedOut }: FailedCall): AppError {
  if (error instanceof AppError) return error;
  if (cancelled) return new AppError('cancelled', 'The request was cancelled.', { cause: error });
  if (timedOut) return new AppError('timeout', 'The vector store took too long. Try again.', { cause: error });
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    return new AppError('unavailable', 'The vector store refused the key of this installation.', { cause: error });
  }
  if (isUnreachable(error, status)) {
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

function isUnreachable(error: unknown, status: number | undefined): boolean {
  if (status !== undefined) return status === 429 || status >= 500;
  return isFetchFailure(error) || error instanceof QdrantClientResourceExhaustedError;
}

/** Whether a request failed below HTTP. `fetch` throws a TypeError then; it is told by name, since it may be of another realm. */
export function isFetchFailure(error: unknown): boolean {
  return property(error, 'name') === 'TypeError' && property(error, 'message') === 'fetch failed';
}

/** The client's `ApiError` carries it; that class is not among what the client exports. */
function statusOf(error: unknown): number | undefined {
  const status = property(error, 'status');
  return typeof status === 'number' ? status : undefined;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
