import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Handler = (request: ReceivedRequest, response: ServerResponse, count: number) => void;

/** A fake server that records requests. It simulates failures; everything else is tested against a real Lectern. */
export interface TestServer {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  handle: Handler;
  stop(): Promise<void>;
}

export async function startServer(): Promise<TestServer> {
  const requests: ReceivedRequest[] = [];
  // Generated queries can be long.
  const server = createServer({ maxHeaderSize: 1024 * 1024 }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const received = { method, url, headers, body: Buffer.concat(chunks).toString() };
    requests.push(received);
    state.handle(received, response, requests.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const state: TestServer = {
    url: `http://127.0.0.1:${port}`,
    requests,
    handle: (_request, response) => respond(response, 200, { data: {}, meta: {} }),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return state;
}

/** Responds with JSON. */
export function respond(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'req_1', ...headers });
  response.end(JSON.stringify(body));
}

/** Responds with an error of the API. */
export function respondWithError(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  const error = {
    code,
    message: `Failed with ${code}.`,
    details: { issues: [{ path: 'query', message: 'is required' }] },
  };
  respond(response, status, { error, meta: { requestId: 'req_1' } }, headers);
}

/** Starts a stream of events. */
export function respondWithEvents(
  response: ServerResponse,
  ...events: readonly (readonly [string, object, string?])[]
): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (const [event, data, id] of events) {
    response.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}
