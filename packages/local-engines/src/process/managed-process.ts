import type { PidFileClaim } from '#process/pid-file';

/** How a process ended. `expected` is true after `stop()`. */
export type ProcessExit = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly expected: boolean;
};

/** A running process that `supervise` can restart. */
export type Running = {
  readonly pid: number;
  /** Resolves when the process has ended. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Sends the stop signal, and SIGKILL to the process group after the timeout. Safe to call twice. */
  stop(): Promise<void>;
  /** The last lines of its output, oldest first (at most 40). */
  lastLines(): readonly string[];
};

/** A process started by `startProcess`. */
export type ManagedProcess = Running & { readonly name: string };

/** How to run a process. */
export type ProcessOptions = {
  /** The name in error messages. */
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[];
  /** The complete environment of the child. Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  /** The process is ready when an output line matches or the check resolves. Default: immediately. */
  readonly readiness?: RegExp | ((signal: AbortSignal) => Promise<void>);
  /** Default 30,000. */
  readonly readinessTimeoutMs?: number;
  /** All output is appended to this file. */
  readonly logFile?: string;
  /** Records the process, so that the next start can stop it if the launcher and the reaper were killed. */
  readonly pidFile?: string;
  /** The caller's claim, instead of `pidFile`. The caller releases it. */
  readonly claim?: PidFileClaim;
  /** Default SIGTERM. */
  readonly stopSignal?: NodeJS.Signals;
  /** The time between the stop signal and SIGKILL; default 10,000. */
  readonly stopTimeoutMs?: number;
  /** Called once when the process has ended. */
  readonly onExit?: (exit: ProcessExit) => unknown;
  /** Aborts the start. Has no effect later. */
  readonly signal?: AbortSignal | undefined;
};

/** Describes an exit: `exit code 1` or `signal SIGKILL`. */
export function describeExit(exit: ProcessExit): string {
  return exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;
}
