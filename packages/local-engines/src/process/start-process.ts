import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '#process/engine-error';
import { claimPidFile, type PidFileClaim } from '#process/pid-file';
import { openProcessLog, type ProcessLog } from '#process/process-log';
import { unwatchChild, watchChild } from '#process/reaper';
import { sendSignal } from '#process/stop-pid';

/** How a process ended; `expected` when `stop()` had been called. */
export type ProcessExit = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly expected: boolean;
};

/** A running child: what `supervise` and the engines share. */
export type Running = {
  readonly pid: number;
  /** Settles when the process has ended; never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Ends the process: its stop signal, the deadline, then SIGKILL to its group. Safe to call twice. */
  stop(): Promise<void>;
};

/** A process started by `startProcess`. */
export type ManagedProcess = Running & {
  readonly name: string;
  /** The last lines it printed, oldest first (at most 40). */
  lastLines(): readonly string[];
};

/** What to run, when it counts as ready, and how it ends. */
export type ProcessOptions = {
  /** Stands in every error message. */
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[];
  /** The whole environment of the child; the launcher's own when left out. */
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  /** A line on stdout or stderr that matches, or a check that resolves (it must heed the signal). Ready at once when left out. */
  readonly readiness?: RegExp | ((signal: AbortSignal) => Promise<void>);
  /** Default 30,000. */
  readonly readinessTimeoutMs?: number;
  /** All output is appended here. */
  readonly logFile?: string;
  /** Remembers the process, so that the next start ends what a killed launcher left and the reaper missed. */
  readonly pidFile?: string;
  /** A claim the caller made itself, in place of `pidFile`. */
  readonly claim?: PidFileClaim;
  /** Default SIGTERM. */
  readonly stopSignal?: NodeJS.Signals;
  /** From the stop signal to SIGKILL; default 10,000. */
  readonly stopTimeoutMs?: number;
  /** Called once, however the process ends. */
  readonly onExit?: (exit: ProcessExit) => void;
  /** Aborts the start; later it has no effect. */
  readonly signal?: AbortSignal | undefined;
};

const OUTPUT_DRAIN_MS = 1_000;

type Child = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Starts a process and waits until it is ready. The child has a session of its own (Ctrl-C reaches the launcher alone)
 * and does not outlive the launcher (see reaper.ts). Throws an `EngineError` with the last lines printed when it ends or
 * the deadline passes before it is ready; nothing is left running then.
 */
export async function startProcess(options: ProcessOptions): Promise<ManagedProcess> {
  options.signal?.throwIfAborted();
  const stopSignal = options.stopSignal ?? 'SIGTERM';
  const stopTimeoutMs = options.stopTimeoutMs ?? 10_000;
  const claim =
    options.claim ??
    (options.pidFile ? await claimPidFile(options.pidFile, { stopSignal, timeoutMs: stopTimeoutMs }) : undefined);
  const log = openProcessLog(options.logFile);
  let stopping = false;
  const ended = Promise.withResolvers<ProcessExit>();
  const child = spawnChild(options, log);
  const { pid } = child;

  function finish(code: number | null, signal: NodeJS.Signals | null): void {
    if (pid !== undefined) unwatchChild(pid);
    claim?.release();
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
    // Whatever it had started itself ends with it.
    sendSignal(-pid, 'SIGKILL');
    // `close` brings the last lines; a stray holder of the pipe must not delay it for ever.
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

async function becomeReady(options: ProcessOptions, log: ProcessLog, exited: Promise<ProcessExit>): Promise<void> {
  const { name, readiness } = options;
  if (readiness === undefined) return;
  const timeoutMs = options.readinessTimeoutMs ?? 30_000;
  const over = new AbortController();
  const signal = options.signal ? AbortSignal.any([over.signal, options.signal]) : over.signal;
  const ready = readiness instanceof RegExp ? lineMatching(log, readiness) : readiness(signal);
  const failures = [
    exited.then((exit) => {
      throw failure(`${name} ended before it was ready (${describeExit(exit)})`, log);
    }),
    delay(timeoutMs, undefined, { signal }).then(() => {
      throw failure(`${name} was not ready after ${timeoutMs / 1000} s`, log);
    }),
  ];
  try {
    await Promise.race([ready, ...failures]);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw error;
  } finally {
    over.abort();
    for (const promise of [ready, ...failures]) promise.catch(() => undefined);
  }
}

function lineMatching(log: ProcessLog, pattern: RegExp): Promise<void> {
  return new Promise((resolve) => {
    log.onLine((line) => {
      if (pattern.test(line)) resolve();
    });
  });
}

function failure(message: string, log: ProcessLog): EngineError {
  const lines = log.lastLines();
  return new EngineError(lines.length === 0 ? message : `${message}. Its last lines:\n${lines.join('\n')}`, {
    log: lines,
  });
}

/** An exit in words: `exit code 1` or `signal SIGKILL`. */
export function describeExit(exit: ProcessExit): string {
  return exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;
}
