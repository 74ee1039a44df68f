import { type CallContext, type CompatServiceDefinition, createServer, type ServiceImplementation } from 'nice-grpc';
import { ServerError, Status } from 'nice-grpc-common';
import { HealthDefinition, HealthServiceImpl, HealthState } from 'nice-grpc-server-health';
import type { ServiceCall } from '#grpc/call';
import { refusalOf } from '#grpc/call-token';
import { checkDependencies, type Dependencies, type Dependency, observeDependencies } from '#grpc/dependencies';
import { type InternalKeys, processInternalKeys } from '#grpc/internal-keys';
import { GRPC_OPTIONS, HEALTH_OF_ALL } from '#grpc/options';
import { HEALTH_PREFIX, requireSignature, UNSIGNED } from '#grpc/require-signature';
import { callerRequired, callLog, errorBoundary } from '#grpc/server-middleware';
import type { Logger } from '#logging';
import { rpcMetrics } from '#metrics/rpc-metrics';
import { graceMs } from '#stop-within';

/** The data that handlers get in addition to nice-grpc's call context. */
export type HandlerContext = Pick<ServiceCall, 'caller' | 'requestId' | 'log'>;

/** A service's contract and handlers. Create it with `serve`, which checks that they match. */
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
  /** `host:port`. Port 0 selects a free port. */
  readonly address: string;
  readonly services: readonly ServedService[];
  readonly log: Logger;
  /** Maximum milliseconds to stop the service. Running calls get `graceMs` of them. */
  readonly shutdownTimeoutMs: number;
  /** Checked by health checks and for `lectern_dependency_up`. Each has a second to respond. */
  readonly dependencies?: Dependencies;
  /** Maximum bytes of a received message, if less than the largest document is enough. */
  readonly maxMessageBytes?: number;
  /** Dependencies without which the service still accepts calls. */
  readonly worksWithout?: readonly Dependency[];
  /** The keys that calls must be signed with; by default the keys of this process. */
  readonly internalKeys?: InternalKeys;
}

export interface GrpcServer {
  readonly port: number;
  /** Rejects new calls, waits for running ones for a limited time, then cancels the rest. */
  stop(): Promise<void>;
}

/**
 * Starts a gRPC server with health checks, error mapping, logging and caller metadata. It accepts
 * only signed calls, except for its own health check ('', for probes), which reports whether it can
 * take calls. `HEALTH_OF_ALL` reports whether all dependencies respond, for signed calls only.
 * Throws `ConfigError` if the process has no keys.
 */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { internalKeys = processInternalKeys(), maxMessageBytes: received } = options;
  const channel = received === undefined ? {} : { 'grpc.max_receive_message_length': received };
  const interceptors = [requireSignature(internalKeys, options.log)];
  const server = createServer({ ...GRPC_OPTIONS, ...channel, interceptors })
    .use(callLog(options.log))
    .use(errorBoundary(options.log))
    .use(rpcMetrics());
  const health = HealthState();
  let stopping = false;
  const healthService = HealthServiceImpl(health);
  const ready = shared((service) => isReady(options, service));
  /** Probes have no key and can query only whether the service accepts calls. */
  const requireOwnHealth = (service: string, path: string, { metadata }: CallContext) => {
    if (service !== '' && refusalOf(internalKeys, path, metadata) !== undefined)
      throw new ServerError(Status.UNAUTHENTICATED, UNSIGNED);
  };
  server.add(HealthDefinition, {
    watch: (request, context) => {
      requireOwnHealth(request.service, `${HEALTH_PREFIX}Watch`, context);
      return healthService.watch(request, context);
    },
    check: async (request, context) => {
      const { service } = request;
      requireOwnHealth(service, `${HEALTH_PREFIX}Check`, context);
      if (service === '' || service === HEALTH_OF_ALL) {
        const isHealthy = (await ready(service)) && !stopping;
        health.setStatus(isHealthy ? 'healthy' : 'unhealthy', service);
      }
      return healthService.check(request, context);
    },
  });
  for (const { definition, implementation } of options.services) {
    server.with(callerRequired(options.log)).add(definition, implementation);
  }
  const port = await server.listen(options.address);
  health.setStatus('healthy');
  const stopObserving = observeDependencies(options.dependencies ?? {});
  return {
    port,
    stop: async () => {
      stopping = true;
      stopObserving();
      health.setStatus('unhealthy');
      const timer = setTimeout(() => server.forceShutdown(), graceMs(options.shutdownTimeoutMs));
      await server.shutdown();
      clearTimeout(timer);
    },
  };
}

/** Shares one check among concurrent callers, so that probes cannot overload the engines. */
function shared<T>(work: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key) => {
    const known = running.get(key);
    if (known !== undefined) return known;
    const started = work(key).finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}

async function isReady({ dependencies = {}, worksWithout = [], log }: GrpcServerOptions, service: string) {
  const checked = await checkDependencies(dependencies);
  const down = checked.filter(({ error }) => error !== undefined);
  for (const { name, error } of down) log.warn({ err: error, dependency: name }, 'a dependency does not respond');
  const optional = new Set<string>(service === HEALTH_OF_ALL ? [] : worksWithout);
  return down.every(({ name }) => optional.has(name));
}
