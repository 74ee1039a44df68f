import { findFreePort } from '@lectern/local-engines';
import { SERVICES, type ServiceName } from '#services';
import { tcpAnswers } from '#tcp-answers';

const CONNECT_TIMEOUT_MS = 500;

/** A port for each service: its default, or another where that is in use or was found unusable before. */
export async function choosePorts(
  gatewayPort: number,
  unusable: ReadonlySet<number>,
): Promise<Record<ServiceName, number>> {
  const taken = new Set(unusable);
  const choose = async (wanted: number): Promise<number> => {
    for (let port = taken.has(wanted) ? 0 : wanted; ; port = 0) {
      const free = await findFreePort(port);
      // Browsers and curl try IPv6 first for `localhost`: another program there would answer in the gateway's place.
      if (taken.has(free) || (await tcpAnswers('::1', free, CONNECT_TIMEOUT_MS))) continue;
      taken.add(free);
      return free;
    }
  };
  const ports = { gateway: 0, search: 0, chat: 0, agent: 0, collection: 0, connector: 0 };
  for (const { name, port } of SERVICES) ports[name] = await choose(name === 'gateway' ? gatewayPort : port);
  return ports;
}
