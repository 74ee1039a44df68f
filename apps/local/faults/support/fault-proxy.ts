import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A network fault. */
export type Fault =
  /** Delays every chunk. */
  | 'latency'
  /** Resets connections, new ones with their first data. */
  | 'reset'
  /** Accepts and drops all data, like a firewall. */
  | 'blackhole'
  /** Limits the rate to a few kilobytes per second. */
  | 'slow'
  /** Closes connections and rejects new ones. */
  | 'cut';

export const FAULTS: readonly Fault[] = ['latency', 'reset', 'blackhole', 'slow', 'cut'];

const LATENCY_MS = 150;
const SLOW_BYTES_PER_SECOND = 32 * 1024;

/** A TCP proxy that injects faults. */
export interface FaultProxy {
  readonly port: number;
  /** Injects a fault until `restore`. */
  break(fault: Fault): Promise<void>;
  restore(): Promise<void>;
  /** The number of open connections. */
  connections(): number;
  stop(): Promise<void>;
}

/** Forwards connections from `port` to `target` on this machine. */
export async function startFaultProxy(port: number, target: number): Promise<FaultProxy> {
  let fault: Fault | undefined;
  let restored = Promise.withResolvers<void>();
  restored.resolve();
  const clients = new Set<Socket>();

  /** Applies the current fault to a chunk. Returns false if the connection must close. */
  async function applyFault(chunk: Buffer): Promise<boolean> {
    if (fault === 'blackhole') await restored.promise;
    if (fault === 'latency') await delay(LATENCY_MS);
    if (fault === 'slow') await delay((chunk.length / SLOW_BYTES_PER_SECOND) * 1_000);
    return fault !== 'reset';
  }

  /** Forwards one direction. Each chunk waits for the previous one. */
  async function forward(from: Socket, to: Socket, reset: () => void): Promise<void> {
    try {
      for await (const chunk of from) {
        if (!(await applyFault(chunk))) return reset();
        if (!to.write(chunk)) await once(to, 'drain', { signal: AbortSignal.timeout(600_000) });
      }
      if (fault === 'blackhole') await restored.promise;
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
    // A black hole also drops the end of a connection.
    client.once('close', () => void restored.promise.then(() => upstream.destroy()));
    upstream.once('close', () => void restored.promise.then(() => client.destroy()));
    void forward(client, upstream, reset);
    void forward(upstream, client, reset);
  });

  const listen = () => once(server.listen(port, '127.0.0.1'), 'listening');
  const resetAll = () => {
    for (const client of clients) client.resetAndDestroy();
  };
  await listen();
  return {
    port,
    break: async (next) => {
      fault = next;
      if (next === 'blackhole') restored = Promise.withResolvers<void>();
      if (next === 'reset') resetAll();
      if (next !== 'cut') return;
      const closed = once(server, 'close');
      server.close();
      resetAll();
      await closed;
    },
    restore: async () => {
      fault = undefined;
      restored.resolve();
      if (!server.listening) await listen();
    },
    connections: () => clients.size,
    stop: async () => {
      fault = undefined;
      restored.resolve();
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      resetAll();
      await closed;
    },
  };
}
