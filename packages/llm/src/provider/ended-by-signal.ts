import { AppError } from '@lectern/service-kit';

/** The error for a call that its signal ended: `timeout` where the signal's reason is one, else `cancelled`. */
export function endedBySignal(signal: AbortSignal): AppError {
  const cause: unknown = signal.reason;
  // By name, as AbortSignal.timeout gives it: a DOMException is not an Error everywhere.
  const isTimeout = typeof cause === 'object' && cause !== null && 'name' in cause && cause.name === 'TimeoutError';
  if (isTimeout) return new AppError('timeout', 'The reply took too long.', { cause });
  return new AppError('cancelled', 'The reply was cancelled.', { cause });
}
