import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PortChoice } from '#on-free-port';
import { type Engine, startEngine } from '#start-engine';

/** Where qdrant-local keeps its collections and listens. */
export type StartQdrantLocalOptions = PortChoice & {
  /** Made when missing. `<dataDir>.pid.json` lies beside it. */
  readonly dataDir: string;
  /** When set, every request must carry it in the header `api-key`. */
  readonly apiKey?: string;
  readonly logFile?: string;
  /** Aborts the start. */
  readonly signal?: AbortSignal | undefined;
};

/** It reads all of its data before it answers: some seconds for 50,000 passages, and a busy machine multiplies them. */
const READY_TIMEOUT_MS = 300_000;

/** A young generation of three times 8 MiB: vectors and lists are long-lived, and what requests leave behind is small. */
const NODE_FLAGS = ['--max-semi-space-size=8'];

/** glibc gives large blocks that were freed back to the system at once. */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

/** Starts `@lectern/qdrant-local` as a child process; ready when GET /readyz answers 200. */
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
      env: { ...ALLOCATOR, ...(options.apiKey ? { QDRANT_LOCAL_API_KEY: options.apiKey } : {}) },
      readinessTimeoutMs: READY_TIMEOUT_MS,
      readiness: (signal) => answers(`http://127.0.0.1:${port}/readyz`, signal),
      signal: options.signal,
      ...(options.logFile === undefined ? {} : { logFile: options.logFile }),
    }),
    urlOn: (port) => `http://127.0.0.1:${port}`,
  });
}

async function answers(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(2_000)]) }).catch(
      () => undefined,
    );
    await response?.body?.cancel();
    if (response?.status === 200) return;
    await delay(25, undefined, { signal });
  }
}
