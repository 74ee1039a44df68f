import { Channel, credentials } from '@grpc/grpc-js';
import { type Client, type CompatServiceDefinition, createClientFactory } from 'nice-grpc';
import { type DeadlineOptions, deadlineMiddleware } from 'nice-grpc-client-middleware-deadline';
import { ClientError, type ClientMiddleware, type Metadata, Status } from 'nice-grpc-common';
import { HealthDefinition } from 'nice-grpc-server-health';
import { AppError } from '#errors/app-error';
import { fromClientError } from '#errors/error-info';
import { toAppError } from '#errors/to-app-error';
import { type InternalKeys, processInternalKeys } from '#grpc/internal-keys';
import { GRPC_OPTIONS, HEALTH_OF_ALL } from '#grpc/options';
import { type RetryCallsOptions, retryCalls } from '#grpc/retry-calls';
import { signCalls } from '#grpc/sign-calls';

/** Options of each call: `deadline` in milliseconds (or a Date), and whether it can be retried. */
export type ClientCallOptions = DeadlineOptions & RetryCallsOptions;

/** A typed client. Its calls throw `AppError` only. */
export type GrpcClient<S extends CompatServiceDefinition> = Client<S, ClientCallOptions>;

export interface ClientOptions {
  /** Maximum milliseconds of a call including retries, default 15,000. */
  readonly deadlineMs?: number;
  /** A different limit for calls without side effects (`NO_SIDE_EFFECTS`). */
  readonly readDeadlineMs?: number;
}

/** A connection to one service; its clients share it. */
export interface GrpcConnection {
  client<S extends CompatServiceDefinition>(definition: S, options?: ClientOptions): GrpcClient<S>;
  /** Returns true if the service and all its dependencies respond in time. Never throws. */
  healthy(deadlineMs: number): Promise<boolean>;
  close(): void;
}

const DEFAULT_DEADLINE_MS = 15_000;

/** Returns the deadline of each method without side effects. */
function deadlinesOfReads(definition: CompatServiceDefinition, deadline: number): Record<string, DeadlineOptions> {
  const methods = 'methods' in definition ? Object.entries(definition.methods) : [];
  const reads = methods.filter(([, { options }]) => options.idempotencyLevel === 'NO_SIDE_EFFECTS');
  return Object.fromEntries(reads.map(([name]) => [name, { deadline }]));
}

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

/** Returns true if the called replica is of a version without this operation. */
export const isUnimplemented = (error: unknown): boolean =>
  error instanceof AppError && error.cause instanceof ClientError && error.cause.code === Status.UNIMPLEMENTED;

/**
 * Opens a connection to a service at `host:port` or `dns:///name:port` (spread over all its
 * addresses, round robin). Connects lazily. Signs calls with the first key, by default of this
 * process's keys.
 */
export function connectGrpc(target: string, internalKeys?: InternalKeys): GrpcConnection {
  const channel = new Channel(target, credentials.createInsecure(), {
    ...GRPC_OPTIONS,
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
    // By default a name is resolved at most every 30 s. A rollout can replace all addresses within
    // that time.
    'grpc.dns_min_time_between_resolutions_ms': 2_000,
  });
  // nice-grpc calls the last attached middleware first: errors are translated outside the deadline,
  // and the deadline includes all retries.
  const sign = signCalls(() => internalKeys ?? processInternalKeys());
  const factory = createClientFactory().use(sign).use(retryCalls).use(deadlineMiddleware).use(errorTranslation);
  const health = factory.create(HealthDefinition, channel);
  return {
    client: (definition, { deadlineMs = DEFAULT_DEADLINE_MS, readDeadlineMs = deadlineMs } = {}) =>
      factory.create(definition, channel, {
        '*': { deadline: deadlineMs },
        ...deadlinesOfReads(definition, readDeadlineMs),
      }),
    healthy: async (deadlineMs) => {
      try {
        const { status } = await health.check({ service: HEALTH_OF_ALL }, { deadline: deadlineMs, retry: false });
        return status === 1;
      } catch {
        return false;
      }
    },
    close: () => channel.close(),
  };
}
