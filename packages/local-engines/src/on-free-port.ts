import { findFreePort } from '#find-free-port';
import { EngineError } from '#process/engine-error';
import { waitUntil } from '#process/wait-until';

const ATTEMPTS = 5;
const FIXED_PORT_TIMEOUT_MS = 2_000;

/** The port of an engine. */
export type PortChoice = {
  /** The preferred port. If it is omitted or in use, another one is chosen. */
  readonly port?: number | undefined;
  /** True for a restart at the same address: if the port is in use, the start fails. */
  readonly portIsFixed?: boolean | undefined;
};

/** Runs `start` with a free port. Tries another port if a program takes it in the meantime. */
export async function onFreePort<T>(choice: PortChoice, start: (port: number) => Promise<T>): Promise<T> {
  const { port: preferred, portIsFixed } = choice;
  if (portIsFixed && preferred) {
    // Checks first: another server on this port could pass the readiness checks.
    const isFree = async () => (await findFreePort(preferred)) === preferred;
    await waitUntil(isFree, {
      what: `port ${preferred} to be free; another program uses it`,
      timeoutMs: FIXED_PORT_TIMEOUT_MS,
    });
    return start(preferred);
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await findFreePort(attempt === 1 ? preferred : undefined));
    } catch (error) {
      if (attempt === ATTEMPTS || !isPortTaken(error)) throw error;
    }
  }
}

/** PostgreSQL, nats-server and Node report the same message. */
function isPortTaken(error: unknown): boolean {
  return error instanceof EngineError && error.log.some((line) => /address already in use/i.test(line));
}
