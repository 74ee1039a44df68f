import { AppError, invalidRequest } from './app-error.ts';

/**
 * Reads what a field of a request says. An `invalid_request` that `read` throws without naming a field is told of this one; everything
 * else passes through.
 */
export function inField<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const nameless =
      error instanceof AppError && error.code === 'invalid_request' && error.details?.issues === undefined;
    throw nameless ? invalidRequest([{ path, message: error.message }]) : error;
  }
}
