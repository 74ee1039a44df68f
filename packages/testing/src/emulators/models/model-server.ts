import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** A call that an emulator received, and what became of it. Times are `performance.now()`. */
export interface ModelCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  readonly at: number;
  /** When the client left before the answer's end. */
  readonly leftAt: number | undefined;
  /** When the answer had been given in full. */
  readonly endedAt: number | undefined;
  /** What was wrong with the request, if anything was. */
  readonly refusal: string | undefined;
}

/** An emulator of a model provider, on a free port of this machine. */
export interface ModelServer<Turn> {
  readonly origin: string;
  /** All calls since the start or the last `play`, refused ones too. */
  readonly calls: readonly ModelCall[];
  /** Answers that are being given now. */
  readonly open: number;
  /** Forgets the calls so far; the next ones are answered by these turns in order, and by the last one from then on. */
  play(...turns: readonly Turn[]): void;
  stop(): Promise<void>;
}

/** An error that the checks of an emulator throw, answered in the vendor's form. */
export class ModelRefusal extends Error {
  readonly status: number;
  readonly type: string;

  constructor(status: number, type: string, message: string) {
    super(message);
    this.status = status;
    this.type = type;
  }
}

/** How an answer is written. */
export interface Answering {
  /** Aborted when the client has left. */
  readonly left: AbortSignal;
  json(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void;
  /** One server-sent event; the first one begins the stream. */
  event(data: unknown, name?: string): void;
  end(): void;
  /** Cuts the connection. */
  cut(): void;
  /** Waits; ends early when the client leaves. */
  wait(ms: number): Promise<void>;
  /** Waits until the client leaves. */
  silence(): Promise<void>;
}

export interface ModelServerOptions<Turn> {
  /** Checks the call and answers it by the turn. May throw `ModelRefusal`. */
  answer(call: ModelCall, turn: Turn, answering: Answering): Promise<void>;
  refuse(refusal: ModelRefusal): unknown;
  /** What is played before `play` is called. */
  readonly first: Turn;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Serves a vendor's form by turns. */
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
      leftAt: undefined,
      endedAt: undefined,
      refusal: undefined,
    };
    calls.push(call);
    open += 1;
    const left = new AbortController();
    response.on('close', () => {
      open -= 1;
      if (response.writableFinished) call.endedAt = performance.now();
      else call.leftAt = performance.now();
      left.abort();
    });
    const answering = answeringWith(response, left.signal);
    try {
      // Calls that are refused play no turn.
      const turn = turns[Math.min(played, turns.length - 1)] ?? options.first;
      if (call.method === 'POST') played += 1;
      await options.answer(call, turn, answering);
    } catch (error) {
      const refusal = error instanceof ModelRefusal ? error : new ModelRefusal(500, 'api_error', String(error));
      call.refusal = refusal.message;
      answering.json(refusal.status, options.refuse(refusal));
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

function answeringWith(response: ServerResponse, left: AbortSignal): Answering {
  const wait = async (ms: number) => {
    if (ms > 0) await pause(ms, undefined, { signal: left }).catch(() => undefined);
  };
  return {
    left,
    json(status, body, headers = {}) {
      if (response.headersSent) return response.destroy();
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    },
    event(data, name) {
      if (left.aborted) return;
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
      const line = typeof data === 'string' ? data : JSON.stringify(data);
      response.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${line}\n\n`);
    },
    end: () => response.end(),
    cut() {
      if (!response.headersSent) response.destroy();
      // What was written before is on its way first.
      else response.write('\n', () => response.destroy());
    },
    wait,
    silence: () =>
      new Promise((resolve) => {
        if (left.aborted) resolve();
        left.addEventListener('abort', () => resolve(), { once: true });
      }),
  };
}

/** What a turn may do in place of a whole answer, whoever the vendor is. */
export type ModelFault =
  /** An answer of this status; `retryAfter` is the header as it stands. */
  | { readonly kind: 'status'; readonly status: number; readonly type: string; readonly retryAfter?: string }
  /** Never answers; ends when the client leaves. */
  | { readonly kind: 'silence' }
  /** Cuts the connection before any answer. */
  | { readonly kind: 'cut' };

/** How a streamed answer goes wrong after some of its pieces. */
export type MidStream =
  /** An error event. */
  | { readonly afterPieces: number; readonly kind: 'error'; readonly type: string }
  /** The connection is cut. */
  | { readonly afterPieces: number; readonly kind: 'cut' }
  /** Nothing more comes; ends when the client leaves. */
  | { readonly afterPieces: number; readonly kind: 'silence' };

/** Parts of a text of this many characters. */
export function piecesOf(text: string, length: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += length) pieces.push(text.slice(at, at + length));
  return pieces;
}
