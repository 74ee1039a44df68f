import { findFreePort } from '#find-free-port';
import { EngineError } from '#process/engine-error';

const ATTEMPTS = 5;

/** The port an engine is to listen on. */
export type PortChoice = {
  /** The wanted port; another free one is taken when it is in use. The system chooses when left out. */
  readonly port?: number | undefined;
  /** True for a restart that must come back at the same address: a port in use is then an error. */
  readonly portIsFixed?: boolean | undefined;
};

/** Runs `start` with a free port, and again with another when somebody else took it in between. */
export async function onFreePort<T>(choice: PortChoice, start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const port =
      choice.portIsFixed && choice.port ? choice.port : await findFreePort(attempt === 1 ? choice.port : undefined);
    try {
      return await start(port);
    } catch (error) {
      if (choice.portIsFixed || attempt === ATTEMPTS || !isPortTaken(error)) throw error;
    }
  }
}

/** PostgreSQL, nats-server and Node word it alike. */
function isPortTaken(error: unknown): boolean {
  return error instanceof EngineError && error.log.some((line) => /address already in use/i.test(line));
}
