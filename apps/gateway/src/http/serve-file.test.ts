import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { serveFile } from '#http/serve-file';

const LARGE = Buffer.from('export const text = "Thirty days of leave";\n'.repeat(1_000));
const SMALL = Buffer.from('export {};');

let server: Server;
beforeAll(async () => {
  const app = express().get('/large', serveFile(LARGE)).get('/small', serveFile(SMALL));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

/** Sends a request. fetch would decode the body. */
async function send(path: string, headers: IncomingHttpHeaders, method = 'GET') {
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, host: '127.0.0.1', path, method, headers, agent: false }).end();
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
}

describe('serveFile', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, *', 'gzip', gunzipSync],
  ] as const)('sends a client that accepts %s the encoding %s', async (accepted, coding, decode) => {
    const { status, headers, bytes } = await send('/large', { 'accept-encoding': accepted });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-encoding': coding, 'content-length': String(bytes.length) });
    expect(headers.vary).toBe('Accept-Encoding');
    expect(bytes.length).toBeLessThan(LARGE.length / 10);
    expect(decode(bytes)).toEqual(LARGE);
  });

  it.each([undefined, 'identity', 'zstd', 'gzip;q=0'])(
    'sends the file unencoded to a client that accepts %s',
    async (accepted) => {
      const { headers, bytes } = await send('/large', accepted === undefined ? {} : { 'accept-encoding': accepted });
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'content-length': String(LARGE.length) });
      expect(bytes).toEqual(LARGE);
    },
  );

  it('does not compress a small file', async () => {
    const { headers, bytes } = await send('/small', { 'accept-encoding': 'br' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(bytes).toEqual(SMALL);
  });

  it('has an ETag per encoding, and returns 304 for it', async () => {
    const encodings = ['br', 'gzip', 'identity'];
    const tags = await Promise.all(
      encodings.map(async (encoding) => (await send('/large', { 'accept-encoding': encoding })).headers.etag),
    );
    expect(new Set(tags).size).toBe(encodings.length);
    for (const [index, encoding] of encodings.entries()) {
      const again = await send('/large', { 'accept-encoding': encoding, 'if-none-match': tags[index] });
      expect({ status: again.status, length: again.bytes.length }).toEqual({ status: 304, length: 0 });
      expect(again.headers).toMatchObject({ vary: 'Accept-Encoding', etag: tags[index] });
    }
    expect((await send('/large', { 'accept-encoding': 'gzip', 'if-none-match': tags[0] })).status).toBe(200);
  });

  it('returns the same headers for HEAD, without a body', async () => {
    const headers = { 'accept-encoding': 'br' };
    const whole = await send('/large', headers);
    const head = await send('/large', headers, 'HEAD');
    expect(head.bytes.length).toBe(0);
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary']) {
      expect({ name, value: head.headers[name] }).toEqual({ name, value: whole.headers[name] });
    }
  });
});
