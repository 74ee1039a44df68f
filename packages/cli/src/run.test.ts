import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Host, run } from '#run';

const meta = { requestId: 'req_1', timestamp: '2026-11-21T10:00:00.000Z' };
const KEY = { name: 'test', teamId: 'team_1', kind: 'secret', allow_all_collections: true, allowed_collections: [] };

interface Canned {
  readonly status: number;
  /** JSON, or a text as it is. */
  readonly body: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

let server: Server;
/** Given one after the other; the last one again and again. */
let answers: Canned[];
let asked: string[];
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const { status, body, headers } = (answers.length > 1 ? answers.shift() : answers[0])!;
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
  asked = [];
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

const refusal = (status: number, code: string, headers = {}): Canned => ({
  status,
  body: { error: { code, message: 'It is so.' }, meta },
  headers,
});

const events = (...told: readonly (readonly [string, object])[]): string =>
  told.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');

describe('the program', () => {
  it.each([
    [401, 'invalid_key', 3],
    [403, 'forbidden', 3],
    [404, 'not_found', 1],
    [500, 'internal_error', 1],
    [502, 'upstream_error', 4],
  ])('ends a refusal with %d %s by %d, with its words and the id of the request', async (status, code, exitCode) => {
    answers = [refusal(status, code)];
    expect(await runWith('status')).toEqual({ code: exitCode, stdout: '', stderr: 'It is so. (request req_1)\n' });
    const { stderr } = await runWith('status', '--json');
    expect(JSON.parse(stderr)).toEqual({ error: { code, message: 'It is so.', requestId: 'req_1' } });
  });

  it('waits as long as it is told to when it asks too often, and gives up in the end', async () => {
    const slow = refusal(429, 'rate_limited', { 'Retry-After': '0' });
    answers = [slow, slow, { status: 200, body: { data: KEY, meta } }, { status: 200, body: { data: [], meta } }];
    expect((await runWith('status')).code).toBe(0);
    expect(asked.filter((request) => request === 'GET /api/v1/key')).toHaveLength(3);
    asked = [];
    answers = [slow];
    expect((await runWith('status')).code).toBe(4);
    expect(asked).toHaveLength(4);
    asked = [];
    answers = [refusal(429, 'rate_limited', { 'Retry-After': '3600' })];
    expect((await runWith('status')).code).toBe(4);
    expect(asked).toHaveLength(1);
  });

  it('does not send a change again that may have been carried out', async () => {
    answers = [refusal(503, 'unavailable')];
    expect((await runWith('search', 'leave')).code).toBe(4);
    expect(asked).toEqual(['POST /api/v1/search']);
  });

  it('takes neither a redirect nor an answer of something else for Lectern', async () => {
    answers = [{ status: 302, body: {}, headers: { Location: 'http://127.0.0.1:9/' } }];
    expect((await runWith('status')).code).toBe(4);
    const stderr = 'The server answered 200, and not as Lectern does. Is the address right?\n';
    for (const body of [{ hello: 'there' }, '<html>']) {
      answers = [{ status: 200, body }];
      expect(await runWith('status')).toEqual({ code: 1, stdout: '', stderr });
    }
  });

  it.each([
    ['upstream_error', 4],
    ['timeout', 4],
    ['forbidden', 3],
    ['internal_error', 1],
  ])('ends a reply that fails on its way with %s by %d', async (code, exitCode) => {
    answers = [
      { status: 200, body: { data: KEY, meta } },
      { status: 200, body: events(['error', { code, message: 'It is so.', requestId: 'req_1' }]) },
    ];
    expect(await runWith('chat', 'Hi')).toEqual({ code: exitCode, stdout: '', stderr: 'It is so. (request req_1)\n' });
  });

  it('names a source by its id where it has no address', async () => {
    const sources = [{ id: 'doc_1', title: 'Leave', url: '' }];
    answers = [
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
