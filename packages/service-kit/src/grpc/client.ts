import { Channel, credentials } from '@grpc/grpc-js';
import { type Client, type CompatServiceDefinition, createClientFactory } from 'nice-grpc';
import { type DeadlineOptions, deadlineMiddleware } from 'nice-grpc-client-middleware-deadline';
import { type RetryOptions, retryMiddleware } from 'nice-grpc-client-middleware-retry';
import { ClientError, type ClientMiddleware, type Metadata, Status } from 'nice-grpc-common';
import { HealthDefinition } from 'nice-grpc-server-health';
import { fromClientError } from '../errors/error-info.ts';
import { toAppError } from '../errors/to-app-error.ts';
import { GRPC_OPTIONS } from './options.ts';

/** Options of each call: `deadline` in milliseconds (or a Date), and nice-grpc's own. */
export type ClientCallOptions = DeadlineOptions & RetryOptions;

/** A typed client. Its calls throw `AppError` only. */
export type GrpcClient<S extends CompatServiceDefinition> = Client<S, ClientCallOptions>;

/** A connection to one service; its clients share it. */
export interface GrpcConnection {
  client<S extends CompatServiceDefinition>(definition: S, options?: { readonly deadlineMs?: number }): GrpcClient<S>;
  /** True where the service answers its health check in time. Never throws. */
  healthy(deadlineMs: number): Promise<boolean>;
  close(): void;
}

const DEFAULT_DEADLINE_MS = 15_000;

// Only methods that the contract marks as idempotent are retried (nice-grpc reads `idempotency_level`), and only where the
// server was not reached or is going away.
const RETRIES: RetryOptions = {
  retryMaxAttempts: 3,
  retryBaseDelayMs: 50,
  retryMaxDelayMs: 1_000,
  retryableStatuses: [Status.UNAVAILABLE],
};

const errorTranslation: ClientMiddleware = async function* errorTranslation(call, options) {
  let trailer: Metadata | undefined;
  const onTrailer = (received: Metadata) => {
    trailer = received;
    options.onTrailer?.(received);
  };
  try {
    return yield* call.next(call.request, { ...options, onTrailer });
  } catch (error) {
    throw error instanceof ClientError ? fromClientError(error, trailer) : toAppError(error);
  }
};

/** Opens a connection to a service at `host:port` or `dns:///name:port` (spread over all its addresses, round robin). Lazy. */
export function connectGrpc(target: string): GrpcConnection {
  const channel = new Channel(target, credentials.createInsecure(), {
    ...GRPC_OPTIONS,
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 2_000,
  });
  // nice-grpc calls the middleware that was attached last first: errors are translated outside the deadline, the deadline spans
  // all retries.
  const factory = createClientFactory().use(retryMiddleware).use(deadlineMiddleware).use(errorTranslation);
  const health = factory.create(HealthDefinition, channel);
  return {
    client: (definition, { deadlineMs = DEFAULT_DEADLINE_MS } = {}) =>
      factory.create(definition, channel, { '*': { ...RETRIES, deadline: deadlineMs } }),
    healthy: async (deadlineMs) => {
      try {
        const { status } = await health.check({ service: '' }, { deadline: deadlineMs, retry: false });
        return status === 1;
      } catch {
        return false;
      }
    },
    close: () => channel.close(),
  };
}
