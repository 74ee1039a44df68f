import { AppError, invalidRequest } from '#errors/app-error';

/**
 * Reads a field of a request. An `invalid_request` without a field gets this path; other errors pass
 * through.
 */
export function inField<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const hasNoField =
      error instanceof AppError && error.code === 'invalid_request' && error.details?.issues === undefined;
    throw hasNoField ? invalidRequest([{ path, message: error.message }]) : error;
  }
}
