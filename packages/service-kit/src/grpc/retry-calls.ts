import { retry } from '@lectern/resilience';
import { ClientError, type ClientMiddleware, type Metadata, Status } from 'nice-grpc-common';
import { PUSHBACK_KEY } from '#errors/error-info';

const RETRY = { attempts: 4, minDelayMs: 25, maxDelayMs: 1_000 };

export interface RetryCallsOptions {
  /**
   * False disables retries. By default calls of methods that the contract marks as idempotent are
   * retried.
   */
  readonly retry?: boolean;
}

/** Returns the result of a unary call, which yields nothing. */
async function resultOf<T>(call: AsyncGenerator<unknown, T, undefined>): Promise<T> {
  for (;;) {
    const { done, value } = await call.next();
    if (done === true) return value;
  }
}

/**
 * Client middleware that retries a unary call if the server is unavailable and the contract marks the
 * method as idempotent (`idempotency_level`). Three retries take about 300 ms. A service whose own
 * dependency was unavailable forbids retries (pushback): it has retried already, and retries at every
 * hop would multiply the load.
 */
export const retryCalls: ClientMiddleware<RetryCallsOptions> = async function* retryCalls(call, options) {
  const { idempotencyLevel } = call.method.options;
  const isIdempotent = idempotencyLevel === 'IDEMPOTENT' || idempotencyLevel === 'NO_SIDE_EFFECTS';
  const { retry: isRetried = isIdempotent, ...rest } = options;
  if (call.requestStream || call.responseStream || !isRetried) return yield* call.next(call.request, rest);
  const { request } = call;
  let trailer: Metadata | undefined;
  const onTrailer = (received: Metadata) => {
    trailer = received;
    rest.onTrailer?.(received);
  };
  const attempt = () => {
    trailer = undefined;
    return resultOf(call.next(request, { ...rest, onTrailer }));
  };
  const isUnavailable = (error: unknown) => error instanceof ClientError && error.code === Status.UNAVAILABLE;
  const shouldRetry = (error: unknown) => isUnavailable(error) && Number(trailer?.get(PUSHBACK_KEY) ?? 0) >= 0;
  return await retry(attempt, { ...RETRY, shouldRetry, signal: rest.signal });
};
