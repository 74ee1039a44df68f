import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Host, run } from '#run';

const meta = { requestId: 'req_1', timestamp: '2026-11-21T10:00:00.000Z' };
const KEY = { name: 'test', teamId: 'team_1', kind: 'secret', allow_all_collections: true, allowed_collections: [] };

interface FakeResponse {
  readonly status: number;
  /** An object is sent as JSON. */
  readonly body: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

let server: Server;
/** Sent in order; the last one repeats. */
let responses: FakeResponse[];
let requests: string[];
beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const { status, body, headers } = (responses.length > 1 ? responses.shift() : responses[0])!;
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests = [];
});

async function runWith(...args: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const { port } = server.address() as AddressInfo;
  const env = { LECTERN_URL: `http://127.0.0.1:${port}/`, LECTERN_KEY: 'key' };
  const host: Host = { stdin: process.stdin, stdout, stderr, env, signal: new AbortController().signal };
  const code = await run(args, host);
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}

const errorResponse = (status: number, code: string, headers = {}): FakeResponse => ({
  status,
  body: { error: { code, message: 'Something failed.' }, meta },
  headers,
});

const events = (...list: readonly (readonly [string, object])[]): string =>
  list.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');

describe('run', () => {
  it.each([
    [401, 'invalid_key', 3],
    [403, 'forbidden', 3],
    [404, 'not_found', 1],
    [500, 'internal_error', 1],
    [502, 'upstream_error', 4],
  ])('maps HTTP %d %s to exit code %d and prints the message with the request id', async (status, code, exitCode) => {
    responses = [errorResponse(status, code)];
    expect(await runWith('status')).toEqual({
      code: exitCode,
      stdout: '',
      stderr: 'Something failed. (request req_1)\n',
    });
    const { stderr } = await runWith('status', '--json');
    expect(JSON.parse(stderr)).toEqual({ error: { code, message: 'Something failed.', requestId: 'req_1' } });
  });

  it('retries after Retry-After when rate limited, and gives up after four attempts', async () => {
    const limited = errorResponse(429, 'rate_limited', { 'Retry-After': '0' });
    responses = [
      limited,
      limited,
      { status: 200, body: { data: KEY, meta } },
      { status: 200, body: { data: [], meta } },
    ];
    expect((await runWith('status')).code).toBe(0);
    expect(requests.filter((request) => request === 'GET /api/v1/key')).toHaveLength(3);
    requests = [];
    responses = [limited];
    expect((await runWith('status')).code).toBe(4);
    expect(requests).toHaveLength(4);
    requests = [];
    responses = [errorResponse(429, 'rate_limited', { 'Retry-After': '3600' })];
    expect((await runWith('status')).code).toBe(4);
    expect(requests).toHaveLength(1);
  });

  it('does not retry an upload that may have succeeded', async () => {
    const list = (item: object): FakeResponse => ({ status: 200, body: { data: [item], meta } });
    const connector = { id: 'con_1', type: 'upload', collection: 'col_1' };
    responses = [list({ id: 'col_1', name: 'Files' }), list(connector), errorResponse(503, 'unavailable')];
    expect((await runWith('upload', fileURLToPath(import.meta.url), '--collection', 'Files')).code).toBe(4);
    expect(requests.slice(2)).toEqual(['POST /api/v1/connectors/con_1/files/upload']);
  });

  it('rejects redirects and responses that are not from Lectern', async () => {
    responses = [{ status: 302, body: {}, headers: { Location: 'http://127.0.0.1:9/' } }];
    expect((await runWith('status')).code).toBe(4);
    const stderr = 'Unexpected response (HTTP 200). Is this a Lectern server?\n';
    for (const body of [{ hello: 'there' }, '<html>']) {
      responses = [{ status: 200, body }];
      expect(await runWith('status')).toEqual({ code: 1, stdout: '', stderr });
    }
  });

  it.each([
    ['upstream_error', 4],
    ['timeout', 4],
    ['forbidden', 3],
    ['internal_error', 1],
  ])('maps the stream error %s to exit code %d', async (code, exitCode) => {
    responses = [
      { status: 200, body: { data: KEY, meta } },
      { status: 200, body: events(['error', { code, message: 'Something failed.', requestId: 'req_1' }]) },
    ];
    expect(await runWith('chat', 'Hi')).toEqual({
      code: exitCode,
      stdout: '',
      stderr: 'Something failed. (request req_1)\n',
    });
  });

  it('shows the id of a source without a URL', async () => {
    const sources = [{ id: 'doc_1', title: 'Leave', url: '' }];
    responses = [
      { status: 200, body: { data: KEY, meta } },
      {
        status: 200,
        body: events(
          ['content_delta', { delta: 'Thirty days.' }],
          ['sources', { sources }],
          ['message_end', { usage: {}, answer_confidence: null }],
        ),
      },
    ];
    expect(await runWith('chat', 'Hi')).toMatchObject({ code: 0, stdout: 'Thirty days.\n\n[1] Leave  doc_1\n' });
  });
});
