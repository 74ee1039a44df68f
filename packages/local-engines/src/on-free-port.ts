import { findFreePort } from '#find-free-port';
import { EngineError } from '#process/engine-error';
import { waitUntil } from '#process/wait-until';

const ATTEMPTS = 5;
const FIXED_PORT_TIMEOUT_MS = 2_000;

/** The port of an engine. */
export type PortChoice = {
  /** The preferred port. Another one is chosen if it is in use or not given. */
  readonly port?: number | undefined;
  /** True for a restart at the same address: a port in use is then an error. */
  readonly portIsFixed?: boolean | undefined;
};

/** Runs `start` with a free port. Tries another port if a program has taken it meanwhile. */
export async function onFreePort<T>(choice: PortChoice, start: (port: number) => Promise<T>): Promise<T> {
  const { port: wanted, portIsFixed } = choice;
  if (portIsFixed && wanted) {
    // Check first: another server on this port could answer the readiness checks.
    const isFree = async () => (await findFreePort(wanted)) === wanted;
    await waitUntil(isFree, {
      what: `port ${wanted} to be free; another program uses it`,
      timeoutMs: FIXED_PORT_TIMEOUT_MS,
    });
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

/** PostgreSQL, nats-server and Node use the same words. */
function isPortTaken(error: unknown): boolean {
  return error instanceof EngineError && error.log.some((line) => /address already in use/i.test(line));
}
