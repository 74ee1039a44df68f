import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** A received call and its result. Times are `performance.now()`. */
export interface ModelCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  readonly at: number;
  /** When the client disconnected before the end of the response. */
  readonly disconnectedAt: number | undefined;
  /** When the response was complete. */
  readonly endedAt: number | undefined;
  /** Why the request was invalid, if it was. */
  readonly error: string | undefined;
}

/** An emulator of a model provider, on a free port of this machine. */
export interface ModelServer<Turn> {
  readonly origin: string;
  /** All calls since the start or the last `play`, including rejected ones. */
  readonly calls: readonly ModelCall[];
  /** The number of running responses. */
  readonly open: number;
  /** Clears the calls. The next calls get these responses in order, and then the last one. */
  play(...turns: readonly Turn[]): void;
  stop(): Promise<void>;
}

/** An error that the emulator returns in the provider's format. */
export class ModelError extends Error {
  readonly status: number;
  readonly type: string;

  constructor(status: number, type: string, message: string) {
    super(message);
    this.status = status;
    this.type = type;
  }
}

/** Writes a response. */
export interface ResponseWriter {
  /** Aborts when the client disconnects. */
  readonly disconnected: AbortSignal;
  json(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void;
  /** Sends a server-sent event. The first one starts the stream. */
  event(data: unknown, name?: string): void;
  end(): void;
  /** Closes the connection. */
  cut(): void;
  /** Waits. Ends early when the client disconnects. */
  wait(ms: number): Promise<void>;
  /** Waits until the client disconnects. */
  silence(): Promise<void>;
}

export interface ModelServerOptions<Turn> {
  /** Checks the call and sends the scripted response. Throws `ModelError`. */
  answer(call: ModelCall, turn: Turn, writer: ResponseWriter): Promise<void>;
  /** Returns the body of an error response in the provider's format. */
  errorBody(error: ModelError): unknown;
  /** The responses before the first `play`. */
  readonly first: Turn;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Serves scripted responses in the provider's format. */
export async function startModelServer<Turn>(options: ModelServerOptions<Turn>): Promise<ModelServer<Turn>> {
  let calls: ModelCall[] = [];
  let turns: readonly Turn[] = [options.first];
  let played = 0;
  let open = 0;

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const at = performance.now();
    const received = await text(request);
    const call: Mutable<ModelCall> = {
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: request.headers,
      body: received === '' ? {} : JSON.parse(received),
      at,
      disconnectedAt: undefined,
      endedAt: undefined,
      error: undefined,
    };
    calls.push(call);
    open += 1;
    const disconnected = new AbortController();
    response.on('close', () => {
      open -= 1;
      if (response.writableFinished) call.endedAt = performance.now();
      else call.disconnectedAt = performance.now();
      disconnected.abort();
    });
    const writer = createWriter(response, disconnected.signal);
    try {
      // A rejected call does not use a response.
      const turn = turns[Math.min(played, turns.length - 1)] ?? options.first;
      if (call.method === 'POST') played += 1;
      await options.answer(call, turn, writer);
    } catch (cause) {
      const error = cause instanceof ModelError ? cause : new ModelError(500, 'api_error', String(cause));
      call.error = error.message;
      writer.json(error.status, options.errorBody(error));
    }
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The emulator has no port.');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    get calls() {
      return calls;
    },
    get open() {
      return open;
    },
    play(...next) {
      calls = [];
      played = 0;
      turns = next;
    },
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function createWriter(response: ServerResponse, disconnected: AbortSignal): ResponseWriter {
  const wait = async (ms: number) => {
    if (ms > 0) await pause(ms, undefined, { signal: disconnected }).catch(() => undefined);
  };
  return {
    disconnected,
    json(status, body, headers = {}) {
      if (response.headersSent) return response.destroy();
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    },
    event(data, name) {
      if (disconnected.aborted) return;
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
      const line = typeof data === 'string' ? data : JSON.stringify(data);
      response.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${line}\n\n`);
    },
    end: () => response.end(),
    cut() {
      if (!response.headersSent) response.destroy();
      // Send what was already written first.
      else response.write('\n', () => response.destroy());
    },
    wait,
    silence: () =>
      new Promise((resolve) => {
        if (disconnected.aborted) resolve();
        disconnected.addEventListener('abort', () => resolve(), { once: true });
      }),
  };
}

/** A fault instead of a response, for every provider. */
export type ModelFault =
  /** A response with this status; `retryAfter` is the header. */
  | { readonly kind: 'status'; readonly status: number; readonly type: string; readonly retryAfter?: string }
  /** Never responds; ends when the client disconnects. */
  | { readonly kind: 'silence' }
  /** Closes the connection before the response. */
  | { readonly kind: 'cut' };

/** A fault in the middle of a stream. */
export type StreamFault =
  /** An error event. */
  | { readonly afterPieces: number; readonly kind: 'error'; readonly type: string }
  /** The connection closes. */
  | { readonly afterPieces: number; readonly kind: 'cut' }
  /** Sends nothing more; ends when the client disconnects. */
  | { readonly afterPieces: number; readonly kind: 'silence' };

/** Splits a text into parts of this many characters. */
export function piecesOf(text: string, length: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += length) pieces.push(text.slice(at, at + length));
  return pieces;
}
