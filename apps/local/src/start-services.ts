import { join } from 'node:path';
import { EngineError, type ManagedProcess, startProcess } from '@lectern/local-engines';
import { choosePorts } from '#choose-ports';
import type { Config } from '#config';
import type { Home } from '#home';
import { REPOSITORY } from '#home-folder';
import type { Parts } from '#parts';
import { untilHealthy, untilOk } from '#readiness';
import { grpcAddress, serviceEnv } from '#service-env';
import { type EngineName, SERVICES, type Service, type ServiceName } from '#services';
import type { EngineAddresses } from '#start-engines';

const ATTEMPTS = 3;
const LAST_SERVICE_ROUND = 3;
/** For the slowest of machines: all six load their code at the same time. */
const READY_TIMEOUT_MS = 120_000;
/** Beyond the time that a service gives its own requests. */
const STOP_GRACE_MS = 5_000;
const PORT_TAKEN = /EADDRINUSE|address already in use|No address added out of total/i;

/** What starting services depends on. */
export interface ServiceStart {
  readonly config: Config;
  readonly home: Home;
  readonly parts: Parts;
  readonly engines: EngineAddresses;
}

/**
 * Starts the six services, each as soon as its engines are there, and waits until all are healthy. Where another program
 * takes a port in between, all start again on other ports. Answers with the gateway's port.
 */
export async function startServices(start: ServiceStart): Promise<number> {
  const unusable = new Set<number>();
  for (let attempt = 1; ; attempt += 1) {
    const ports = await choosePorts(start.config.PORT, unusable);
    const started = await Promise.allSettled(SERVICES.map((service) => startService(service, ports, start)));
    const failures = started.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    if (failures.length === 0) return ports.gateway;
    if (attempt === ATTEMPTS || !failures.some(isPortTaken)) throw failures[0];
    await start.parts.stop(LAST_SERVICE_ROUND);
    for (const port of Object.values(ports)) unusable.add(port);
  }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof EngineError && error.log.some((line) => PORT_TAKEN.test(line));
}

async function startService(
  service: Service,
  ports: Readonly<Record<ServiceName, number>>,
  { config, home, parts, engines }: ServiceStart,
): Promise<void> {
  const { name, stopRound } = service;
  const addresses = { engines: await addressesOf(engines, service.needs), ports };
  await parts.add<ManagedProcess>({
    name,
    stopRound,
    start: (_previous, signal) =>
      startProcess({
        name,
        command: process.execPath,
        args: [...tracing(config), join(REPOSITORY, 'apps', name, 'src', 'main.ts')],
        env: serviceEnv(service, config, home, addresses),
        logFile: home.log(name),
        pidFile: home.pidFile(name),
        readiness: (over) =>
          name === 'gateway'
            ? untilOk(`http://${reachableHost(config)}:${ports.gateway}/healthz`, over)
            : untilHealthy(grpcAddress(ports[name]), over),
        readinessTimeoutMs: READY_TIMEOUT_MS,
        stopTimeoutMs: config.SHUTDOWN_TIMEOUT_MS + STOP_GRACE_MS,
        signal,
      }),
    addressOf: () => `127.0.0.1:${ports[name]}`,
  });
}

async function addressesOf(engines: EngineAddresses, needs: readonly EngineName[]) {
  const addresses: Partial<Record<EngineName, string>> = {};
  for (const engine of needs) addresses[engine] = await engines[engine];
  return addresses;
}

/** Loading the hook costs each process some milliseconds, so it is loaded only where traces go somewhere. */
function tracing({ env }: Config): string[] {
  const isOn = Object.keys(env).some((key) => /^OTEL_EXPORTER_OTLP_(TRACES_)?ENDPOINT$/.test(key));
  return isOn ? ['--import', import.meta.resolve('@lectern/service-kit/tracing')] : [];
}

/** Where the gateway can be reached from here: at its own address, unless it listens on all. */
export function reachableHost({ HOST }: Config): string {
  if (HOST === '0.0.0.0' || HOST === '::') return '127.0.0.1';
  return HOST.includes(':') ? `[${HOST}]` : HOST;
}
