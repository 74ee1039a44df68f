import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Forwards requests to a server, and can hold back the rest of a streamed answer. */
export interface HoldingProxy {
  readonly origin: string;
  /** The next streams stop after their first piece of text. */
  hold(): void;
  /** The number of streams that the browser has ended early. */
  readonly cancelled: number;
  stop(): void;
}

/** Starts a proxy of the server at `target`. */
export async function startHoldingProxy(target: string): Promise<HoldingProxy> {
  let isHolding = false;
  let cancelled = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming;
    const upstream = request(new URL(url, target), { ...(method ? { method } : {}), headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      if (!isHolding || !url.endsWith('/chat/stream') || method !== 'POST') {
        response.pipe(outgoing);
        return;
      }
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const before = /^[\s\S]*?event: content_delta[\s\S]*?\n\n/.exec(text);
        text += chunk;
        const first = /^[\s\S]*?event: content_delta[\s\S]*?\n\n/.exec(text);
        if (before === null && first !== null) outgoing.write(first[0]);
      });
    });
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) cancelled += 1;
      upstream.destroy();
    });
    upstream.on('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: () => {
      isHolding = true;
    },
    get cancelled() {
      return cancelled;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
