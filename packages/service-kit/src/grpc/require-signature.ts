import { Metadata, ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js';
import type { Logger } from '../logging.ts';
import { refusalOf } from './call-token.ts';
import type { InternalKeys } from './internal-keys.ts';

/** The methods of gRPC's health service, which probes call without a key: `server.ts` decides what they may ask. */
export const HEALTH_PREFIX = '/grpc.health.v1.Health/';
/** Whoever knocks must not fill the log. */
const LOG_EVERY_MS = 10_000;

/** What a caller without a valid signature is told, whatever is wrong with it. */
export const UNSIGNED = 'The call is not signed with a key of this installation (LECTERN_INTERNAL_KEYS).';

/**
 * Server interceptor that refuses calls without a valid signature as soon as their headers are there: nothing of the request is read, and no handler runs. A
 * stream is checked at its start.
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
              log.warn({ method: path, refusal, peer: call.getPeer() }, 'unsigned call refused');
            }
            call.sendStatus({ code: status.UNAUTHENTICATED, details: UNSIGNED, metadata: new Metadata() });
          },
        }),
    });
}
