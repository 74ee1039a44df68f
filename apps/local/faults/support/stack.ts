import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ensureNatsServer,
  type ManagedProcess,
  startNats,
  startPostgres,
  startProcess,
  startQdrantLocal,
} from '@lectern/local-engines';
import { temporaryFolder } from '@lectern/testing';
import { compileCode } from '#compiled-code';
import { type Config, readConfig } from '#config';
import type { Credentials } from '#credentials';
import { createKeyPair, gatewayCliEnv } from '#gateway-cli';
import { type Home, homeAt } from '#home';
import { REPOSITORY } from '#home-folder';
import { ALLOCATOR_ENV, nodeFlags } from '#node-flags';
import { untilHealthy, untilOk } from '#readiness';
import { serviceEnv } from '#service-env';
import { type EngineName, type GrpcServiceName, SERVICES, type Service, type ServiceName } from '#services';
import { NATS_CACHE } from '../../tests/support/nats-cache.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { nextPort } from './ports.ts';
import { logFolder } from './report-folder.ts';

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;

/** What stands behind a proxy. */
export type Dependency = EngineName | GrpcServiceName;

/** A process of a service. */
export interface Replica {
  readonly name: string;
  readonly port: number;
  process(): ManagedProcess;
  /** Starts it, at its port; it takes calls when this resolves. */
  start(): Promise<void>;
  /** SIGTERM, and how long it took to end, in milliseconds. */
  stop(): Promise<number>;
}

