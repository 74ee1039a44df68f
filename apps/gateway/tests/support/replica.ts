import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { TEST_INTERNAL_KEYS } from '@lectern/testing';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A gateway in a separate process. */
export interface Replica {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the gateway's main program and waits until it listens. */
export async function startReplica(settings: Readonly<Record<string, string>>): Promise<Replica> {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      LECTERN_INTERNAL_KEYS: TEST_INTERNAL_KEYS,
      ...settings,
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const listening = Promise.withResolvers<number>();
  // Reads all output, because a full pipe would block the process.
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { msg, port } = JSON.parse(line);
    if (msg === 'gateway is listening') listening.resolve(port);
  });
  exited.then(([code]) => listening.reject(new Error(`the gateway exited with ${code}`)));
  listening.promise.catch(() => undefined);
  const port = await listening.promise;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
