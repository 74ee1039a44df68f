import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { PortChoice } from '#on-free-port';
import { ALLOCATOR_ENV } from '#process/allocator';
import { untilOk } from '#process/until-ok';
import { type Engine, startEngine } from '#start-engine';

/** How to start qdrant-local. */
export type StartQdrantLocalOptions = PortChoice & {
  /** Created if missing. `<dataDir>.pid.json` is next to it. */
  readonly dataDir: string;
  /** If set, every request must send it in the header `api-key`. */
  readonly apiKey?: string;
  readonly logFile?: string;
  /** Aborts the start. */
  readonly signal?: AbortSignal | undefined;
};

/** qdrant-local loads all data at the start: seconds for 50,000 passages, longer on a busy machine. */
const READY_TIMEOUT_MS = 300_000;

/** Small (3 × 8 MiB), because most data is long-lived and requests allocate little. */
const NODE_FLAGS = ['--max-semi-space-size=8'];

/** Starts `@lectern/qdrant-local` as a child process; ready when GET /readyz returns 200. */
export async function startQdrantLocal(options: StartQdrantLocalOptions): Promise<Engine> {
  const dataDir = resolve(options.dataDir);
  const main = join(dirname(createRequire(import.meta.url).resolve('@lectern/qdrant-local')), 'main.ts');
  await mkdir(dirname(dataDir), { recursive: true });
  return startEngine({
    pidFile: `${dataDir}.pid.json`,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 10_000,
    port: options,
    processOn: async (port) => ({
      name: 'qdrant-local',
      command: process.execPath,
      args: [...NODE_FLAGS, main, '--data', dataDir, '--port', String(port)],
      env: { ...ALLOCATOR_ENV, ...(options.apiKey ? { QDRANT_LOCAL_API_KEY: options.apiKey } : {}) },
      readinessTimeoutMs: READY_TIMEOUT_MS,
      readiness: (signal) => untilOk(`http://127.0.0.1:${port}/readyz`, signal),
      signal: options.signal,
      ...(options.logFile === undefined ? {} : { logFile: options.logFile }),
    }),
    urlOn: (port) => `http://127.0.0.1:${port}`,
  });
}
