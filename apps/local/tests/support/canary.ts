import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const end = (server: Server) => new Promise((resolve) => server.close(resolve));

/**
 * Starts a server that must not receive connections. It listens on every address of this machine
 * and on a Unix socket like PostgreSQL's.
 */
export async function startCanary() {
  const connections: string[] = [];
  const listener = (where: string) =>
    createServer((socket) => {
      connections.push(`${where} ${socket.localAddress ?? ''}`);
      socket.destroy();
    });
  const network = listener('tcp').listen(0, '::');
  await once(network, 'listening');
  const { port } = network.address() as AddressInfo;
  const folder = await mkdtemp(join(tmpdir(), 'canary-'));
  const local = listener('unix').listen(join(folder, `.s.PGSQL.${port}`));
  await once(local, 'listening');
  return {
    port,
    /** The path of its Unix socket. */
    folder,
    connections,
    stop: async () => {
      await Promise.all([end(network), end(local)]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts an allowed server that redirects every request. */
export async function startRedirector() {
  let target = 'http://127.0.0.1/';
  let status = 302;
  const server = createHttpServer((_request, response) => {
    response.writeHead(status, { location: target }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sendTo: (address: string, by: number) => {
      target = address;
      status = by;
    },
    stop: async () => {
      server.closeAllConnections();
      await end(server);
    },
  };
}
