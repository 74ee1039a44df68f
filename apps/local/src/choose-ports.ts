import { findFreePort } from '@lectern/local-engines';
import { isListening } from '#is-listening';
import { SERVICES, type ServiceName } from '#services';

const CONNECT_TIMEOUT_MS = 500;
const NEIGHBORS = 10;
const MAX_PORT = 65_535;

/** Chooses a port for each service: its default, or a free one if the default is in use or unusable. */
export async function choosePorts(
  gatewayPort: number,
  unusable: ReadonlySet<number>,
): Promise<Record<ServiceName, number>> {
  const taken = new Set(unusable);
  const choose = async (preferred: number): Promise<number> => {
    for (let attempt = 0; ; attempt += 1) {
      // The next port is easier to remember than a random one.
      const neighbor = preferred + attempt;
      const port = preferred !== 0 && attempt < NEIGHBORS && neighbor <= MAX_PORT ? neighbor : 0;
      if (taken.has(port)) continue;
      const free = await findFreePort(port);
      const isSuitable = port === 0 || free === port;
      // Browsers and curl try IPv6 first for `localhost`, and would connect to a program that listens there.
      if (!isSuitable || taken.has(free) || (await isListening('::1', free, CONNECT_TIMEOUT_MS))) continue;
      taken.add(free);
      return free;
    }
  };
  const ports = { gateway: 0, search: 0, chat: 0, agent: 0, collection: 0, connector: 0 };
  for (const { name, port } of SERVICES) ports[name] = await choose(name === 'gateway' ? gatewayPort : port);
  return ports;
}
