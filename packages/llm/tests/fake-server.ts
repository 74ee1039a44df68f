import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** A response that is sent unchanged, even if it is invalid. */
export interface RawAnswer {
  readonly type?: string;
  readonly body: string;
}

/** A local server that sends the queued responses in order, and then repeats the last one. */
export interface RawServer {
  readonly origin: string;
  /** Calls since the last `put`. */
  readonly calls: number;
  put(...answers: readonly RawAnswer[]): void;
  stop(): Promise<void>;
}

/** Events of Chat Completions, as a stream. */
export const chunks = (...events: readonly unknown[]): RawAnswer => ({
  body: [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'].join(''),
});

/** Returns the deltas of a complete Chat Completions reply, and further events. */
export const deltas = (parts: readonly object[], ...after: readonly object[]): RawAnswer =>
  chunks(
    ...parts.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ...after,
  );

/** Events of Anthropic's Messages, as a stream. */
export const messageEvents = (...events: readonly { readonly type: string; readonly [field: string]: unknown }[]) => ({
  body: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
});

/** Starts a server on a free port. */
export async function startRawServer(): Promise<RawServer> {
  let put: readonly RawAnswer[] = [];
  let calls = 0;
  const server = createServer(async (request, response) => {
    await text(request);
    const { type = 'text/event-stream', body } = put[Math.min(calls, put.length - 1)] ?? { body: '' };
    calls += 1;
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    get calls() {
      return calls;
    },
    put(...answers) {
      calls = 0;
      put = answers;
    },
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
