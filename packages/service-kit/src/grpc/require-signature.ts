import { Metadata, ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js';
import { refusalOf } from '#grpc/call-token';
import type { InternalKeys } from '#grpc/internal-keys';
import type { Logger } from '#logging';

/**
 * The methods of gRPC's health service. Probes call it without a key; `server.ts` limits what they
 * can query.
 */
export const HEALTH_PREFIX = '/grpc.health.v1.Health/';
/** Unsigned callers must not be able to fill the log. */
const LOG_EVERY_MS = 10_000;

/** The error for every caller without a valid signature, whatever the reason. */
export const UNSIGNED =
  'The call is not signed with a key of this installation. Check that LECTERN_INTERNAL_KEYS is the same for all services.';

/**
 * Creates a server interceptor that rejects calls without a valid signature as soon as their
 * headers arrive, without reading the request or running a handler. A stream is checked once, when
 * it starts.
 */
export function requireSignature(keys: InternalKeys, log: Logger): ServerInterceptor {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, accept) => {
            const refusal = path.startsWith(HEALTH_PREFIX)
              ? undefined
              : refusalOf(keys, path, Object.entries(metadata.toJSON()));
            if (refusal === undefined) return accept(metadata);
            if (performance.now() - loggedAt >= LOG_EVERY_MS) {
              loggedAt = performance.now();
              log.warn({ method: path, refusal, peer: call.getPeer() }, 'rejected an unsigned call');
            }
            call.sendStatus({ code: status.UNAUTHENTICATED, details: UNSIGNED, metadata: new Metadata() });
          },
        }),
    });
}
