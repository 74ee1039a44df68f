import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { claimPidFile, EngineError } from '@lectern/local-engines';

const LEFTOVER = { stopSignal: 'SIGTERM', timeoutMs: 1_000 } as const;
const POLL_INTERVAL_MS = 100;
const TIMEOUT_MS = 60_000;

/**
 * Waits until no other launcher of this account is choosing its ports, because two launchers could
 * choose the same ports. Returns a function that releases the lock. Continues without it after a minute.
 */
export async function takeStartLock(signal: AbortSignal): Promise<() => void> {
  const file = join(tmpdir(), `lectern-start-${process.getuid?.() ?? 'any'}.pid.json`);
  for (const started = Date.now(); Date.now() - started < TIMEOUT_MS; ) {
    try {
      const claim = await claimPidFile(file, LEFTOVER);
      return () => claim.release();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
    }
    await delay(POLL_INTERVAL_MS, undefined, { signal });
  }
  return () => undefined;
}
