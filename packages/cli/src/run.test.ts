import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
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
let sent: string[];
beforeAll(async () => {
  server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    sent.push(await text(request));
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
  sent = [];
});

const runWith = (...args: string[]) => runOn({}, ...args);

/** Runs a command on a terminal, or with lines on stdin. */
async function runOn({ columns, input }: { columns?: number; input?: string }, ...args: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  if (columns !== undefined) Object.assign(stdout, { isTTY: true, columns });
  const stdin = input === undefined ? process.stdin : Object.assign(Readable.from([input]), { isTTY: false });
  const { port } = server.address() as AddressInfo;
  const env = { LECTERN_URL: `http://127.0.0.1:${port}/`, LECTERN_KEY: 'key', NO_COLOR: '1' };
  const host: Host = { stdin: stdin as Host['stdin'], stdout, stderr, env, signal: new AbortController().signal };
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

  it.each([
    ['serach', "Unknown command 'serach'. Did you mean search? See: lectern --help"],
    ['search x --limt 3', "Unknown option '--limt'. Did you mean --limit? See: lectern search --help"],
    ['keys crate', "Unknown command 'crate'. Did you mean create? See: lectern keys --help"],
    ['sync', "Missing required argument 'connector'. See: lectern sync --help"],
    ['keys create x --right evrything', '--right must be one of search, chat, '],
    ['search x --limit 0', '--limit must be a whole number from 1 to 100.'],
  ])('rejects `lectern %s` before it sends a request', async (line, message) => {
    const { code, stdout, stderr } = await runWith(...line.split(' '));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.startsWith(message)).toBe(true);
    expect(requests).toEqual([]);
  });

  it('prints its version, and help that fits the terminal', async () => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    expect(await runWith('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    for (const args of [['--help'], ['search', '--help'], ['keys', 'create', '--help'], ['help', 'chat']]) {
      const { code, stdout } = await runOn({ columns: 60 }, ...args);
      expect(code).toBe(0);
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
    }
    expect(await runWith('keys')).toMatchObject({ code: 2, stdout: '' });
  });

  it('breaks excerpts between words on a terminal only', async () => {
    const excerpt = 'Everyone has thirty days of paid leave a year, which end in March.';
    const result = { title: 'Leave', url: null, documentId: 'doc_1', collectionName: 'HR', relevance: 1, excerpt };
    const found = [{ ...result, pinned: false, highlights: [], duplicateCount: 0, synonyms: [] }];
    responses = [{ status: 200, body: { data: { results: found, didYouMean: null }, meta } }];
    expect((await runWith('search', 'leave')).stdout).toContain(`   ${excerpt}\n`);
    const { stdout } = await runOn({ columns: 40 }, 'search', 'leave');
    expect(stdout).toContain('   Everyone has thirty days of paid\n   leave a year, which end in March.\n');
  });

  it('asks several questions in one conversation, and continues after a failed one', async () => {
    const reply = (delta: string): FakeResponse => ({
      status: 200,
      body: events(
        ['message_start', { id: 'msg_1', conversationId: 'conv_1' }],
        ['content_delta', { delta }],
        ['message_end', { usage: {}, answer_confidence: null }],
      ),
    });
    const failed = { status: 200, body: events(['error', { code: 'timeout', message: 'Too slow.', requestId: 'r' }]) };
    responses = [{ status: 200, body: { data: KEY, meta } }, reply('One.'), failed, reply('Three.')];
    const { code, stdout, stderr } = await runOn({ input: 'first\n\nsecond\nthird\n' }, 'chat', '-i');
    expect({ code, stdout: stdout.replaceAll(/\n+/g, ' ') }).toEqual({ code: 0, stdout: 'One. Three. ' });
    expect(stderr).toContain('Too slow.');
    expect(sent.slice(1).map((body) => JSON.parse(body))).toEqual([
      { message: 'first' },
      { message: 'second', conversationId: 'conv_1' },
      { message: 'third', conversationId: 'conv_1' },
    ]);
  });

  it.each([
    ['completed: 1 indexed, 2 skipped, 0 deleted, 0 failed', 0, ['unsupported_format', 'no_text']],
    ['completed with errors: 1 indexed, 1 skipped, 0 deleted, 1 failed', 5, ['unsupported_format', 'encrypted']],
  ])('reports `%s` with exit code %d', async (line, exitCode, codes) => {
    const list = (item: object): FakeResponse => ({ status: 200, body: { data: [item], meta } });
    const errors = codes.map((code, at) => ({ path: `${at}.png`, code, message: 'Something is wrong.' }));
    const progress = { total: 3, collected: 3, parsed: 1, indexed: 1, skipped: 0, deleted: 0, failed: 2 };
    responses = [
      list({ id: 'col_1', name: 'Files' }),
      list({ id: 'con_1', type: 'upload', collection: 'col_1' }),
      { status: 202, body: { data: { jobId: 'job_1', files: [] }, meta } },
      { status: 200, body: events(['end', { jobId: 'job_1', status: 'completed_with_errors', progress, errors }]) },
    ];
    const { code, stdout } = await runWith('upload', fileURLToPath(import.meta.url), '--collection', 'Files');
    expect({ code, line: stdout.split('\n')[0] }).toEqual({ code: exitCode, line });
  });

  it.each([
    ['lectern ', 'login status upload import search chat sync documents agents keys synonyms rules completion'],
    ['lectern se', 'search'],
    ['lectern keys ', 'list create rotate revoke'],
    ['lectern keys create --ex', '--expires'],
    ['lectern search "a b" --mode ', 'hybrid keyword semantic'],
    ['lectern search "a b" --sort ', 'relevance newest oldest'],
    ['lectern search --m', '--mode --min-relevance'],
    ['lectern completion f', 'fish'],
    ['lectern upload ./', ''],
    ['lectern search rules ', ''],
  ])('completes `%s` in bash', async (line, expected) => {
    const { stdout: script } = await runWith('completion', 'bash');
    const ask = `${script}\nCOMP_WORDS=(${line.endsWith(' ') ? `${line} ''` : line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _lectern; echo "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['--noprofile', '--norc', '-c', ask], { timeout: 60_000 });
    expect(stdout.trim()).toBe(expected);
  });
});
