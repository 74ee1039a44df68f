import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@lectern/service-kit';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ BODY_TIMEOUT_MS: '300', MAX_SMALL_JSON_BYTES: '65536' });
});
afterAll(() => gateway.stop());
afterEach(() => {
  gateway.services.failWith = undefined;
});

/** Sends raw bytes and returns everything received until the connection is closed. */
async function exchange(...bytes: string[]): Promise<string> {
  const socket = connect(gateway.port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  socket.on('error', () => undefined);
  for (const part of bytes) socket.write(part);
  await once(socket, 'close');
  return text;
}

describe('a page of another origin', () => {
  it('can send a preflight request without a key', async () => {
    const headers = {
      Origin: 'https://example.com',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-service-key, content-type',
    };
    const response = await gateway.send('OPTIONS', '/api/v1/search', { key: null, headers });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    expect(response.headers.get('access-control-allow-headers')).toContain('X-Service-Key');
    expectError(await gateway.send('OPTIONS', '/api/v1/nothing', { key: null, headers }), 404, 'not_found');
  });

  it('can read responses, including errors, and their request ids', async () => {
    const response = await gateway.send('GET', '/api/v1/collections', { key: null });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
  });
});

describe('an error of a service', () => {
  it.each([
    ['not_found', 404],
    ['conflict', 409],
    ['forbidden', 403],
    ['upstream_error', 502],
    ['unavailable', 503],
    ['timeout', 504],
    ['rate_limited', 429],
  ] as const)('keeps its code (%s) and gets the documented status', async (code, status) => {
    gateway.services.failWith = new AppError(code, 'The service failed.', { details: { jobId: 'job_1' } });
    const response = await gateway.send('GET', '/api/v1/agents');
    expectError(response, status, code);
    expect(response.json.error).toEqual({ code, message: 'The service failed.', details: { jobId: 'job_1' } });
  });

  it('does not expose its message if it is unexpected', async () => {
    gateway.services.failWith = new TypeError('a secret detail at /srv/app.ts:1:2');
    const response = await gateway.send('GET', '/api/v1/agents');
    expectError(response, 500, 'internal_error');
    expect(response.text).not.toContain('secret');
  });

  it('becomes unavailable if the service cancelled the call', async () => {
    gateway.services.failWith = new AppError('cancelled', 'The request was cancelled.');
    expectError(await gateway.send('GET', '/api/v1/agents'), 503, 'unavailable');
  });
});

describe('an invalid HTTP request', () => {
  const head = (length: number | string) =>
    [
      'POST /api/v1/search HTTP/1.1',
      'Host: x',
      `X-Service-Key: ${gateway.keys.secretKey}`,
      'Content-Type: application/json',
      length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
      '\r\n',
    ].join('\r\n');

  it.each([
    ['no request line', 'nonsense\r\n\r\n'],
    ['headers that are too long', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['no Host header', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['two Host headers', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['an unknown Expect header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: cake\r\n\r\n'],
    ['two body lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ])('gets an error in the usual format (%s)', async (_name, bytes) => {
    const text = await exchange(bytes);
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    const { error, meta } = JSON.parse(text.slice(text.indexOf('\r\n\r\n')));
    expect(error).toEqual({
      code: 'invalid_request',
      message: expect.any(String),
      details: { issues: [{ path: 'request', message: error.message }] },
    });
    expect(meta.requestId).toMatch(/^req_/);
    expect(text).toContain(`\r\nX-Request-Id: ${meta.requestId}\r\n`);
  });

  it('is rejected if its body arrives too slowly', async () => {
    const text = await exchange(head(100), '{"query":');
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(text).toContain('must arrive within 0.3 s');
  }, 15_000);

  it('is rejected as soon as a chunked body exceeds the limit', async () => {
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    const text = await exchange(head('chunked'), chunk, chunk, chunk);
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
  }, 15_000);
});
