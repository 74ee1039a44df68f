import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { respond, respondWithEvents, startServer, type TestServer } from '@lectern/testing/fake-api';
import { Lectern } from '../src/index.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.stop());

const connect = () => new Lectern({ baseUrl: server.url, key: 'lectern_sk_x', teamId: 'team_1' });

const USAGE = { promptTokens: 1, completionTokens: 2, totalTokens: 3 };
const CONFIDENCE = { score: 0.9, label: 'high' };
const REPLY: readonly (readonly [string, object])[] = [
  ['message_start', { id: 'msg_1', conversationId: 'conv_1' }],
  ['content_delta', { delta: 'Thirty ' }],
  ['content_delta', { delta: 'days [1].' }],
  ['sources', { sources: [{ id: 'doc_1', title: 'Leave' }] }],
  ['message_end', { usage: USAGE, answer_confidence: CONFIDENCE }],
];
const RUN: readonly (readonly [string, object])[] = [
  ['run_start', { runId: 'run_1', conversationId: 'conv_1' }],
  ['content', { content: 'Thirty days.' }],
  ['run_complete', { usage: USAGE }],
];

describe('the stream of a reply', () => {
  beforeEach(() => {
    server.handle = (_request, response) => respondWithEvents(response, ...REPLY);
  });

  it('can be read as text', async () => {
    const pieces: string[] = [];
    for await (const piece of connect().chat.stream({ message: 'Leave?' }).text()) pieces.push(piece);
    expect(pieces).toEqual(['Thirty ', 'days [1].']);
  });

  it('can be read as a complete reply', async () => {
    expect(await connect().chat.stream({ message: 'Leave?' }).final()).toEqual({
      id: 'msg_1',
      conversationId: 'conv_1',
      content: 'Thirty days [1].',
      sources: [{ id: 'doc_1', title: 'Leave' }],
      answer_confidence: CONFIDENCE,
      usage: USAGE,
    });
  });

  it('can be read once', async () => {
    const stream = connect().conversations.streamRegenerate('conv_1');
    await stream.final();
    await expect(stream.final()).rejects.toThrow('Was it read before?');
  });

  it('ends when the loop over its events ends', async () => {
    const stream = connect().chat.stream({ message: 'Leave?' });
    for await (const { event } of stream) {
      expect(event).toBe('message_start');
      break;
    }
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });
});

describe('the stream of a run', () => {
  it('can be read as text and as a finished run', async () => {
    server.handle = (_request, response) => respondWithEvents(response, ...RUN);
    const { agents } = connect();
    expect(await agents.execute('agt_1', { message: 'Leave?' }).final()).toEqual({
      runId: 'run_1',
      conversationId: 'conv_1',
      content: 'Thirty days.',
      usage: USAGE,
    });
    const pieces: string[] = [];
    for await (const piece of agents.execute('agt_1', { message: 'Leave?' }).text()) pieces.push(piece);
    expect(pieces).toEqual(['Thirty days.']);
  });
});

describe('a client without options', () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  it('uses the URL and the key of the environment', async () => {
    Object.assign(process.env, { LECTERN_URL: server.url, LECTERN_KEY: 'lectern_sk_env' });
    server.handle = (_request, response) =>
      respond(response, 200, { data: [], meta: { page: 1, limit: 20, total: 0 } });
    await new Lectern().collections.list();
    expect(server.requests.at(-1)?.headers['x-service-key']).toBe('lectern_sk_env');
    // A URL of the program never gets the key of another server.
    await new Lectern({ baseUrl: server.url }).collections.list();
    expect(server.requests.at(-1)?.headers['x-service-key']).toBeUndefined();
  });

  it('is rejected if the environment has no URL', () => {
    delete process.env.LECTERN_URL;
    expect(() => new Lectern()).toThrow('set LECTERN_URL and LECTERN_KEY');
  });
});
