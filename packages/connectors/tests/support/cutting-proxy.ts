import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  readonly port: number;
  /**
   * Closes each connection after the server has sent this many bytes over it; undefined never does.
   */
  cutAfter(bytes: number | undefined): void;
  /** The largest number of bytes that the server sent over one connection since `cutAfter`. */
  readonly sent: number;
  stop(): Promise<void>;
}

/** Starts a TCP proxy that can close connections. */
export async function startCuttingProxy(to: { readonly host: string; readonly port: number }): Promise<CuttingProxy> {
  let limit: number | undefined;
  let sent = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(to);
    let bytes = 0;
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on('data', (piece) => {
      bytes += piece.length;
      sent = Math.max(sent, bytes);
      if (limit === undefined || bytes <= limit) client.write(piece);
      else client.end(piece.subarray(0, Math.max(0, piece.length - (bytes - limit))));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cutAfter: (bytes) => {
      limit = bytes;
      sent = 0;
    },
    get sent() {
      return sent;
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
