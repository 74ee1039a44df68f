import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { grantOf } from '#limits/rate';
import { GIVE_BACK, TAKE } from '#limits/redis-store';

/** A fake Redis server with the RESP2 subset of rate limits. It recognizes scripts by text. */
export interface RedisServer {
  readonly url: string;
  /** Closes all connections and accepts no more. */
  kill(): Promise<void>;
}

/** Removes complete commands from the buffer. Each is an array of bulk strings. */
function* commandsOf(buffer: { text: string }): Generator<string[]> {
  for (;;) {
    const head = /^\*(\d+)\r\n/.exec(buffer.text);
    if (head === null) return;
    let rest = buffer.text.slice(head[0].length);
    const parts: string[] = [];
    while (parts.length < Number(head[1])) {
      const size = /^\$(\d+)\r\n/.exec(rest);
      const end = (size?.[0].length ?? 0) + Number(size?.[1]);
      if (size === null || rest.length < end + 2) return;
      parts.push(rest.slice(size[0].length, end));
      rest = rest.slice(end + 2);
    }
    buffer.text = rest;
    yield parts;
  }
}

const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`;

/** Starts the server on a free local port. */
export async function startRedisServer(): Promise<RedisServer> {
  const tats = new Map<string, number>();

  const take = (name: string, [interval = 0, burst = 0, needed = 0, wanted = 0]: number[]): string => {
    const now = Date.now() * 1_000;
    const base = Math.max(tats.get(name) ?? 0, now);
    const granted = grantOf(Math.max(0, Math.floor((now + burst - base) / interval)), needed, wanted);
    const tat = base + granted * interval;
    tats.set(name, tat);
    return `*3\r\n:${granted}\r\n${bulk(String(now))}${bulk(String(tat))}`;
  };
  const reply = ([command = '', script, , name = '', ...args]: string[]): string => {
    if (command.toUpperCase() === 'INFO') return bulk('redis_version:7.4.0\r\nloading:0\r\n');
    if (command.toUpperCase() !== 'EVAL') return '+OK\r\n';
    if (script === TAKE) return take(name, args.map(Number));
    if (script !== GIVE_BACK) return '-ERR unknown script\r\n';
    tats.set(name, (tats.get(name) ?? 0) - Number(args[0]));
    return ':0\r\n';
  };

  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const buffer = { text: '' };
    sockets.add(socket);
    socket.setEncoding('latin1');
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (text) => {
      buffer.text += text;
      for (const command of commandsOf(buffer)) socket.write(reply(command));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
