import { fileURLToPath } from 'node:url';
import { findFreePort, startProcess } from '@lectern/local-engines';
import { connectGrpc } from '@lectern/service-kit';
import { TEST_INTERNAL_KEYS } from '#services/test-internal-keys';
import { waitLimit } from '#time-limit';
import { waitUntil } from '#wait-until';

const READY_MS = 30_000;
const APPS = new URL('../../../../apps/', import.meta.url);

/** The services with a gRPC interface. */
export type GrpcService = 'search' | 'chat' | 'agent' | 'collection' | 'connector';

/** A service process that a test can kill and restart at the same address. */
export interface TestService {
  readonly address: string;
  /** The last lines of its log. */
  lastLines(): readonly string[];
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Sends SIGTERM, and waits for the end. */
  stop(): Promise<void>;
}

/** Starts an app like production, and waits until it is healthy. `env` contains all its settings. */
export async function startTestService(name: GrpcService, env: Record<string, string>): Promise<TestService> {
  const address = `127.0.0.1:${await findFreePort()}`;
  const start = async () => {
    const connection = connectGrpc(address);
    try {
      return await startProcess({
        name,
        command: process.execPath,
        args: [fileURLToPath(new URL(`${name}/src/main.ts`, APPS))],
        cwd: fileURLToPath(new URL(name, APPS)),
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          LOG_LEVEL: 'warn',
          LECTERN_INTERNAL_KEYS: TEST_INTERNAL_KEYS,
          ...env,
          GRPC_ADDRESS: address,
        },
        readinessTimeoutMs: waitLimit(READY_MS),
        readiness: (signal) =>
          waitUntil(() => connection.healthy(500), { what: `${name} to be healthy`, timeoutMs: READY_MS, signal }),
      });
    } finally {
      connection.close();
    }
  };
  let running = await start();
  return {
    address,
    lastLines: () => running.lastLines(),
    kill: async () => {
      process.kill(running.pid, 'SIGKILL');
      await running.exited;
    },
    restart: async () => {
      await running.stop();
      running = await start();
    },
    stop: () => running.stop(),
  };
}
