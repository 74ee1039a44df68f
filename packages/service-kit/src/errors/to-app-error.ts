import { databaseErrorCode } from '#database/errors';
import { AppError } from '#errors/app-error';

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

/**
 * Converts a thrown value to an `AppError`. Unknown errors become the cause of an `internal_error`
 * with a fixed message.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isAbort(error)) return new AppError('cancelled', 'The request was cancelled.', { cause: error });
  if (isTimeout(error)) return new AppError('timeout', 'The request took too long. Try again.', { cause: error });
  switch (databaseErrorCode(error)) {
    case 'unavailable':
      return new AppError('unavailable', 'The database cannot be reached. Try again shortly.', { cause: error });
    case 'conflict':
      return new AppError('conflict', 'Another record already has these values.', { cause: error });
    case 'timeout':
      return new AppError('timeout', 'The database took too long. Try again.', { cause: error });
    default:
      return new AppError('internal_error', 'An internal error occurred. Search the server log for the request id.', {
        cause: error,
      });
  }
}
