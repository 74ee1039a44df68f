import { ALLOCATOR_ENV, untilOk } from '@lectern/local-engines';
import { temporaryFolder } from '@lectern/testing';
import { compileCode } from '#compiled-code';
import type { Credentials } from '#credentials';
import { createKeyPair, gatewayCliEnv } from '#gateway-cli';
import { serviceEnv } from '#service-env';
import { type EngineName, type GrpcServiceName, SERVICES, type Service, type ServiceName } from '#services';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { nextPort } from './ports.ts';
import { createReplica, type Replica } from './replica.ts';
import { makeHome, stackConfig, startEngines } from './stack-home.ts';

const START_TIMEOUT_MS = 120_000;

/** A process behind a proxy. */
export type Dependency = EngineName | GrpcServiceName;

/** A whole system whose processes the test controls. */
export interface Stack {
  /** The proxies of each engine, and of each service with one replica. */
  readonly proxies: Readonly<Record<Dependency, FaultProxy>>;
  readonly replicas: Readonly<Record<ServiceName, readonly Replica[]>>;
  /** The database without the proxy, as the superuser. */
  readonly databaseUrl: string;
  /** The credentials and address of the first gateway. */
  readonly credentials: Credentials;
  stop(): Promise<void>;
}

export interface StackOptions {
  /** The name of its log folder. */
  readonly name: string;
  /** The number of replicas of each service. Default 1. */
  readonly replicas?: number;
  /** Additional settings of all services. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts PostgreSQL, NATS, the vector store and the services. */
export async function startStack({ name, replicas: count = 1, env = {} }: StackOptions): Promise<Stack> {
  const closers: (() => Promise<unknown>)[] = [];
  const closeLater = <T extends { stop(): Promise<unknown> }>(part: T): T => {
    closers.unshift(() => part.stop());
    return part;
  };
  const stop = async () => {
    for (const close of closers.splice(0)) await close();
  };
  try {
    const folder = await temporaryFolder();
    closers.push(() => folder.remove());
    const home = await makeHome(folder.path, name);
    const engines = await startEngines(home, closeLater);
    const config = stackConfig(home, env);
    const proxies: Partial<Record<Dependency, FaultProxy>> = {};
    /** Starts a proxy for a dependency and returns the proxy's port. */
    const startProxy = async (dependency: Dependency, port: number): Promise<number> => {
      const proxy = closeLater(await startFaultProxy(await nextPort(), port));
      proxies[dependency] = proxy;
      return proxy.port;
    };
    const engineUrl = async (engine: EngineName): Promise<string> => {
      const url = new URL(engines[engine].url);
      url.port = String(await startProxy(engine, engines[engine].port));
      return url.href;
    };
    const urls = {
      postgres: await engineUrl('postgres'),
      nats: await engineUrl('nats'),
      qdrant: await engineUrl('qdrant'),
    };
    const ports = await choosePorts(count);
    const targets: Record<string, string> = {};
    for (const { name: service } of SERVICES) {
      if (service === 'gateway') continue;
      const reachable = count === 1 ? [await startProxy(service, ports[service][0] ?? 0)] : ports[service];
      targets[`${service.toUpperCase()}_ADDRESS`] = `ipv4:${reachable.map((port) => `127.0.0.1:${port}`).join(',')}`;
    }
    await compileCode(home, 'sources', AbortSignal.timeout(START_TIMEOUT_MS));
    const envOf = (service: Service, port: number) => ({
      ...ALLOCATOR_ENV,
      ...serviceEnv(service, config, home, { engines: only(urls, service.needs), ports: portsWith(service, port) }),
      ...targets,
      ...env,
    });
    const replicas = recordOf((service) =>
      ports[service.name].map((port, at) =>
        closeLater(createReplica(service.name, at + 1, port, envOf(service, port), home)),
      ),
    );
    const startTimeout = AbortSignal.timeout(START_TIMEOUT_MS);
    const starts = Object.values(replicas).flatMap((own) => own.map((replica) => replica.start()));
    const cliEnv = gatewayCliEnv(config.env, engines.postgres.url, home.cache);
    const [keys] = await Promise.all([createKeyPair(cliEnv, startTimeout), ...starts]);
    const baseUrl = `http://127.0.0.1:${ports.gateway[0]}`;
    await untilOk(`${baseUrl}/readyz`, AbortSignal.timeout(START_TIMEOUT_MS));
    return {
      proxies: proxies as Stack['proxies'],
      replicas,
      databaseUrl: engines.postgres.url,
      credentials: { baseUrl, ...keys },
      stop,
    };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

function recordOf<T>(make: (service: Service) => T): Record<ServiceName, T> {
  return Object.fromEntries(SERVICES.map((service) => [service.name, make(service)])) as Record<ServiceName, T>;
}

async function choosePorts(count: number): Promise<Record<ServiceName, readonly number[]>> {
  const ports = recordOf((): number[] => []);
  for (const own of Object.values(ports)) while (own.length < count) own.push(await nextPort());
  return ports;
}

/** Returns the ports of a replica, which needs only its own. */
function portsWith({ name }: Service, port: number): Record<ServiceName, number> {
  return { ...recordOf(() => 0), [name]: port };
}

function only<T>(
  record: Readonly<Record<EngineName, T>>,
  names: readonly EngineName[],
): Partial<Record<EngineName, T>> {
  return Object.fromEntries(names.map((name) => [name, record[name]]));
}
