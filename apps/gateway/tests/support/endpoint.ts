import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A request that the endpoint received. */
export interface ReceivedEvent {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read payloads of every type
  readonly payload: any;
}

/** An endpoint that receives events. */
export interface Endpoint {
  readonly url: string;
  readonly port: number;
  readonly received: ReceivedEvent[];
  /** Answers each request. */
  respond: (response: ServerResponse, request: ReceivedEvent) => void;
  stop(): Promise<void>;
}

/** Starts an endpoint that accepts every event. */
export async function startEndpoint(): Promise<Endpoint> {
  const received: ReceivedEvent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const event = { path: String(request.url), headers: request.headers, body, payload: JSON.parse(body || 'null') };
      received.push(event);
      endpoint.respond(response, event);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const endpoint: Endpoint = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    respond: (response) => response.writeHead(204).end(),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return endpoint;
}

/** Verifies a request with the official library. Throws if the signature is wrong. */
export const verify = (secret: string, { body, headers }: ReceivedEvent): unknown =>
  new Webhook(secret).verify(body, {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  });

/** Answers with a status. */
export const withStatus =
  (status: number, body = '', headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end(body);

/** Closes the connection without a response. */
export const dropConnection = (response: ServerResponse): void => {
  if (response.socket instanceof Socket) response.socket.destroy();
};
