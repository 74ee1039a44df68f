import { onFreePort, type PortChoice } from '#on-free-port';
import type { ManagedProcess, ProcessOptions } from '#process/managed-process';
import { claimPidFile } from '#process/pid-file';
import { startProcess } from '#process/start-process';

/** A running engine with its address. */
export type Engine = ManagedProcess & { readonly url: string; readonly port: number };

/** How to start an engine. */
export type EngineSpec = {
  /** The lock of the engine. A process that a killed launcher left behind is stopped first. */
  readonly pidFile: string;
  readonly stopSignal: NodeJS.Signals;
  readonly stopTimeoutMs: number;
  readonly port: PortChoice;
  /** Runs once while the lock is held, before the port is chosen. */
  readonly prepare?: () => Promise<void>;
  readonly processOn: (
    port: number,
  ) => Promise<Omit<ProcessOptions, 'pidFile' | 'claim' | 'stopSignal' | 'stopTimeoutMs'>>;
  readonly urlOn: (port: number) => string;
};

/** The variables that engines get. Others can contain secrets. */
const PASSED_ON =
  /^(PATH|HOME|TMPDIR|TZ|LANG|LC_.*|LD_.*|DYLD_.*|NODE_(OPTIONS|COMPILE_CACHE|V8_COVERAGE)|SystemRoot)$/i;

/** Returns the environment for engines and for other programs that run as their account. */
export function engineEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_ON.test(name)));
}

/** Locks and prepares the engine's data, and starts the process on a free port. Throws an `EngineError`. */
export async function startEngine(spec: EngineSpec): Promise<Engine> {
  const { stopSignal, stopTimeoutMs } = spec;
  const claim = await claimPidFile(spec.pidFile, { stopSignal, timeoutMs: stopTimeoutMs });
  try {
    await spec.prepare?.();
    const engine = await onFreePort(spec.port, async (port) => {
      const options = await spec.processOn(port);
      const env = { ...engineEnvironment(), ...options.env };
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
