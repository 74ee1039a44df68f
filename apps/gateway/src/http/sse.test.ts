import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AppError, createLogger } from '@lectern/service-kit';
import type { StreamEvent } from '#http/api-response';
import { type StreamOptions, sendStream } from '#http/sse';

const log = createLogger({ service: 'test', level: 'silent' });
let close: (() => void) | undefined;
afterEach(() => close?.());

/** Serves one source as a stream and returns everything that the client receives. */
async function readStream(
  source: () => AsyncIterable<StreamEvent>,
  pingMs: number,
  options: Partial<StreamOptions> = {},
): Promise<string> {
  const stopping = new AbortController().signal;
  const server = createServer(async (_request, response) => {
    await sendStream(response, source(), { terminal: 'end', stopping, log, pingMs, ...options });
  });
  close = () => server.close();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const [response] = await once(get({ port, host: '127.0.0.1', agent: false }), 'response');
  let text = '';
  for await (const part of response) text += part;
  return text;
}

describe('a stream of events', () => {
  it('sends comments while there is no event', async () => {
    const text = await readStream(async function* () {
      yield { event: 'progress', data: {} };
      await new Promise((resolve) => setTimeout(resolve, 120));
      yield { event: 'end', data: {} };
    }, 20);
    expect(text).toMatch(/^event: progress\ndata: \{\}\n\n(: ping\n\n)+event: end\ndata: \{\}\n\n$/);
  });

  it('starts without its first event if that is late, and ends with an error if the source fails later', async () => {
    const started = Promise.withResolvers<void>();
    const rejected = started.promise.then(() => Promise.reject(new AppError('unavailable', 'Away.')));
    const source = () => ({ [Symbol.asyncIterator]: () => ({ next: () => rejected }) });
    const text = await readStream(source, 10_000, { waitMs: 5, onBegin: () => started.resolve() });
    expect(text).toMatch(/^event: error\ndata: \{"code":"unavailable","message":"Away\."/);
  });

  it('closes its source after the last event', async () => {
    let returned = false;
    const text = await readStream(async function* () {
      try {
        yield { event: 'end', data: { text: 'a\nb' } };
        yield { event: 'end', data: {} };
      } finally {
        returned = true;
      }
    }, 10_000);
    expect(text).toBe('event: end\ndata: {"text":"a\\nb"}\n\n');
    expect(returned).toBe(true);
  });
});
