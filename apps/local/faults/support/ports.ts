import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { REPORT_FOLDER } from './report-folder.ts';

/** Below the ports of outgoing connections (32,768 on Linux, 49,152 elsewhere). */
const RANGE = { from: 21_000, to: 32_000 } as const;
const LAST_PORT_FILE = join(REPORT_FOLDER, 'last-port');

/**
 * Returns a free port that this run has not used before, because clients can still connect to the old
 * ports. The counter is in a file, because each test file has its own modules.
 */
export async function nextPort(): Promise<number> {
  for (let attempt = 0; attempt <= RANGE.to - RANGE.from; attempt += 1) {
    const port = nextCandidate();
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${RANGE.from} to ${RANGE.to} is free.`);
}

/** Returns the next port to try. The first one is random, so that concurrent runs use different ports. */
function nextCandidate(): number {
  const last = readLastPort() ?? RANGE.from + Math.floor(Math.random() * (RANGE.to - RANGE.from));
  const port = last >= RANGE.to ? RANGE.from : last + 1;
  writeFileSync(LAST_PORT_FILE, String(port));
  return port;
}

function readLastPort(): number | undefined {
  try {
    return Number(readFileSync(LAST_PORT_FILE, 'utf8'));
  } catch {
    return undefined;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