/** A whole system as processes of the test's own, each dependency behind a proxy. */
export interface Stack {
  readonly proxies: Readonly<Record<Dependency, FaultProxy>>;
  readonly replicas: Readonly<Record<ServiceName, readonly Replica[]>>;
  /** At the first gateway. */
  readonly credentials: Credentials;
  /** The database's address, past the proxy. */
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

export interface StackOptions {
  /** Names its logs. */
  readonly name: string;
  /** Processes of each service, among which callers take turns. Default 1. */
  readonly replicas?: number;
  /** Further settings of all services. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts PostgreSQL, NATS, the vector store and the services. Where there is one replica of each, its callers reach it through a proxy. */
export async function startStack({ name, replicas: count = 1, env = {} }: StackOptions): Promise<Stack> {
  const closers: (() => Promise<unknown>)[] = [];
  const opened = <T extends { stop(): Promise<unknown> }>(part: T): T => {
    closers.unshift(() => part.stop());
    return part;
  };
  try {
    const folder = await temporaryFolder();
    closers.push(() => folder.remove());
    const home = await makeHome(folder.path, name);
    const engines = await startEngines(home, opened);
    const config = configOf(home, env);
    const ports = await choosePorts(count);
    const proxies: Partial<Record<Dependency, FaultProxy>> = {};
    const hide = async (dependency: Dependency, port: number): Promise<number> => {
      const proxy = opened(await startFaultProxy(await nextPort(), port));
      proxies[dependency] = proxy;
      return proxy.port;
    };
    const behind = async (engine: EngineName): Promise<string> => {
      const url = new URL(engines[engine].url);
      url.port = String(await hide(engine, engines[engine].port));
      return url.href;
    };
    const addresses = {
      postgres: await behind('postgres'),
      nats: await behind('nats'),
      qdrant: await behind('qdrant'),
    };
    const targets: Record<string, string> = {};
    for (const { name: service } of SERVICES) {
      if (service === 'gateway') continue;
      const [first = 0] = ports[service];
      const reached = count === 1 ? [await hide(service, first)] : ports[service];
      targets[`${service.toUpperCase()}_ADDRESS`] = `ipv4:${reached.map((port) => `127.0.0.1:${port}`).join(',')}`;
    }
    await compileCode(home, AbortSignal.timeout(START_TIMEOUT_MS));
    const replicas = replicasOf(
      ports,
      (service, port) => ({
        ...ALLOCATOR_ENV,
        ...serviceEnv(service, config, home, {
          engines: pick(addresses, service.needs),
          ports: portsWith(service, port),
        }),
        ...targets,
        ...env,
      }),
      home,
    );
    closers.unshift(() =>
      Promise.all(
        Object.values(replicas)
          .flat()
          .map((replica) => replica.stop()),
      ),
    );
    const keys = createKeyPair(
      gatewayCliEnv(config.env, engines.postgres.url, home.cache),
      AbortSignal.timeout(START_TIMEOUT_MS),
    );
    await Promise.all([
      keys,
      ...Object.values(replicas)
        .flat()
        .map((replica) => replica.start()),
    ]);
    const [gatewayPort] = ports.gateway;
    const baseUrl = `http://127.0.0.1:${gatewayPort}`;
    await untilOk(`${baseUrl}/readyz`, AbortSignal.timeout(START_TIMEOUT_MS));
    return {
      proxies: proxies as Record<Dependency, FaultProxy>,
      replicas,
      credentials: { baseUrl, ...(await keys) },
      databaseUrl: engines.postgres.url,
      stop: () => closeAll(closers),
    };
  } catch (error) {
    await closeAll(closers).catch(() => undefined);
    throw error;
  }
}

async function closeAll(closers: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const close of closers) await close();
}

/** Data in a folder that is removed, logs where they are kept. */
async function makeHome(root: string, name: string): Promise<Home> {
  const logs = logFolder(name);
  await mkdir(logs, { recursive: true });
  return {
    ...homeAt(join(root, 'home')),
    cache: join(REPOSITORY, 'node_modules/.cache/lectern/faults-code'),
    logs,
    log: (part) => join(logs, `${part}.log`),
  };
}

async function startEngines(home: Home, opened: <T extends { stop(): Promise<unknown> }>(part: T) => T) {
  const binary = await ensureNatsServer({ cacheDir: NATS_CACHE });
  const postgres = opened(
    await startPostgres({ dataDir: home.postgres, logFile: home.log('postgres'), port: await nextPort() }),
  );
  const nats = opened(
    await startNats({ binary, storeDir: home.nats, logFile: home.log('nats'), port: await nextPort() }),
  );
  const qdrant = opened(
    await startQdrantLocal({ dataDir: home.qdrant, logFile: home.log('qdrant'), port: await nextPort() }),
  );
  return { postgres, nats, qdrant };
}

function configOf(home: Home, env: Readonly<Record<string, string>>): Config {
  return readConfig({
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    LECTERN_HOME: home.root,
    LECTERN_MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
    LOG_LEVEL: 'info',
    RATE_LIMIT_SECRET_PER_MINUTE: '1000000',
    ...env,
  });
}

async function choosePorts(count: number): Promise<Record<ServiceName, readonly number[]>> {
  const ports: Record<ServiceName, number[]> = {
    gateway: [],
    search: [],
    chat: [],
    agent: [],
    collection: [],
    connector: [],
  };
  for (const { name } of SERVICES) for (let at = 0; at < count; at += 1) ports[name].push(await nextPort());
  return ports;
}

/** Where this replica listens. Where the others are, `targets` says. */
function portsWith(service: Service, port: number): Record<ServiceName, number> {
  return { gateway: 0, search: 0, chat: 0, agent: 0, collection: 0, connector: 0, [service.name]: port };
}

function pick<T>(
  record: Readonly<Record<EngineName, T>>,
  names: readonly EngineName[],
): Partial<Record<EngineName, T>> {
  return Object.fromEntries(names.map((name) => [name, record[name]]));
}

type EnvOf = (service: Service, port: number) => NodeJS.ProcessEnv;

function replicasOf(
  ports: Record<ServiceName, readonly number[]>,
  envOf: EnvOf,
  home: Home,
): Record<ServiceName, readonly Replica[]> {
  const of = (service: Service) =>
    ports[service.name].map((port, at) => replicaOf(service, port, at, envOf(service, port), home));
  return Object.fromEntries(SERVICES.map((service) => [service.name, of(service)])) as unknown as Record<
    ServiceName,
    readonly Replica[]
  >;
}

function replicaOf({ name }: Service, port: number, at: number, env: NodeJS.ProcessEnv, home: Home): Replica {
  const label = `${name}-${at + 1}`;
  let starting: Promise<ManagedProcess> | undefined;
  let running: ManagedProcess | undefined;
  return {
    name: label,
    port,
    process: () => {
      if (running === undefined) throw new Error(`${label} was not started`);
      return running;
    },
    start: async () => {
      starting = startProcess({
        name: label,
        command: process.execPath,
        args: [...nodeFlags(name), join(REPOSITORY, 'apps', name, 'src', 'main.ts')],
        env,
        logFile: home.log(label),
        readiness: (over) =>
          name === 'gateway'
            ? untilOk(`http://127.0.0.1:${port}/healthz`, over)
            : untilHealthy(`127.0.0.1:${port}`, over),
        readinessTimeoutMs: START_TIMEOUT_MS,
        stopTimeoutMs: STOP_TIMEOUT_MS,
      });
      running = await starting;
    },
    stop: async () => {
      const started = performance.now();
      // One that is still starting ends as well; one that failed has ended.
      await starting?.then((started) => started.stop()).catch(() => undefined);
      return performance.now() - started;
    },
  };
}
