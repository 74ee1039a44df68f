import { findFreePort } from '@lectern/local-engines';
import { SERVICES, type ServiceName } from '#services';
import { tcpAnswers } from '#tcp-answers';

const CONNECT_TIMEOUT_MS = 500;
const NEIGHBOURS = 10;
const MAX_PORT = 65_535;

/** A port for each service: its default, or another where that is in use or was found unusable before. */
export async function choosePorts(
  gatewayPort: number,
  unusable: ReadonlySet<number>,
): Promise<Record<ServiceName, number>> {
  const taken = new Set(unusable);
  const choose = async (wanted: number): Promise<number> => {
    for (let attempt = 0; ; attempt += 1) {
      // A neighbour is easier to remember than any port of the system's choice.
      const neighbour = wanted + attempt;
      const port = wanted !== 0 && attempt < NEIGHBOURS && neighbour <= MAX_PORT ? neighbour : 0;
      if (taken.has(port)) continue;
      const free = await findFreePort(port);
      const isWanted = port === 0 || free === port;
      // Browsers and curl try IPv6 first for `localhost`: another program there would answer in the gateway's place.
      if (!isWanted || taken.has(free) || (await tcpAnswers('::1', free, CONNECT_TIMEOUT_MS))) continue;
      taken.add(free);
      return free;
    }
  };
  const ports = { gateway: 0, search: 0, chat: 0, agent: 0, collection: 0, connector: 0 };
  for (const { name, port } of SERVICES) ports[name] = await choose(name === 'gateway' ? gatewayPort : port);
  return ports;
}
