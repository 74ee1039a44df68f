import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, startProcess, waitUntil } from '@lectern/local-engines';
import { createJsonClient } from '#system/json-client';
import { createTemporaryHome } from '#system/temporary-home';

const COMMAND = fileURLToPath(new URL('../../../peers/chroma/node_modules/chromadb/dist/cli.mjs', import.meta.url));
const HEARTBEAT = '/api/v2/heartbeat';
const READY_TIMEOUT_MS = 60_000;
/** The minimal environment, without keys. */
const ENVIRONMENT = /^(PATH|HOME|TMPDIR|TZ|LANG|LC_.*)$/;

/** A Chroma server in a separate process with temporary data. */
export interface ChromaServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Returns whether the server is installed (`npm ci --prefix bench/peers/chroma`). */
export function hasChroma(): boolean {
  return existsSync(COMMAND);
}

/** Starts `chroma run` on a free port, with an empty database. */
export async function startChroma(signal: AbortSignal): Promise<ChromaServer> {
  const home = await createTemporaryHome();
  try {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const server = await startProcess({
      name: 'Chroma',
      command: process.execPath,
      args: [COMMAND, 'run', '--path', join(home.path, 'chroma'), '--host', '127.0.0.1', '--port', String(port)],
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => ENVIRONMENT.test(name))),
      readiness: (ended) => untilAnswering(url, ended),
      readinessTimeoutMs: READY_TIMEOUT_MS,
      signal,
    });
    const stop = async () => {
      await server.stop();
      await home.remove();
    };
    return { url, stop };
  } catch (error) {
    await home.remove();
    throw error;
  }
}

async function untilAnswering(url: string, signal: AbortSignal): Promise<void> {
  const client = createJsonClient(url);
  const isReady = async () => {
    const response = await client.send('GET', HEARTBEAT).catch(() => undefined);
    return response?.status === 200;
  };
  try {
    await waitUntil(isReady, { what: 'Chroma', timeoutMs: READY_TIMEOUT_MS, intervalMs: 100, signal });
  } finally {
    client.close();
  }
}
