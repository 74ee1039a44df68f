import { createServer } from 'node:net';
import { EngineError } from '#process/engine-error';

/**
 * Above the ports of well-known servers, and below the ephemeral ports (from 32,768 on Linux, 49,152
 * elsewhere), which any outgoing connection can use before a server listens on them.
 */
const RANGE = { from: 20_000, to: 32_700 } as const;
const ATTEMPTS = 100;

/** Returns a free TCP port on 127.0.0.1: the preferred one, or one below the ephemeral ports. */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && preferred !== 0 && (await tryPort(preferred)) !== undefined) return preferred;
  // Random, so that parallel searches rarely find the same port.
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = await tryPort(RANGE.from + Math.floor(Math.random() * (RANGE.to - RANGE.from)));
    if (port !== undefined) return port;
  }
  const port = await tryPort(0);
  if (port === undefined)
    throw new EngineError('There is no free TCP port on 127.0.0.1. Stop programs that listen on many ports.');
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
