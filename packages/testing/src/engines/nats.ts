import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startNats } from '@lectern/local-engines';
import { requiredEnv } from '#engines/required-env';
import { temporaryFolder } from '#engines/temporary-folder';

/** A nats-server that a test can kill and restart at the same address. */
export interface TestNats {
  readonly url: string;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Restarts the server; `wipe` deletes the data of JetStream. */
  restart(options?: { readonly wipe?: boolean }): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a nats-server with JetStream. */
export async function testNats(): Promise<TestNats> {
  const folder = await temporaryFolder();
  const storeDir = join(folder.path, 'nats');
  const start = (port?: number) =>
    startNats({
      binary: requiredEnv('LECTERN_TEST_NATS_SERVER'),
      storeDir,
      durable: false,
      ...(port === undefined ? {} : { port }),
    });
  let server = await start();
  const { url, port } = server;
  return {
    url,
    kill: async () => {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    },
    restart: async ({ wipe = false } = {}) => {
      await server.stop();
      if (wipe) await rm(storeDir, { recursive: true, force: true });
      server = await start(port);
    },
    stop: async () => {
      await server.stop();
      await folder.remove();
    },
  };
}
