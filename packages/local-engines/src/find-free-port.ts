import { createServer } from 'node:net';
import { EngineError } from '#process/engine-error';

/**
 * Below the ports that kernels give to outgoing connections (from 32,768 on Linux, from 49,152 elsewhere) and above those of well-known servers. A port of
 * theirs that was found free may be taken by any connection before it is listened on, and again while its server restarts.
 */
const RANGE = { from: 20_000, to: 32_700 } as const;
const TRIES = 100;

/** A free TCP port on 127.0.0.1: the preferred one when nobody listens on it, else one outside the range of outgoing connections. */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && preferred !== 0 && (await tryPort(preferred)) !== undefined) return preferred;
  // At random: whoever else looks for one at the same moment is unlikely to look here.
  for (let tried = 0; tried < TRIES; tried += 1) {
    const port = await tryPort(RANGE.from + Math.floor(Math.random() * (RANGE.to - RANGE.from)));
    if (port !== undefined) return port;
  }
  const port = await tryPort(0);
  if (port === undefined) throw new EngineError('No free TCP port is left on 127.0.0.1');
  return port;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });
}
