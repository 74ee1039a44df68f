import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { EngineError } from '#process/engine-error';
import type { ManagedProcess, ProcessExit, ProcessOptions } from '#process/managed-process';
import { claimPidFile } from '#process/pid-file';
import { openProcessLog, type ProcessLog } from '#process/process-log';
import { becomeReady } from '#process/readiness';
import { unwatchChild, watchChild } from '#process/reaper';
import { sendSignal } from '#process/stop-pid';

/** How long to wait for the last output after the process has ended. */
const OUTPUT_DRAIN_MS = 1_000;

type Child = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Starts a process and waits until it is ready. It runs in a separate session, so that Ctrl-C signals only
 * the launcher, and ends with the launcher (see reaper.ts). Throws an `EngineError` with the last lines of
 * its output if it ends or times out before it is ready, and stops it.
 */
export async function startProcess(options: ProcessOptions): Promise<ManagedProcess> {
  options.signal?.throwIfAborted();
  const stopSignal = options.stopSignal ?? 'SIGTERM';
  const stopTimeoutMs = options.stopTimeoutMs ?? 10_000;
  const ownClaim =
    options.pidFile === undefined
      ? undefined
      : await claimPidFile(options.pidFile, { stopSignal, timeoutMs: stopTimeoutMs });
  const claim = options.claim ?? ownClaim;
  const log = openProcessLog(options.logFile);
  let stopping = false;
  let finished = false;
  const ended = Promise.withResolvers<ProcessExit>();
  const child = spawnChild(options, log);
  const { pid } = child;

  function finish(code: number | null, signal: NodeJS.Signals | null): void {
    if (finished) return;
    finished = true;
    if (pid !== undefined) unwatchChild(pid);
    ownClaim?.release();
    log.close();
    const exit = { code, signal, expected: stopping };
    ended.resolve(exit);
    options.onExit?.(exit);
  }

  if (pid === undefined) {
    const cause = await new Promise<Error>((resolve) => child.once('error', resolve));
    finish(null, null);
    throw new EngineError(`${options.name} could not be started: ${cause.message}`, { cause });
  }
  child.on('error', () => undefined);
  child.once('exit', (code, signal) => {
    // Also kills its children.
    sendSignal(-pid, 'SIGKILL');
    // Waits for `close` to get the last lines, but not forever: another process can keep the pipe open.
    const timer = setTimeout(() => finish(code, signal), OUTPUT_DRAIN_MS);
    child.once('close', () => {
      clearTimeout(timer);
      finish(code, signal);
    });
  });
  watchChild(pid, stopSignal);
  claim?.record(pid);

  async function stop(): Promise<void> {
    if (pid === undefined) return;
    if (!stopping) sendSignal(pid, stopSignal);
    stopping = true;
    const timer = setTimeout(() => sendSignal(-pid, 'SIGKILL'), stopTimeoutMs);
    await ended.promise;
    clearTimeout(timer);
  }

  try {
    await becomeReady(options, log, ended.promise);
  } catch (error) {
    await stop();
    throw error;
  }
  return { name: options.name, pid, exited: ended.promise, stop, lastLines: log.lastLines };
}

function spawnChild(options: ProcessOptions, log: ProcessLog): Child {
  const child = spawn(options.command, options.args ?? [], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: options.env ?? process.env,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    ...(options.gid === undefined ? {} : { gid: options.gid }),
  });
  log.follow(child.stdout);
  log.follow(child.stderr);
  return child;
}
