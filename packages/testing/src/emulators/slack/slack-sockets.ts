import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';

/** Socket Mode. https://docs.slack.dev/apis/events-api/using-socket-mode */

/** Slack sends an envelope again if it is not acknowledged in time. */
const RETRY_MS = 3_000;
const MAX_ATTEMPTS = 3;

const ack = z.object({ envelope_id: z.string(), payload: z.unknown().optional() });

export interface SlackSockets {
  /** Returns the URL of a new connection. It works once. */
  open(): string;
  /** The number of open connections. */
  connections(): number;
  /** Sends an envelope until it is acknowledged. Rejects if it never is. */
  send(type: 'events_api' | 'interactive', payload: unknown): Promise<void>;
  /** Asks the clients to connect again, as Slack does regularly. */
  refresh(): void;
  stop(): void;
}

/** Serves WebSockets on the server of the emulator. */
export function createSlackSockets(server: Server, origin: () => string): SlackSockets {
  const tickets = new Set<string>();
  const acknowledged = new Map<string, () => void>();
  const sockets = new WebSocketServer({ noServer: true });

  server.on('upgrade', (request, socket, head) => {
    const ticket = new URL(request.url ?? '/', 'http://emulator').searchParams.get('ticket') ?? '';
    if (!tickets.delete(ticket)) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on('message', (data) => {
        const { data: sent } = ack.safeParse(JSON.parse(String(data)));
        if (sent !== undefined) acknowledged.get(sent.envelope_id)?.();
      });
      client.send(
        JSON.stringify({ type: 'hello', num_connections: sockets.clients.size, connection_info: { app_id: 'A0APP' } }),
      );
    });
  });

  // Slack gives each event to one of the connections.
  let turn = 0;
  const next = (): WebSocket | undefined => {
    const open = [...sockets.clients].filter((client) => client.readyState === client.OPEN);
    turn += 1;
    return open[turn % Math.max(1, open.length)];
  };

  return {
    open: () => {
      const ticket = randomUUID();
      tickets.add(ticket);
      return `${origin().replace(/^http/, 'ws')}/link/?ticket=${ticket}&app_id=A0APP`;
    },
    connections: () => [...sockets.clients].filter((client) => client.readyState === client.OPEN).length,
    send: async (type, payload) => {
      const id = randomUUID();
      const done = new Promise<true>((resolve) => acknowledged.set(id, () => resolve(true)));
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const retry = { retry_attempt: attempt, retry_reason: attempt === 0 ? '' : 'timeout' };
        next()?.send(JSON.stringify({ type, envelope_id: id, payload, accepts_response_payload: false, ...retry }));
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise<false>((resolve) => {
          timer = setTimeout(() => resolve(false), RETRY_MS);
        });
        const isDone = await Promise.race([done, late]);
        clearTimeout(timer);
        if (isDone) return;
      }
      throw new Error('The envelope was not acknowledged.');
    },
    refresh: () => {
      for (const client of sockets.clients) {
        client.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested', debug_info: {} }));
      }
    },
    stop: () => {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
    },
  };
}
