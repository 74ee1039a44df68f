import { onFreePort, type PortChoice } from '#on-free-port';
import type { ManagedProcess, ProcessOptions } from '#process/managed-process';
import { claimPidFile } from '#process/pid-file';
import { startProcess } from '#process/start-process';

/** A running engine: its address, and what every managed process has. */
export type Engine = ManagedProcess & { readonly url: string; readonly port: number };

/** What the three engines are started from. */
export type EngineSpec = {
  /** One engine at a time runs under this file; one left by a killed launcher is ended first. */
  readonly pidFile: string;
  readonly stopSignal: NodeJS.Signals;
  readonly stopTimeoutMs: number;
  readonly port: PortChoice;
  /** Runs once, when no other process uses the data any more and before a port is chosen. */
  readonly prepare?: () => Promise<void>;
  readonly processOn: (
    port: number,
  ) => Promise<Omit<ProcessOptions, 'pidFile' | 'claim' | 'stopSignal' | 'stopTimeoutMs'>>;
  readonly urlOn: (port: number) => string;
};

/**
 * The environment variables that a program needs. The others may contain the operator's secrets,
 * which an engine and its account must not see.
 */
const NEEDED = /^(PATH|HOME|TMPDIR|TZ|LANG|LC_.*|LD_.*|DYLD_.*|NODE_.*|SystemRoot)$/i;

function engineEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => NEEDED.test(name)));
}

/** Claims the engine's data, prepares it, and starts the process on a free port. */
export async function startEngine(spec: EngineSpec): Promise<Engine> {
  const { stopSignal, stopTimeoutMs } = spec;
  const claim = await claimPidFile(spec.pidFile, { stopSignal, timeoutMs: stopTimeoutMs });
  try {
    await spec.prepare?.();
    const engine = await onFreePort(spec.port, async (port) => {
      const options = await spec.processOn(port);
      const env = { ...engineEnvironment(process.env), ...options.env };
      const started = await startProcess({ ...options, env, claim, stopSignal, stopTimeoutMs });
      return { ...started, port, url: spec.urlOn(port) };
    });
    void engine.exited.then(() => claim.release());
    return engine;
  } catch (error) {
    claim.release();
    throw error;
  }
}
