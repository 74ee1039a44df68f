import { setTimeout as delay } from 'node:timers/promises';
import { ClientError, type ClientMiddleware, type Metadata, Status } from 'nice-grpc-common';

/** gRPC's own name for a server's word on repeating a call (gRFC A6); a negative number forbids it. */
export const PUSHBACK_KEY = 'grpc-retry-pushback-ms';

const MAX_REPEATS = 3;
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;

export interface RepeatCallsOptions {
  /** False: this call is made once. By default what the contract marks as idempotent is repeated. */
  readonly retry?: boolean;
}

/**
 * Client middleware that makes a unary call again where the server was not reached or is going away, and the contract calls the method idempotent
 * (`idempotency_level`). Pauses double from 50 ms (with jitter), so three repeats take some 300 ms. A service that was answered `unavailable` itself by one
 * behind it has repeated its own call already and says so: each hop that repeated it again would multiply the load and the wait.
 */
export const repeatCalls: ClientMiddleware<RepeatCallsOptions> = async function* repeatCalls(call, options) {
  const { idempotencyLevel } = call.method.options;
  const { retry = idempotencyLevel === 'IDEMPOTENT' || idempotencyLevel === 'NO_SIDE_EFFECTS', ...rest } = options;
  if (call.requestStream || call.responseStream || !retry) return yield* call.next(call.request, rest);
  for (let repeats = 0; ; repeats += 1) {
    let trailer: Metadata | undefined;
    const onTrailer = (received: Metadata) => {
      trailer = received;
      rest.onTrailer?.(received);
    };
    try {
      return yield* call.next(call.request, { ...rest, onTrailer });
    } catch (error) {
      const isAway = error instanceof ClientError && error.code === Status.UNAVAILABLE;
      if (!isAway || repeats >= MAX_REPEATS || Number(trailer?.get(PUSHBACK_KEY) ?? 0) < 0) throw error;
      const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** repeats);
      await delay((pauseMs * (1 + Math.random())) / 2, undefined, rest.signal ? { signal: rest.signal } : {});
    }
  }
};
