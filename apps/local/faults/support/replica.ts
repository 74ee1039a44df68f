import { join } from 'node:path';
import { type ManagedProcess, startProcess } from '@lectern/local-engines';
import type { Home } from '#home';
import { REPOSITORY } from '#home-folder';
import { nodeFlags } from '#node-flags';
import { untilHealthy, untilOk } from '#readiness';
import type { ServiceName } from '#services';

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 60_000;

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

/** The `number`th replica of a service, not started yet. Its log lies among the home's. */
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
      // One that is still starting ends as well; one that failed has ended.
      await starting?.then((process) => process.stop()).catch(() => undefined);
      return performance.now() - started;
    },
  };
}
