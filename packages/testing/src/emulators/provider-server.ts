import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Fault, FaultPlan } from '#emulators/fault';

/** A received request. */
export interface ReceivedRequest {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** When it arrived, as `performance.now()`. */
  readonly at: number;
}

/** A fake model provider, on a free port of this machine. */
export interface ProviderServer {
  readonly origin: string;
  /** All requests since the start or the last `reset`, including rejected ones. */
  readonly requests: readonly ReceivedRequest[];
  /** The maximum number of concurrent requests. */
  readonly mostAtOnce: number;
  /** Clears the requests, and sets another plan. */
  reset(plan?: FaultPlan): void;
  stop(): Promise<void>;
}

/** An error that handlers throw. */
export class ProviderError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Handles a request. `fault` is a fault in the content of the response. */
export type Answer = (request: ReceivedRequest, fault: Fault | undefined) => unknown;

/** Serves JSON with bearer keys, errors as objects, and planned faults. */
export async function startProviderServer(apiKey: string | undefined, answer: Answer): Promise<ProviderServer> {
  let requests: ReceivedRequest[] = [];
  let plan: FaultPlan = () => undefined;
  let atOnce = 0;
  let mostAtOnce = 0;

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const at = performance.now();
    const body = JSON.parse(await text(incoming));
    const request = { path: incoming.url ?? '/', body, at };
    requests.push(request);
    const fault = plan(requests.length);
    if (apiKey !== undefined && incoming.headers.authorization !== `Bearer ${apiKey}`) {
      return send(response, 401, errorBody(`Incorrect API key provided: ${incoming.headers.authorization}`));
    }
    if (fault?.kind === 'silence') return;
    if (fault?.kind === 'status') {
      const headers = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter };
      return send(response, fault.status, errorBody(`No: ${JSON.stringify(body)}`), headers);
    }
    const answered = JSON.stringify(answer(request, fault));
    if (fault?.kind === 'gibberish') return response.writeHead(200).end('<html>welcome</html>');
    if (fault?.kind !== 'truncated') return send(response, 200, answered);
    response.writeHead(200, { 'content-length': Buffer.byteLength(answered) });
    response.write(answered.slice(0, answered.length / 2), () => response.destroy());
  };

  const server = createServer((incoming, response) => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    response.on('close', () => {
      atOnce -= 1;
    });
    handle(incoming, response).catch((error: unknown) => {
      const status = error instanceof ProviderError ? error.status : 500;
      send(response, status, errorBody(error instanceof Error ? error.message : 'failed'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The emulator has no port.');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    get requests() {
      return requests;
    },
    get mostAtOnce() {
      return mostAtOnce;
    },
    reset: (next = () => undefined) => {
      requests = [];
      mostAtOnce = 0;
      plan = next;
    },
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

/** Like real providers, repeats the input in error messages, including keys and texts. */
function errorBody(message: string): string {
  return JSON.stringify({ error: { message, type: 'invalid_request_error', code: null } });
}
