import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Handler = (seen: Seen, response: ServerResponse, count: number) => void;

/** A server on a free port that keeps what it was sent. Only for what Lectern does when it fails; the rest is tried against Lectern. */
export interface TestServer {
  readonly url: string;
  readonly seen: Seen[];
  handle: Handler;
  stop(): Promise<void>;
}

export async function startServer(): Promise<TestServer> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const got = { method, url, headers, body: Buffer.concat(chunks).toString() };
    seen.push(got);
    state.handle(got, response, seen.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const state: TestServer = {
    url: `http://127.0.0.1:${port}`,
    seen,
    handle: (_seen, response) => answer(response, 200, { data: {}, meta: {} }),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return state;
}

/** Answers JSON. */
export function answer(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'req_1', ...headers });
  response.end(JSON.stringify(body));
}

/** Answers an error of the API. */
export function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  const error = { code, message: `It is ${code}.`, details: { issues: [{ path: 'query', message: 'is required' }] } };
  answer(response, status, { error, meta: { requestId: 'req_1' } }, headers);
}

/** Begins a stream of events. */
export function stream(response: ServerResponse, ...events: readonly (readonly [string, object, string?])[]): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (const [event, data, id] of events) {
    response.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}
