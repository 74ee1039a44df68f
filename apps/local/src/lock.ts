import { setTimeout as delay } from 'node:timers/promises';
import { claimPidFile, EngineError, type PidFileClaim } from '@lectern/local-engines';
import type { Home } from '#home';
import { LauncherError } from '#launcher-error';
import { readState } from '#state-file';

const LEFTOVER = { stopSignal: 'SIGTERM', timeoutMs: 1_000 } as const;
const RETRY_MS = 100;
/** A launcher notices within this time that its npm was killed. */
const NOTICE_MS = 2_000;
const STOPPING_TIMEOUT_MS = 60_000;

/** Locks the home for this process. Returns undefined if another process uses it. */
export async function tryLock(home: Home): Promise<PidFileClaim | undefined> {
  try {
    return await claimPidFile(home.lock, LEFTOVER);
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

/** Like `tryLock`, but waits for a launcher that is stopping. Throws a `LauncherError` if it keeps running. */
export async function lockHome(home: Home, onWait: () => void): Promise<PidFileClaim> {
  const started = Date.now();
  for (let waits = false; ; ) {
    const claim = await tryLock(home);
    if (claim) return claim;
    const state = await readState(home);
    const isStopping = state?.status === 'stopping';
    if (isStopping && !waits) onWait();
    waits ||= isStopping;
    if (Date.now() - started > (isStopping ? STOPPING_TIMEOUT_MS : NOTICE_MS)) throw inUse(home, state);
    await delay(RETRY_MS);
  }
}

function inUse(home: Home, state: Awaited<ReturnType<typeof readState>>): LauncherError {
  const who = state === undefined ? '' : ` (process ${state.pid}${state.baseUrl ? `, at ${state.baseUrl}` : ''})`;
  return new LauncherError(
    `Lectern is already running with the data in ${home.root}${who}. Stop it first, or set LECTERN_HOME to another folder.`,
  );
}
