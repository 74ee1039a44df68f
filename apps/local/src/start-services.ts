import {
  ALLOCATOR_ENV,
  EngineError,
  findFreePort,
  type ManagedProcess,
  startProcess,
  untilOk,
} from '@lectern/local-engines';
import { readInternalKeys } from '@lectern/service-kit';
import { choosePorts } from '#choose-ports';
import type { CodeForm, Programs } from '#compiled-code';
import type { Config } from '#config';
import type { Home } from '#home';
import { nodeFlags } from '#node-flags';
import type { Parts } from '#parts';
import { untilHealthy } from '#readiness';
import { grpcAddress, serviceEnv } from '#service-env';
import { type EngineName, SERVICES, type Service, type ServiceName } from '#services';
import type { EngineAddresses } from '#start-engines';

const ATTEMPTS = 3;
const LAST_SERVICE_ROUND = 3;
/** Long, because all six services load their code at the same time on possibly slow machines. */
const READY_TIMEOUT_MS = 120_000;
/** Time to close connections, in addition to the time for running requests. */
const STOP_GRACE_MS = 5_000;
/** Inspector ports in development mode, in the order of SERVICES; .vscode/launch.json attaches to them. */
const FIRST_INSPECTOR_PORT = 9230;
const PORT_TAKEN = /EADDRINUSE|address already in use|No address added out of total/i;

type Ports = Readonly<Record<ServiceName, number>>;

/** The dependencies of `startServices`. */
export interface ServiceStart {
  readonly config: Config;
  readonly home: Home;
  readonly parts: Parts;
  readonly engines: EngineAddresses;
  /** The services start when their code is compiled. */
  readonly programs: Promise<Programs>;
}

/**
 * Starts the six services, each when its engines are ready, and waits until all are healthy. Starts them
 * again on other ports if another program took a port in the meantime. Returns the gateway's port.
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

/** Starts all services. After the first failure it aborts the others and returns the error. */
async function startAll(ports: Ports, start: ServiceStart): Promise<unknown> {
  const aborting = new AbortController();
  let failure: unknown;
  await Promise.all(
    SERVICES.map((service) =>
      startService(service, ports, start, aborting.signal).catch((error) => {
        failure ??= error;
        aborting.abort();
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
  { config, home, parts, engines, programs }: ServiceStart,
  aborting: AbortSignal,
): Promise<void> {
  const { name, stopRound } = service;
  const addresses = { engines: await addressesOf(engines, service), ports };
  const internalKeys = readInternalKeys(config.env.LECTERN_INTERNAL_KEYS ?? '');
  const program = (await programs).service(name);
  await parts.add<ManagedProcess>({
    name,
    stopRound,
    start: async (_previous, signal) => {
      await requireFree(name, ports[name]);
      return startProcess({
        name,
        command: process.execPath,
        args: [...developmentFlags(name, config), ...nodeFlags(name), ...tracing(config), program],
        env: { ...ALLOCATOR_ENV, ...serviceEnv(service, config, home, addresses) },
        logFile: home.log(name),
        pidFile: home.pidFile(name),
        readiness: (over) =>
          name === 'gateway'
            ? untilOk(`http://${reachableHost(config)}:${ports.gateway}/healthz`, over)
            : untilHealthy(grpcAddress(ports[name]), over, internalKeys),
        readinessTimeoutMs: READY_TIMEOUT_MS,
        stopTimeoutMs: (name === 'gateway' ? config.DRAIN_MS : 0) + config.SHUTDOWN_TIMEOUT_MS + STOP_GRACE_MS,
        signal: AbortSignal.any([signal, aborting]),
      });
    },
    addressOf: () => `127.0.0.1:${ports[name]}`,
  });
}

/** Throws if another program uses the port, because it could pass the health checks. */
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

/** Loads the tracing hook only if traces or metrics are exported, because it slows down the start. */
function tracing({ env }: Config): string[] {
  const isOn =
    Object.keys(env).some((key) => /^OTEL_EXPORTER_OTLP_(TRACES_)?ENDPOINT$/.test(key)) ||
    env.METRICS_PORT ||
    env.OTEL_METRICS_EXPORTER === 'otlp';
  return isOn ? ['--import', import.meta.resolve('@lectern/service-kit/tracing')] : [];
}

/** Services are not bundled if Node watches their files or tracing replaces their modules. */
export function codeFormOf(config: Config): CodeForm {
  return config.LECTERN_DEV || tracing(config).length > 0 ? 'sources' : 'bundles';
}

/** Returns the host at which this machine can connect to the gateway. */
export function reachableHost({ HOST }: Config): string {
  if (HOST === '0.0.0.0' || HOST === '::') return '127.0.0.1';
  return HOST.includes(':') ? `[${HOST}]` : HOST;
}
