import { type CompatServiceDefinition, createServer, type ServiceImplementation } from 'nice-grpc';
import { HealthDefinition, HealthServiceImpl, HealthState } from 'nice-grpc-server-health';
import type { Logger } from '../logging.ts';
import { rpcMetrics } from '../metrics/rpc-metrics.ts';
import { graceMs } from '../stop-within.ts';
import type { ServiceCall } from './call.ts';
import { askDependencies, type Dependencies, type Dependency, observeDependencies } from './dependencies.ts';
import { GRPC_OPTIONS, HEALTH_OF_ALL } from './options.ts';
import { callerRequired, callLog, errorBoundary } from './server-middleware.ts';

/** What handlers are given beside nice-grpc's own call context. */
export type HandlerContext = Pick<ServiceCall, 'caller' | 'requestId' | 'log'>;

/** A service to serve: its contract and its handlers. Make it with `serve`, which checks one against the other. */
export interface ServedService {
  readonly definition: CompatServiceDefinition;
  readonly implementation: ServiceImplementation<CompatServiceDefinition, HandlerContext>;
}

/** Pairs a contract with its handlers. */
export function serve<S extends CompatServiceDefinition>(
  definition: S,
  implementation: ServiceImplementation<S, HandlerContext>,
): ServedService {
  return { definition, implementation };
}

export interface GrpcServerOptions {
  /** `host:port`; port 0 takes a free one. */
  readonly address: string;
  readonly services: readonly ServedService[];
  readonly log: Logger;
  /** Milliseconds that the service's whole stop may take: calls in flight have `graceMs` of them. */
  readonly shutdownTimeoutMs: number;
  /** Asked at health checks, and for `lectern_dependency_up`; each has a second to answer. */
  readonly dependencies?: Dependencies;
  /** Bytes of a message that is received, where less than the largest document will do. */
  readonly maxMessageBytes?: number;
  /** Those without which the service does a part of its work: with one of them away it still takes calls. */
  readonly worksWithout?: readonly Dependency[];
}

export interface GrpcServer {
  readonly port: number;
  /** Refuses new calls, waits for those in flight as long as is allowed, then cancels the rest. */
  stop(): Promise<void>;
}

/**
 * Starts a gRPC server with health checks, the error boundary, logging and callers. Its own health ('', what probes ask) is whether it can take calls; that
 * of `HEALTH_OF_ALL` is whether everything that it needs answers.
 */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const received = options.maxMessageBytes;
  const channel = received === undefined ? {} : { 'grpc.max_receive_message_length': received };
  const server = createServer({ ...GRPC_OPTIONS, ...channel })
    .use(callLog(options.log))
    .use(errorBoundary(options.log))
    .use(rpcMetrics());
  const health = HealthState();
  let stopping = false;
  const answers = HealthServiceImpl(health);
  server.add(HealthDefinition, {
    ...answers,
    check: async (request, context) => {
      const { service } = request;
      if (service === '' || service === HEALTH_OF_ALL) {
        const isHealthy = (await isReady(options, service)) && !stopping;
        health.setStatus(isHealthy ? 'healthy' : 'unhealthy', service);
      }
      return answers.check(request, context);
    },
  });
  for (const { definition, implementation } of options.services) {
    server.with(callerRequired(options.log)).add(definition, implementation);
  }
  const port = await server.listen(options.address);
  health.setStatus('healthy');
  const endObserving = observeDependencies(options.dependencies ?? {});
  return {
    port,
    stop: async () => {
      stopping = true;
      endObserving();
      health.setStatus('unhealthy');
      const timer = setTimeout(() => server.forceShutdown(), graceMs(options.shutdownTimeoutMs));
      await server.shutdown();
      clearTimeout(timer);
    },
  };
}

async function isReady({ dependencies = {}, worksWithout = [], log }: GrpcServerOptions, service: string) {
  const asked = await askDependencies(dependencies);
  const away = asked.filter(({ error }) => error !== undefined);
  for (const { name, error } of away) log.warn({ err: error, dependency: name }, 'a dependency does not answer');
  const spared = new Set<string>(service === HEALTH_OF_ALL ? [] : worksWithout);
  return away.every(({ name }) => spared.has(name));
}
