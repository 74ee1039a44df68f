import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort, startProcess } from '@lectern/local-engines';
import { connectGrpc } from '@lectern/service-kit';
import { createCpuQuota, pinTo } from '#scale/cpu-quota';
import type { Lectern } from '#system/lectern';

/** Services that are measured with one and two replicas. */
export type Scaled = 'search' | 'gateway';

/** An additional replica of a service of a running Lectern. */
export interface Replica {
  readonly pid: number;
  /** `host:port`. */
  readonly address: string;
  /** The number of calls or requests answered. */
  answered(): Promise<number>;
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 180_000;
const APPS = new URL('../../../apps/', import.meta.url);
const ANSWERED: Readonly<Record<Scaled, RegExp>> = {
  search: /^lectern_rpc_duration_seconds_count\{.*method="Search".*\} (\d+)/gm,
  gateway: /^lectern_http_duration_seconds_count\{.*operation="searchDocuments".*\} (\d+)/gm,
};

const listOf = async (pid: number, file: 'environ' | 'cmdline'): Promise<string[]> =>
  (await readFile(`/proc/${pid}/${file}`, 'utf8')).split('\0').filter((entry) => entry !== '');

/**
 * Starts a replica with the settings of the running one on another port, limited to a share of a
 * core once it is ready. Linux only: reads the settings from the process.
 */
export async function startReplica(
  lectern: Lectern,
  service: Scaled,
  number: number,
  cores: number,
  signal: AbortSignal,
): Promise<Replica> {
  const original = (await lectern.readPids())[service];
  if (original === undefined) throw new Error(`${service} is not running.`);
  const [command = process.execPath, ...args] = await listOf(original, 'cmdline');
  const environment = (await listOf(original, 'environ')).map((entry) => entry.split(/=(.*)/s).slice(0, 2));
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  const address = `127.0.0.1:${port}`;
  const settings = {
    ...Object.fromEntries(environment),
    ...(service === 'gateway' ? { HOST: '127.0.0.1', PORT: String(port) } : { GRPC_ADDRESS: address }),
    METRICS_PORT: String(metricsPort),
    METRICS_HOST: '127.0.0.1',
  };
  const telemetry = args.includes('--import') ? [] : ['--import', import.meta.resolve('@lectern/service-kit/tracing')];
  const process_ = await startProcess({
    name: `${service} ${number}`,
    command,
    // Tracing needs the source of a service that runs as a bundle.
    args: [...args.slice(0, -1), ...telemetry, fileURLToPath(new URL(`${service}/src/main.ts`, APPS))],
    env: settings,
    readinessTimeoutMs: READY_TIMEOUT_MS,
    readiness: (over) => untilReady(service, address, over),
    signal,
  });
  const quota = await createCpuQuota(`${service}-${number}`, cores).catch(async (error) => {
    await process_.stop();
    throw error;
  });
  await pinTo(process_.pid, (number - 1) % availableParallelism());
  await quota.add(process_.pid);
  return {
    pid: process_.pid,
    address,
    answered: async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return [...text.matchAll(ANSWERED[service])].reduce((sum, [, count]) => sum + Number(count), 0);
    },
    stop: async () => {
      await process_.stop();
      await quota.remove();
    },
  };
}

async function untilReady(service: Scaled, address: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const connection = connectGrpc(address);
    const isReady = await (service === 'gateway'
      ? fetch(`http://${address}/readyz`, { signal }).then(
          ({ ok }) => ok,
          () => false,
        )
      : connection.healthy(2_000));
    connection.close();
    if (isReady) return;
    await delay(100, undefined, { signal });
  }
}
