import type { PidFileClaim } from '#process/pid-file';

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
  /** The last lines it printed, oldest first (at most 40). */
  lastLines(): readonly string[];
};

/** A process started by `startProcess`. */
export type ManagedProcess = Running & { readonly name: string };

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
  /** A claim the caller made, in place of `pidFile`; the caller releases it. */
  readonly claim?: PidFileClaim;
  /** Default SIGTERM. */
  readonly stopSignal?: NodeJS.Signals;
  /** From the stop signal to SIGKILL; default 10,000. */
  readonly stopTimeoutMs?: number;
  /** Called once, however the process ends. */
  readonly onExit?: (exit: ProcessExit) => unknown;
  /** Aborts the start; later it has no effect. */
  readonly signal?: AbortSignal | undefined;
};

/** An exit in words: `exit code 1` or `signal SIGKILL`. */
export function describeExit(exit: ProcessExit): string {
  return exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;
}
