import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { keepFile } from '#http/kept-file';

const LARGE = Buffer.from('export const text = "Thirty days of leave";\n'.repeat(1_000));
const SMALL = Buffer.from('export {};');

let server: Server;
beforeAll(async () => {
  const app = express().get('/large', keepFile(LARGE)).get('/small', keepFile(SMALL));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

/** Not fetch, which decodes by itself. */
async function ask(path: string, headers: IncomingHttpHeaders, method = 'GET') {
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, host: '127.0.0.1', path, method, headers, agent: false }).end();
  const [answer] = await once(asked, 'response');
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
}

describe('a kept file', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, *', 'gzip', gunzipSync],
  ] as const)('is sent to who takes %s in %s', async (accepted, coding, decode) => {
    const { status, headers, bytes } = await ask('/large', { 'accept-encoding': accepted });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-encoding': coding, 'content-length': String(bytes.length) });
    expect(headers.vary).toBe('Accept-Encoding');
    expect(bytes.length).toBeLessThan(LARGE.length / 10);
    expect(decode(bytes)).toEqual(LARGE);
  });

  it.each([undefined, 'identity', 'zstd', 'gzip;q=0'])('is sent as it is to who takes %s', async (accepted) => {
    const { headers, bytes } = await ask('/large', accepted === undefined ? {} : { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'content-length': String(LARGE.length) });
    expect(bytes).toEqual(LARGE);
  });

  it('is not compressed where that saves nothing', async () => {
    const { headers, bytes } = await ask('/small', { 'accept-encoding': 'br' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(bytes).toEqual(SMALL);
  });

  it('has a tag of its own in each form, by which it is not sent again', async () => {
    const forms = ['br', 'gzip', 'identity'];
    const tags = await Promise.all(
      forms.map(async (form) => (await ask('/large', { 'accept-encoding': form })).headers.etag),
    );
    expect(new Set(tags).size).toBe(forms.length);
    for (const [index, form] of forms.entries()) {
      const again = await ask('/large', { 'accept-encoding': form, 'if-none-match': tags[index] });
      expect({ status: again.status, length: again.bytes.length }).toEqual({ status: 304, length: 0 });
      expect(again.headers).toMatchObject({ vary: 'Accept-Encoding', etag: tags[index] });
    }
    expect((await ask('/large', { 'accept-encoding': 'gzip', 'if-none-match': tags[0] })).status).toBe(200);
  });

  it('has the same headers for HEAD, and no bytes', async () => {
    const headers = { 'accept-encoding': 'br' };
    const whole = await ask('/large', headers);
    const head = await ask('/large', headers, 'HEAD');
    expect(head.bytes.length).toBe(0);
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary']) {
      expect({ name, value: head.headers[name] }).toEqual({ name, value: whole.headers[name] });
    }
  });
});
