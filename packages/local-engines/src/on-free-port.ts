import { findFreePort } from '#find-free-port';
import { EngineError } from '#process/engine-error';
import { waitUntil } from '#process/wait-until';

const ATTEMPTS = 5;
const FIXED_PORT_TIMEOUT_MS = 2_000;

/** The port an engine is to listen on. */
export type PortChoice = {
  /** The wanted port; another free one is taken when it is in use. The system chooses when left out. */
  readonly port?: number | undefined;
  /** True for a restart that must come back at the same address: a port in use is then an error. */
  readonly portIsFixed?: boolean | undefined;
};

/** Runs `start` with a free port, and again with another when somebody else took it in between. */
export async function onFreePort<T>(choice: PortChoice, start: (port: number) => Promise<T>): Promise<T> {
  const { port: wanted, portIsFixed } = choice;
  if (portIsFixed && wanted) {
    // Asked first: a foreign server on this port could answer in the new one's place.
    const isFree = async () => (await findFreePort(wanted)) === wanted;
    await waitUntil(isFree, { what: `port ${wanted}, which another program uses`, timeoutMs: FIXED_PORT_TIMEOUT_MS });
    return start(wanted);
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await findFreePort(attempt === 1 ? wanted : undefined));
    } catch (error) {
      if (attempt === ATTEMPTS || !isPortTaken(error)) throw error;
    }
  }
}

/** PostgreSQL, nats-server and Node word it alike. */
function isPortTaken(error: unknown): boolean {
  return error instanceof EngineError && error.log.some((line) => /address already in use/i.test(line));
}
