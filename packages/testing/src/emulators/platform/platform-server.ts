import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Fault } from '#emulators/fault';

/** A received request. */
export interface PlatformRequest {
  readonly method: string;
  /** The decoded path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The raw body. */
  readonly bytes: Uint8Array;
  /** The raw URL of the request line. */
  readonly url: string;
}

export interface PlatformResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Returns the fault for a request; `number` counts from 1 since the plan was set. */
export type PlatformPlan = (request: PlatformRequest, number: number) => Fault | undefined;

/** An emulator of a platform, on a free port of this machine. */
export interface PlatformServer {
  readonly origin: string;
  /** All requests since the start or the last `forget`, including rejected ones. */
  readonly requests: readonly PlatformRequest[];
  forget(): void;
  /** Sets the faults; none without a plan. */
  fail(plan?: PlatformPlan): void;
  /** Sets a function that ends before each response, to change data between two pages or stop the caller. */
  before(listener?: (request: PlatformRequest) => void | Promise<void>): void;
  /** Changes each response before it is sent; undefined for no change. */
  rewrite(change?: (answer: PlatformResponse, request: PlatformRequest) => PlatformResponse): void;
  /** The HTTP server, for other protocols on its port. */
  readonly http: Server;
  stop(): Promise<void>;
}

export interface Platform {
  answer(request: PlatformRequest): PlatformResponse | Promise<PlatformResponse>;
  /** Returns an error in the platform's format. */
  refuse(status: number, message: string): PlatformResponse;
}

export const jsonResponse = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
  body: JSON.stringify(value),
});

/** A response that handlers throw. */
export class PlatformError extends Error {
  readonly answer: PlatformResponse;

  constructor(answer: PlatformResponse) {
    super(`refused with ${answer.status}`);
    this.answer = answer;
  }
}

/** Serves a platform with planned faults. */
export async function startPlatformServer(platform: Platform): Promise<PlatformServer> {
  const requests: PlatformRequest[] = [];
  let plan: PlatformPlan = () => undefined;
  let planned = 0;
  let rewrite: (answer: PlatformResponse, request: PlatformRequest) => PlatformResponse = (answer) => answer;
  let listener: (request: PlatformRequest) => void | Promise<void> = () => undefined;

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const url = new URL(incoming.url ?? '/', 'http://emulator');
    const content = await buffer(incoming);
    const request: PlatformRequest = {
      method: incoming.method ?? 'GET',
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      headers: incoming.headers,
      body: content.toString('utf8'),
      bytes: content,
      url: incoming.url ?? '/',
    };
    requests.push(request);
    planned += 1;
    const fault = plan(request, planned);
    await listener(request);
    if (fault?.kind === 'silence') return;
    if (fault?.kind === 'status') {
      const errorResponse = platform.refuse(fault.status, 'Injected by the test.');
      const wait = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter };
      return send(response, { ...errorResponse, headers: { ...errorResponse.headers, ...wait } });
    }
    const answer = rewrite(await platform.answer(request), request);
    if (fault?.kind === 'gibberish') return send(response, { status: 200, body: '<html>welcome</html>' });
    if (fault?.kind !== 'truncated') return send(response, answer);
    const bytes = Buffer.from(answer.body);
    response.writeHead(answer.status, { ...answer.headers, 'content-length': bytes.length });
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  };

  const server = createServer({ maxHeaderSize: 65_536 }, (incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      if (error instanceof PlatformError) return send(response, error.answer);
      send(response, platform.refuse(500, error instanceof Error ? error.message : 'failed'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The emulator has no port.');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    http: server,
    requests,
    forget: () => {
      requests.length = 0;
    },
    fail: (next = () => undefined) => {
      plan = next;
      planned = 0;
    },
    before: (next = () => undefined) => {
      listener = next;
    },
    rewrite: (next = (answer) => answer) => {
      rewrite = next;
    },
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(response: ServerResponse, { status, headers = {}, body }: PlatformResponse): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}
