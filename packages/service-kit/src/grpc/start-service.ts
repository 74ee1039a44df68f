import { type GrpcServerOptions, startGrpcServer } from '#grpc/server';
import type { Running } from '#run-service';
import { graceMs, stopWithin } from '#stop-within';

/** Work of a service alongside its calls: loops, consumers of queues, subscriptions. */
export interface BackgroundWork {
  /** Stops the work. After `drainMs`, work that still runs is aborted. */
  stop(drainMs: number): Promise<unknown>;
}

export interface GrpcServiceOptions extends Omit<GrpcServerOptions, 'address' | 'shutdownTimeoutMs'> {
  /** The name in the log. */
  readonly name: string;
  readonly config: { readonly GRPC_ADDRESS: string; readonly SHUTDOWN_TIMEOUT_MS: number };
  /** Starts the background work, when the server listens. */
  readonly startWork?: () => readonly BackgroundWork[];
  /** Waits for work that calls have started, after the last call. */
  readonly drain?: () => Promise<unknown>;
  /** Closes the connections, at the end. */
  readonly close: () => Promise<void> | void;
}

export interface RunningService extends Running {
  readonly port: number;
}

/**
 * Starts a service: its gRPC server and its background work. `stop` stops both within the shutdown
 * timeout, then closes the connections.
 */
export async function startGrpcService(options: GrpcServiceOptions): Promise<RunningService> {
  const { name, config, startWork, drain, close, ...serverOptions } = options;
  const { log } = serverOptions;
  const shutdownTimeoutMs = config.SHUTDOWN_TIMEOUT_MS;
  const server = await startGrpcServer({
    ...serverOptions,
    address: config.GRPC_ADDRESS,
    shutdownTimeoutMs,
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const work = startWork?.() ?? [];
  log.info({ port: server.port }, `${name} is listening`);
  const stopServer = async () => {
    await server.stop();
    await drain?.();
  };
  return {
    port: server.port,
    stop: async () => {
      const stopping = work.map((part) => part.stop(graceMs(shutdownTimeoutMs)));
      await stopWithin(shutdownTimeoutMs, log, [stopServer(), ...stopping]);
      await close();
    },
  };
}
