import { join } from 'node:path';
import { EngineError, findFreePort, type ManagedProcess, startProcess } from '@lectern/local-engines';
import { readInternalKeys } from '@lectern/service-kit';
import { choosePorts } from '#choose-ports';
import type { Config } from '#config';
import type { Home } from '#home';
import { REPOSITORY } from '#home-folder';
import { ALLOCATOR_ENV, nodeFlags } from '#node-flags';
import type { Parts } from '#parts';
import { untilHealthy, untilOk } from '#readiness';
import { grpcAddress, serviceEnv } from '#service-env';
import { type EngineName, SERVICES, type Service, type ServiceName } from '#services';
import type { EngineAddresses } from '#start-engines';

const ATTEMPTS = 3;
const LAST_SERVICE_ROUND = 3;
/** For the slowest of machines: all six load their code at the same time. */
const READY_TIMEOUT_MS = 120_000;
/** Beyond the time that a service gives its own requests, for the closing of its connections. */
const STOP_GRACE_MS = 5_000;
/** Inspector ports in development mode, in the order of SERVICES; .vscode/launch.json attaches to them. */
const FIRST_INSPECTOR_PORT = 9230;
const PORT_TAKEN = /EADDRINUSE|address already in use|No address added out of total/i;

type Ports = Readonly<Record<ServiceName, number>>;

/** What starting services depends on. */
export interface ServiceStart {
  readonly config: Config;
  readonly home: Home;
  readonly parts: Parts;
  readonly engines: EngineAddresses;
  /** Settles when the code of services is compiled; they start then. */
  readonly compiled: Promise<void>;
}

/**
 * Starts the six services, each as soon as its engines are there, and waits until all are healthy. Where another program
 * takes a port in between, all start again on other ports. Answers with the gateway's port.
 */
export async function startServices(start: ServiceStart): Promise<number> {
  const unusable = new Set<number>();
  for (let attempt = 1; ; attempt += 1) {
    const ports = await choosePorts(start.config.PORT, unusable);
    const failure = await startAll(ports, start);
    if (failure === undefined) return ports.gateway;
    if (attempt === ATTEMPTS || !isPortTaken(failure)) throw failure;
    await start.parts.stop(LAST_SERVICE_ROUND);
    for (const port of Object.values(ports)) unusable.add(port);
  }
}

/** The first failure, with the rest of the starts given up; undefined when all run. */
async function startAll(ports: Ports, start: ServiceStart): Promise<unknown> {
  const givingUp = new AbortController();
  let failure: unknown;
  await Promise.all(
    SERVICES.map((service) =>
      startService(service, ports, start, givingUp.signal).catch((error) => {
        failure ??= error;
        givingUp.abort();
      }),
    ),
  );
  return failure;
}

function isPortTaken(error: unknown): boolean {
  return error instanceof EngineError && error.log.some((line) => PORT_TAKEN.test(line));
}

async function startService(
  service: Service,
  ports: Ports,
  { config, home, parts, engines, compiled }: ServiceStart,
  givingUp: AbortSignal,
): Promise<void> {
  const { name, stopRound } = service;
  const addresses = { engines: await addressesOf(engines, service), ports };
  const internalKeys = readInternalKeys(config.env.LECTERN_INTERNAL_KEYS ?? '');
  await compiled;
  await parts.add<ManagedProcess>({
    name,
    stopRound,
    start: async (_previous, signal) => {
      await requireFree(name, ports[name]);
      return startProcess({
        name,
        command: process.execPath,
        args: [
          ...developmentFlags(name, config),
          ...nodeFlags(name),
          ...tracing(config),
          join(REPOSITORY, 'apps', name, 'src', 'main.ts'),
        ],
        env: { ...ALLOCATOR_ENV, ...serviceEnv(service, config, home, addresses) },
        logFile: home.log(name),
        pidFile: home.pidFile(name),
        readiness: (over) =>
          name === 'gateway'
            ? untilOk(`http://${reachableHost(config)}:${ports.gateway}/healthz`, over)
            : untilHealthy(grpcAddress(ports[name]), over, internalKeys),
        readinessTimeoutMs: READY_TIMEOUT_MS,
        stopTimeoutMs: (name === 'gateway' ? config.DRAIN_MS : 0) + config.SHUTDOWN_TIMEOUT_MS + STOP_GRACE_MS,
        signal: AbortSignal.any([signal, givingUp]),
      });
    },
    addressOf: () => `127.0.0.1:${ports[name]}`,
  });
}

/** Another program on the service's port could answer in its place. */
async function requireFree(name: string, port: number): Promise<void> {
  if ((await findFreePort(port)) === port) return;
  const problem = `port ${port}: address already in use`;
  throw new EngineError(`${name} cannot listen on ${problem}`, { log: [problem] });
}

async function addressesOf(engines: EngineAddresses, { name, needs }: Service) {
  const addresses: Partial<Record<EngineName, string>> = {};
  for (const engine of needs) addresses[engine] = (await engines[engine])(name);
  return addresses;
}

/** In development Node restarts the service when a file that it has loaded changes, and debuggers can attach. */
function developmentFlags(name: ServiceName, { LECTERN_DEV }: Config): string[] {
  if (!LECTERN_DEV) return [];
  const port = FIRST_INSPECTOR_PORT + SERVICES.findIndex((service) => service.name === name);
  return ['--watch', '--watch-preserve-output', `--inspect=127.0.0.1:${port}`];
}

/** Loading the hook costs each process some milliseconds, so it is loaded only where traces or metrics go somewhere. */
function tracing({ env }: Config): string[] {
  const isOn =
    Object.keys(env).some((key) => /^OTEL_EXPORTER_OTLP_(TRACES_)?ENDPOINT$/.test(key)) ||
    env.METRICS_PORT ||
    env.OTEL_METRICS_EXPORTER === 'otlp';
  return isOn ? ['--import', import.meta.resolve('@lectern/service-kit/tracing')] : [];
}

/** Where the gateway can be reached from here: at its own address, unless it listens on all. */
export function reachableHost({ HOST }: Config): string {
  if (HOST === '0.0.0.0' || HOST === '::') return '127.0.0.1';
  return HOST.includes(':') ? `[${HOST}]` : HOST;
}
