import { type ClientMiddleware, Metadata } from 'nice-grpc-common';
import { CALL_TOKEN_KEY, signCall } from '#grpc/call-token';
import type { InternalKeys } from '#grpc/internal-keys';

/**
 * Creates client middleware that signs each call. It is the innermost middleware, so a retried call
 * is signed again.
 */
export function signCalls(keys: () => InternalKeys): ClientMiddleware {
  return async function* signCalls(call, options) {
    const metadata = Metadata(options.metadata);
    metadata.set(CALL_TOKEN_KEY, signCall(keys(), call.method.path, metadata));
    return yield* call.next(call.request, { ...options, metadata });
  };
}
