import { createServer } from 'node:net';
import { EngineError } from '#process/engine-error';

/** A free TCP port on 127.0.0.1: the preferred one when nobody listens on it, else one the system chooses. */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && preferred !== 0 && (await tryPort(preferred)) !== undefined) return preferred;
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
