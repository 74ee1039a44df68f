import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What a network does to a connection. */
export type Fault =
  /** Every piece arrives later. */
  | 'latency'
  /** Connections are broken with a RST, new ones as soon as they carry something. */
  | 'reset'
  /** Everything is taken and nothing arrives, as behind a firewall that drops packets. */
  | 'blackhole'
  /** A few kilobytes a second. */
  | 'slow'
  /** Connections are broken, and new ones refused. */
  | 'cut';

export const FAULTS: readonly Fault[] = ['latency', 'reset', 'blackhole', 'slow', 'cut'];

const LATENCY_MS = 150;
const SLOW_BYTES_A_SECOND = 32 * 1024;

/** A way to a server on which things go wrong. */
export interface FaultProxy {
  readonly port: number;
  /** Until `mend`. */
  break(fault: Fault): Promise<void>;
  mend(): Promise<void>;
  /** Connections that are open. */
  connections(): number;
  stop(): Promise<void>;
}

/** Hands connections to `port` of this machine on to `target` of it. */
export async function startFaultProxy(port: number, target: number): Promise<FaultProxy> {
  let fault: Fault | undefined;
  let mended = Promise.withResolvers<void>();
  mended.resolve();
  const clients = new Set<Socket>();

  /** Holds a piece back as the fault of now does. False where its connection ends by it. */
  async function pass(piece: Buffer): Promise<boolean> {
    if (fault === 'blackhole') await mended.promise;
    if (fault === 'latency') await delay(LATENCY_MS);
    if (fault === 'slow') await delay((piece.length / SLOW_BYTES_A_SECOND) * 1_000);
    return fault !== 'reset';
  }

  /** One direction. Pieces keep their order, as each waits for the one before. */
  async function carry(from: Socket, to: Socket, reset: () => void): Promise<void> {
    try {
      for await (const piece of from) {
        if (!(await pass(piece))) return reset();
        if (!to.write(piece)) await once(to, 'drain', { signal: AbortSignal.timeout(600_000) });
      }
      if (fault === 'blackhole') await mended.promise;
      to.end();
    } catch {
      to.destroy();
    }
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    const reset = () => {
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    };
    clients.add(client);
    for (const socket of [client, upstream]) socket.setNoDelay(true).on('error', () => undefined);
    client.once('close', () => clients.delete(client));
    // The news of an end does not get through a black hole either.
    client.once('close', () => void mended.promise.then(() => upstream.destroy()));
    upstream.once('close', () => void mended.promise.then(() => client.destroy()));
    void carry(client, upstream, reset);
    void carry(upstream, client, reset);
  });

  const listen = () => once(server.listen(port, '127.0.0.1'), 'listening');
  const breakAll = () => {
    for (const client of clients) client.resetAndDestroy();
  };
  await listen();
  return {
    port,
    break: async (next) => {
      fault = next;
      if (next === 'blackhole') mended = Promise.withResolvers<void>();
      if (next === 'reset') breakAll();
      if (next !== 'cut') return;
      const closed = once(server, 'close');
      server.close();
      breakAll();
      await closed;
    },
    mend: async () => {
      fault = undefined;
      mended.resolve();
      if (!server.listening) await listen();
    },
    connections: () => clients.size,
    stop: async () => {
      fault = undefined;
      mended.resolve();
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      breakAll();
      await closed;
    },
  };
}
