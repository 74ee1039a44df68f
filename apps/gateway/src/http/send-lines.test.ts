import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { sendLines } from '#http/send-lines';

let errors: unknown[] = [];
let close: (() => void) | undefined;
afterEach(() => {
  close?.();
  errors = [];
});

/** Serves records and returns the response before its body is read. */
async function respond(records: () => AsyncIterable<object>) {
  const server = createServer((_request, response) => {
    sendLines(response, records(), (error) => errors.push(error)).catch(() => response.writeHead(500).end());
  });
  close = () => server.close();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const [response] = await once(get({ port, host: '127.0.0.1', agent: false }), 'response');
  return response;
}

describe('JSON Lines', () => {
  it('have one record per line', async () => {
    const response = await respond(async function* () {
      yield { text: 'a\nb' };
      yield { text: 'c' };
    });
    let text = '';
    for await (const part of response) text += part;
    expect(text).toBe('{"text":"a\\nb"}\n{"text":"c"}\n');
  });

  it('are read no faster than the client reads, and end when it disconnects', async () => {
    const ended = Promise.withResolvers<number>();
    const response = await respond(async function* () {
      let sent = 0;
      try {
        for (; sent < 100_000; sent += 1) yield { text: 'x'.repeat(10_000) };
      } finally {
        ended.resolve(sent);
      }
    });
    await once(response, 'readable');
    response.destroy();
    // Buffers of the system hold a few MiB of the gigabyte.
    expect(await ended.promise).toBeLessThan(5_000);
    expect(errors).toEqual([]);
  });

  it('are visibly incomplete if the source fails', async () => {
    const response = await respond(async function* () {
      yield { text: 'a' };
      throw new Error('lost');
    });
    await expect(async () => {
      for await (const _part of response);
    }).rejects.toThrow('aborted');
    expect(errors).toEqual([new Error('lost')]);
  });

  it('do not begin if the source fails before the first record', async () => {
    // biome-ignore lint/correctness/useYield: It fails first.
    const response = await respond(async function* (): AsyncGenerator<object> {
      throw new Error('lost');
    });
    expect(response.statusCode).toBe(500);
    expect(response.headers['content-type']).toBeUndefined();
    expect(errors).toEqual([]);
  });
});
