import { AppError } from '@lectern/service-kit';

/**
 * Returns the error for a call that its signal aborted: `timeout` if the reason is a timeout,
 * otherwise `cancelled`.
 */
export function abortError(signal: AbortSignal): AppError {
  const cause: unknown = signal.reason;
  // AbortSignal.timeout creates a DOMException, which is not an Error in every environment, so
  // names are compared.
  const isTimeout = typeof cause === 'object' && cause !== null && 'name' in cause && cause.name === 'TimeoutError';
  if (isTimeout) return new AppError('timeout', 'The reply took too long.', { cause });
  return new AppError('cancelled', 'The reply was cancelled.', { cause });
}
