import { join } from 'node:path';
import { type ManagedProcess, startProcess, untilOk } from '@lectern/local-engines';
import type { Home } from '#home';
import { REPOSITORY } from '#home-folder';
import { nodeFlags } from '#node-flags';
import { untilHealthy } from '#readiness';
import type { ServiceName } from '#services';

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 60_000;

/** A service process. */
export interface Replica {
  readonly name: string;
  readonly port: number;
  process(): ManagedProcess;
  /** Starts it on its port, and waits until it accepts calls. */
  start(): Promise<void>;
  /** Sends SIGTERM. Returns the time until its end in milliseconds. */
  stop(): Promise<number>;
}

/** Prepares a replica of a service. Its log is in the folder of the home. */
export function createReplica(
  service: ServiceName,
  number: number,
  port: number,
  env: NodeJS.ProcessEnv,
  home: Home,
): Replica {
  const name = `${service}-${number}`;
  let starting: Promise<ManagedProcess> | undefined;
  let running: ManagedProcess | undefined;
  return {
    name,
    port,
    process: () => {
      if (running === undefined) throw new Error(`${name} was not started`);
      return running;
    },
    start: async () => {
      starting = startProcess({
        name,
        command: process.execPath,
        args: [...nodeFlags(service), join(REPOSITORY, 'apps', service, 'src', 'main.ts')],
        env,
        logFile: home.log(name),
        readiness: (over) =>
          service === 'gateway'
            ? untilOk(`http://127.0.0.1:${port}/healthz`, over)
            : untilHealthy(`127.0.0.1:${port}`, over),
        readinessTimeoutMs: START_TIMEOUT_MS,
        stopTimeoutMs: STOP_TIMEOUT_MS,
      });
      running = await starting;
    },
    stop: async () => {
      const started = performance.now();
      // Also stops a process that is still starting. A failed one has ended.
      await starting?.then((process) => process.stop()).catch(() => undefined);
      return performance.now() - started;
    },
  };
}
