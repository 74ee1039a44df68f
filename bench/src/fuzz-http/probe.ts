import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into every process of the system under test (`--import probe.ts?dir=…`). Measures the
 * longest turn of the event loop in CPU time of its thread, so that other load does not count, and
 * sends it to clients that connect.
 */
const TICK_MS = 5;

const folder = new URL(import.meta.url).searchParams.get('dir');

function start(dir: string): void {
  let at = performance.now();
  let cpu = process.threadCpuUsage();
  let longestMs = 0;
  setInterval(() => {
    const used = process.threadCpuUsage(cpu);
    const now = performance.now();
    longestMs = Math.max(longestMs, Math.min(now - at, (used.user + used.system) / 1000));
    at = now;
    cpu = process.threadCpuUsage();
  }, TICK_MS).unref();

  mkdirSync(dir, { recursive: true });
  const path = join(dir, `${process.pid}.sock`);
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    // Each byte requests the longest turn since the previous one.
    socket.on('data', () => {
      socket.write(`${longestMs.toFixed(2)}\n`);
      longestMs = 0;
    });
  });
  server.on('error', () => undefined);
  server.listen(path).unref();
}

if (folder !== null && isMainThread) start(folder);
