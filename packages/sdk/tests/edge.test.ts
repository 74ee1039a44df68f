import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { SourceTextModule } from 'node:vm';
import { EdgeVM } from '@edge-runtime/vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { respond, respondWithEvents, startServer, type TestServer } from '@lectern/testing/fake-api';

const BUILD = fileURLToPath(new URL('../tools/build.ts', import.meta.url));
const BUILD_MS = 240_000;
const KEY = `lectern_sk_${'A'.repeat(43)}2ipN78`;

/** Runs in the edge runtime with the built package, without any Node API. */
const PROGRAM = `
import { Lectern, LecternError } from './index.js';

export async function program(baseUrl, key) {
  const lectern = new Lectern({ baseUrl, key, teamId: 'team_1', sign: true, maxRetries: 0 });
  const collection = await lectern.collections.create({ name: 'Bücher' });
  const events = [];
  for await (const { event, data } of lectern.chat.stream({ message: 'Hi' })) events.push([event, data]);
  let failure;
  try {
    await lectern.collections.get('col_2');
  } catch (error) {
    failure = [error instanceof LecternError, error.code];
  }
  return JSON.stringify({ collection, events, failure, hasProcess: typeof process !== 'undefined' });
}
`;

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-sdk-'));
  await promisify(execFile)(process.execPath, [BUILD, folder], { timeout: BUILD_MS });
  server = await startServer();
}, BUILD_MS);
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Loads ES modules into an edge runtime, which natively runs only scripts. */
async function load(edge: EdgeVM, program: string): Promise<Record<string, (...args: unknown[]) => Promise<string>>> {
  const known = new Map<string, SourceTextModule>();
  const moduleAt = async (url: string): Promise<SourceTextModule> => {
    const found = known.get(url) ?? new SourceTextModule(await readFile(new URL(url), 'utf8'), options(url));
    known.set(url, found);
    return found;
  };
  const options = (identifier: string) => ({ identifier, context: edge.context });
  const entry = new SourceTextModule(program, options(pathToFileURL(join(folder, 'program.js')).href));
  await entry.link((specifier, { identifier }) => moduleAt(new URL(specifier, identifier).href));
  await entry.evaluate();
  return entry.namespace as Record<string, (...args: unknown[]) => Promise<string>>;
}

describe('the SDK in an edge runtime', () => {
  it('sends signed requests, streams and distinguishes errors', async () => {
    const sent = [
      ['message_start', { id: 'msg_1', conversationId: 'conv_1' }],
      ['content_delta', { delta: 'Hello.' }],
      ['message_end', { usage: { totalTokens: 3 } }],
    ] as const;
    server.handle = ({ url, method }, response) => {
      if (url.endsWith('/chat/stream')) respondWithEvents(response, ...sent);
      else if (method === 'POST') respond(response, 201, { data: { id: 'col_1' }, meta: {} });
      else respond(response, 404, { error: { code: 'not_found', message: 'No.' }, meta: { requestId: 'req_1' } });
    };
    const { program } = await load(new EdgeVM(), PROGRAM);
    expect(JSON.parse(await program!(server.url, KEY))).toEqual({
      collection: { id: 'col_1' },
      events: sent,
      failure: [true, 'not_found'],
      hasProcess: false,
    });
    for (const { headers, body } of server.requests) {
      const timestamp = String(headers['x-service-timestamp']);
      const expected = createHmac('sha256', KEY).update(`${timestamp}.${body}`).digest('hex');
      expect(headers['x-service-signature']).toBe(expected);
    }
    expect(server.requests).toHaveLength(3);
  });
});
