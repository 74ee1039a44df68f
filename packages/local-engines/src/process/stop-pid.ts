import { processIdentity } from '#process/identity';
import { codeOf } from '#process/thrown';
import { waitUntil } from '#process/wait-until';

/** How long to wait after SIGKILL. */
const KILL_TIMEOUT_MS = 5_000;

/** Sends a signal to a process, or to a process group for a negative pid. Ignores missing processes. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

/** Stops a process that is not a child of this one. Kills its group after `timeoutMs`. */
export async function stopPid(pid: number, stopSignal: NodeJS.Signals, timeoutMs: number): Promise<void> {
  const identity = processIdentity(pid);
  if (identity === undefined) return;
  const isGone = () => processIdentity(pid) !== identity;
  sendSignal(pid, stopSignal);
  try {
    await waitUntil(isGone, { what: `process ${pid} to end`, timeoutMs });
  } catch {
    sendSignal(pid, 'SIGKILL');
    sendSignal(-pid, 'SIGKILL');
    await waitUntil(isGone, { what: `process ${pid} to end after SIGKILL`, timeoutMs: KILL_TIMEOUT_MS });
  }
}
