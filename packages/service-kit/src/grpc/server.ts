import { type CallContext, type CompatServiceDefinition, createServer, type ServiceImplementation } from 'nice-grpc';
import { ServerError, Status } from 'nice-grpc-common';
import { HealthDefinition, HealthServiceImpl, HealthState } from 'nice-grpc-server-health';
import type { Logger } from '../logging.ts';
import { rpcMetrics } from '../metrics/rpc-metrics.ts';
import { graceMs } from '../stop-within.ts';
import type { ServiceCall } from './call.ts';
import { refusalOf } from './call-token.ts';
import { askDependencies, type Dependencies, type Dependency, observeDependencies } from './dependencies.ts';
import { type InternalKeys, processInternalKeys } from './internal-keys.ts';
import { GRPC_OPTIONS, HEALTH_OF_ALL } from './options.ts';
import { HEALTH_PREFIX, requireSignature, UNSIGNED } from './require-signature.ts';
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
  /** Maximum bytes of a received message, if less than the largest document is enough. */
  readonly maxMessageBytes?: number;
  /** Those without which the service does a part of its work: with one of them away it still takes calls. */
  readonly worksWithout?: readonly Dependency[];
  /** The keys that calls must be signed with; by default the keys of this process. */
  readonly internalKeys?: InternalKeys;
}

export interface GrpcServer {
  readonly port: number;
  /** Refuses new calls, waits for those in flight as long as is allowed, then cancels the rest. */
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
  const answers = HealthServiceImpl(health);
  const ready = shared((service) => isReady(options, service));
  /** Probes have no key, and learn only whether the service takes calls. */
  const requireOwnHealth = (service: string, path: string, { metadata }: CallContext) => {
    if (service !== '' && refusalOf(internalKeys, path, metadata) !== undefined)
      throw new ServerError(Status.UNAUTHENTICATED, UNSIGNED);
  };
  server.add(HealthDefinition, {
    watch: (request, context) => {
      requireOwnHealth(request.service, `${HEALTH_PREFIX}Watch`, context);
      return answers.watch(request, context);
    },
    check: async (request, context) => {
      const { service } = request;
      requireOwnHealth(service, `${HEALTH_PREFIX}Check`, context);
      if (service === '' || service === HEALTH_OF_ALL) {
        const isHealthy = (await ready(service)) && !stopping;
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

/**
 * Concurrent callers share one check, so that nobody can make the service query its engines faster
 * than they respond.
 */
function shared<T>(work: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key) => {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const started = work(key).finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  };
}

async function isReady({ dependencies = {}, worksWithout = [], log }: GrpcServerOptions, service: string) {
  const asked = await askDependencies(dependencies);
  const away = asked.filter(({ error }) => error !== undefined);
  for (const { name, error } of away) log.warn({ err: error, dependency: name }, 'a dependency does not answer');
  const spared = new Set<string>(service === HEALTH_OF_ALL ? [] : worksWithout);
  return away.every(({ name }) => spared.has(name));
}
