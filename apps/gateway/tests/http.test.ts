import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@lectern/service-kit';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { expectRefusal } from './support/refusal.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ BODY_TIMEOUT_MS: '300', MAX_SMALL_JSON_BYTES: '65536' });
});
afterAll(() => gateway.stop());
afterEach(() => {
  gateway.services.failWith = undefined;
});

/** Sends bytes as they are and answers all that comes back until the connection is closed. */
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
  it('may ask before it calls, without a key', async () => {
    const headers = {
      Origin: 'https://example.com',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-service-key, content-type',
    };
    const answer = await gateway.send('OPTIONS', '/api/v1/search', { key: null, headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
    expect(answer.headers.get('access-control-allow-headers')).toContain('X-Service-Key');
    expectRefusal(await gateway.send('OPTIONS', '/api/v1/nothing', { key: null, headers }), 404, 'not_found');
  });

  it('may read answers, refusals among them, and their request id', async () => {
    const answer = await gateway.send('GET', '/api/v1/collections', { key: null });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
  });
});

describe('a failure further in', () => {
  it.each([
    ['not_found', 404],
    ['conflict', 409],
    ['forbidden', 403],
    ['upstream_error', 502],
    ['unavailable', 503],
    ['timeout', 504],
    ['rate_limited', 429],
  ] as const)('keeps its code (%s) and has the status of the table', async (code, status) => {
    gateway.services.failWith = new AppError(code, 'It cannot be.', { details: { jobId: 'job_1' } });
    const answer = await gateway.send('GET', '/api/v1/agents');
    expectRefusal(answer, status, code);
    expect(answer.json.error).toEqual({ code, message: 'It cannot be.', details: { jobId: 'job_1' } });
  });

  it('hides the message of an unexpected error', async () => {
    gateway.services.failWith = new TypeError('a secret detail at /srv/app.ts:1:2');
    const answer = await gateway.send('GET', '/api/v1/agents');
    expectRefusal(answer, 500, 'internal_error');
    expect(answer.text).not.toContain('secret');
  });

  it('is unavailable where a service broke the call off', async () => {
    gateway.services.failWith = new AppError('cancelled', 'The request was cancelled.');
    expectRefusal(await gateway.send('GET', '/api/v1/agents'), 503, 'unavailable');
  });
});

describe('what is not good HTTP', () => {
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
    ['no request', 'nonsense\r\n\r\n'],
    ['a head that is too long', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['an unknown Expect', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: cake\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ])('is answered in our own shape (%s)', async (_name, bytes) => {
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

  it('is refused where a body is too slow', async () => {
    const text = await exchange(head(100), '{"query":');
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(text).toContain('must arrive within 0.3 s');
  }, 15_000);

  it('is refused as soon as a body without a length is too large', async () => {
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    const text = await exchange(head('chunked'), chunk, chunk, chunk);
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
  }, 15_000);
});
