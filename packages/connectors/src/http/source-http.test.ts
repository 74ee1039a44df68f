import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createEgressGuard, parseEgressAllow } from '@lectern/egress';
import { z } from 'zod';
import { createSourceHttp } from '#http/create-source-http';
import { retryDate } from '#http/retry-after';
import type { SourceHttpOptions } from '#http/source-http';
import { SourceError } from '#source-error';

const guard = createEgressGuard({ allow: parseEgressAllow('127.0.0.1') });
const call = { signal: AbortSignal.timeout(20_000) };
const schema = z.object({ n: z.number() });
let server: Server;
let url: string;
let requests: { authorization: string | undefined; body: string; type: string | undefined }[] = [];
let responses: ((response: ServerResponse) => unknown)[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    requests.push({ authorization: request.headers.authorization, body, type: request.headers['content-type'] });
    const respond = responses.length > 1 ? responses.shift() : responses[0];
    respond?.(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
beforeEach(() => {
  requests = [];
});
afterAll(async () => {
  await guard.close();
  server.closeAllConnections();
  server.close();
});

const ok = (response: ServerResponse) => response.end('{"n":1}');
const status =
  (code: number, headers: Record<string, string> = {}, body = '{"message":"no"}') =>
  (response: ServerResponse) =>
    response.writeHead(code, headers).end(body);
const open = (options: Partial<SourceHttpOptions> = {}) =>
  createSourceHttp({ fetch: guard.fetch, platform: 'Atlas', ...options });
const requestPage = (options: Partial<SourceHttpOptions> = {}) =>
  open(options).json(call, { url, what: 'page 7' }, schema);
const read = async (body: AsyncIterable<Uint8Array>) => {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
};

describe('requests to a source', () => {
  it('retry temporary failures', async () => {
    responses = [status(502), (response) => response.destroy(), status(429, { 'retry-after': '0' }), ok];
    expect((await requestPage()).value).toEqual({ n: 1 });
    expect(requests).toHaveLength(4);
  });

  it('end after four attempts', async () => {
    responses = [status(500)];
    await expect(requestPage()).rejects.toMatchObject({ kind: 'transient', message: expect.stringContaining('Atlas') });
    expect(requests).toHaveLength(4);
  });

  it('do not wait for a long time', async () => {
    responses = [status(429, { 'retry-after': '60' })];
    const before = Date.now();
    const error = await requestPage().catch((reason: SourceError) => reason);
    expect(error).toMatchObject({ kind: 'rate' });
    expect(error instanceof SourceError && error.retryAt ? error.retryAt.getTime() - before : 0).toBeGreaterThan(
      59_000,
    );
    expect(requests).toHaveLength(1);
  });

  it.each([
    [401, 'auth'],
    [403, 'forbidden'],
    [404, 'gone'],
    [410, 'gone'],
    [400, 'invalid'],
    [422, 'invalid'],
    [304, 'invalid'],
  ])('map status %i to %s without a retry', async (code, kind) => {
    responses = [status(code, {}, '')];
    await expect(requestPage()).rejects.toMatchObject({ kind });
    expect(requests).toHaveLength(1);
  });

  it('renew the authorization once', async () => {
    const rejections: boolean[] = [];
    const authorize = async (_call: unknown, rejected: boolean) => {
      rejections.push(rejected);
      return { authorization: rejected ? 'Bearer new' : 'Bearer old' };
    };
    responses = [status(401), ok];
    expect((await requestPage({ authorize })).value).toEqual({ n: 1 });
    expect(requests.map(({ authorization }) => authorization)).toEqual(['Bearer old', 'Bearer new']);
    responses = [status(401)];
    await expect(requestPage({ authorize })).rejects.toMatchObject({ kind: 'auth' });
    expect(rejections).toEqual([false, true, false, true]);
  });

  it('pass all responses to the error reader of the platform, including successful ones', async () => {
    const errorOf: SourceHttpOptions['errorOf'] = ({ status: code, body }) =>
      JSON.stringify(body).includes('wrong') ? new SourceError('invalid', `read ${code}`) : undefined;
    responses = [status(200, {}, '{"error":"wrong"}')];
    await expect(requestPage({ errorOf })).rejects.toMatchObject({ message: 'read 200' });
    responses = [status(403, {}, '{"error":"wrong"}')];
    await expect(requestPage({ errorOf })).rejects.toMatchObject({ message: 'read 403' });
  });

  it('report what is wrong with an unexpected format', async () => {
    responses = [status(200, {}, '{"n":"x"}')];
    await expect(requestPage()).rejects.toMatchObject({ kind: 'invalid', message: expect.stringContaining('"n"') });
    responses = [status(200, {}, '<html>')];
    await expect(requestPage()).rejects.toMatchObject({ kind: 'transient' });
  });

  it('send JSON and form data', async () => {
    responses = [ok];
    const http = open();
    await http.json(call, { url, method: 'POST', body: { a: 'é' } }, schema);
    await http.json(call, { url, method: 'POST', body: new URLSearchParams({ a: 'é' }) }, schema);
    expect(requests).toMatchObject([
      { body: '{"a":"é"}', type: 'application/json' },
      { body: 'a=%C3%A9', type: expect.stringContaining('application/x-www-form-urlencoded') },
    ]);
  });

  it('time out, and stop immediately if the caller cancels', async () => {
    responses = [() => undefined];
    const http = open({ timeoutMs: 50 });
    await expect(http.json(call, { url }, schema)).rejects.toMatchObject({ kind: 'transient' });
    const controller = new AbortController();
    const waiting = open().json({ signal: controller.signal }, { url }, schema);
    controller.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
  });
});

describe('downloads from a source', () => {
  it('are complete, also if compressed', async () => {
    responses = [(response) => response.end('whole')];
    expect(await read((await open().download(call, { url })).value)).toBe('whole');
    responses = [
      (response) => {
        const body = gzipSync('x'.repeat(1000));
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length }).end(body);
      },
    ];
    expect(await read((await open().download(call, { url })).value)).toBe('x'.repeat(1000));
  });

  it.each([
    ['with a length', { 'content-length': '100' }],
    ['in chunks', {}],
  ])('fail if they are interrupted, %s', async (_name, headers) => {
    responses = [
      (response) => {
        response.writeHead(200, headers);
        response.write('half', () => setImmediate(() => response.destroy()));
      },
    ];
    const { value } = await open().download(call, { url });
    await expect(read(value)).rejects.toMatchObject({
      kind: 'transient',
      message: expect.stringContaining('interrupted'),
    });
  });

  it('time out if the source stops sending', async () => {
    responses = [
      (response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half');
      },
    ];
    // On a slow machine even the first bytes can be late, with the same result.
    const text = open({ timeoutMs: 1_000 })
      .download(call, { url })
      .then(({ value }) => read(value));
    await expect(text).rejects.toMatchObject({ kind: 'transient', message: expect.stringContaining('within') });
  });
});

describe('Retry-After', () => {
  it('is parsed as seconds or as a date', () => {
    expect(retryDate('3', 1_000)?.getTime()).toBe(4_000);
    const at = '2026-10-21T07:28:00.000Z';
    expect(retryDate('Wed, 21 Oct 2026 07:28:00 GMT', Date.parse(at) - 1_000)?.toISOString()).toBe(at);
    expect(retryDate('soon')).toBeUndefined();
    expect(retryDate(null)).toBeUndefined();
  });
});
