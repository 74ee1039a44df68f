import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatEvent, RunEvent } from '@lectern/contracts';
import { AppError, notFound, type ServiceCall } from '@lectern/service-kit';
import { timeLimit, waitUntil } from '@lectern/testing';
import { parseEvents } from './support/events.ts';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { KNOWN, WHEN_TEXT } from './support/records.ts';

let gateway: TestGateway;
let defaultChat: TestGateway['services']['chat'];
beforeAll(async () => {
  gateway = await startTestGateway();
  defaultChat = gateway.services.chat;
});
afterAll(() => gateway.stop());
afterEach(() => {
  gateway.services.failWith = undefined;
  gateway.services.chat = defaultChat;
});

const json = { message: 'How many days?' };
const path = () => `/api/v1/teams/${gateway.keys.teamId}/chat/stream`;
const start: ChatEvent = {
  id: 'msg_1.0.0',
  event: { $case: 'messageStart', value: { id: 'msg_1', conversationId: 'conv_1' } },
};
const delta = (text: string): ChatEvent => ({
  id: 'msg_1.0.4',
  event: { $case: 'contentDelta', value: { delta: text } },
});

/** Opens a stream without reading it. */
async function open(signal?: AbortSignal) {
  return fetch(gateway.url + path(), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Service-Key': gateway.keys.secretKey },
    body: JSON.stringify(json),
    ...(signal === undefined ? {} : { signal }),
  });
}

const untilAborted = (call: ServiceCall) =>
  new Promise<void>((resolve) => call.signal.addEventListener('abort', () => resolve(), { once: true }));

describe('the stream of a reply', () => {
  it('emits the events of the contract in order', async () => {
    const { status, headers, text } = await gateway.send('POST', path(), { json });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(headers.get('x-accel-buffering')).toBe('no');
    const source = { id: KNOWN.document, title: 'Leave', excerpt: 'Thirty days.', url: 'https://example.com/leave' };
    const signals = { coverageRatio: 0.9, shapeConfidence: 0.8, coverageCompleteness: 1, violationFree: 1 };
    const id = (length: number) => `${KNOWN.message}.0.${length}`;
    expect(parseEvents(text)).toEqual([
      { event: 'message_start', data: { id: KNOWN.message, conversationId: KNOWN.conversation }, id: id(0) },
      { event: 'content_delta', data: { delta: 'Thirty ' }, id: id(7) },
      { event: 'content_delta', data: { delta: 'days [1].\n' }, id: id(17) },
      { event: 'sources', data: { sources: [source] }, id: id(17) },
      {
        event: 'message_end',
        id: id(17),
        data: {
          usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
          answer_confidence: { score: 0.91, label: 'high', signals },
        },
      },
    ]);
  });

  it('is a plain error if it fails before its first event', async () => {
    gateway.services.failWith = notFound('conversation', 'conv_x');
    expectError(await gateway.send('POST', path(), { json }), 404, 'not_found');
    gateway.services.failWith = new AppError('unavailable', 'Unavailable.');
    expectError(await gateway.send('POST', path(), { json }), 503, 'unavailable');
  });

  it.each([
    ['unavailable', true],
    ['upstream_error', true],
    ['invalid_request', false],
  ] as const)('ends with one error event if it fails in the middle (%s)', async (code, retryable) => {
    gateway.services.chat = async function* () {
      yield start;
      yield delta('Thir');
      throw new AppError(code, 'The model failed.');
    };
    const { status, headers, text } = await gateway.send('POST', path(), { json });
    expect(status).toBe(200);
    const events = parseEvents(text);
    expect(events.map(({ event }) => event)).toEqual(['message_start', 'content_delta', 'error']);
    const requestId = headers.get('x-request-id');
    expect(events.at(-1)?.data).toEqual({ code, message: 'The model failed.', retryable, requestId });
  });

  it('hides the message of an unexpected error', async () => {
    gateway.services.chat = async function* () {
      yield start;
      throw new TypeError('a secret detail');
    };
    const { text } = await gateway.send('POST', path(), { json });
    expect(parseEvents(text).at(-1)?.data).toMatchObject({ code: 'internal_error', retryable: false });
    expect(text).not.toContain('secret');
  });

  it('ends with an error event if the service omits the end', async () => {
    gateway.services.chat = async function* () {
      yield start;
    };
    const { text } = await gateway.send('POST', path(), { json });
    expect(parseEvents(text).map(({ event }) => event)).toEqual(['message_start', 'error']);
  });

  it('emits nothing after its end', async () => {
    gateway.services.chat = async function* (call) {
      yield* defaultChat(call);
      yield delta('more');
    };
    const { text } = await gateway.send('POST', path(), { json });
    expect(parseEvents(text).at(-1)?.event).toBe('message_end');
  });

  it('is cancelled at the service when the client disconnects', async () => {
    const aborted = Promise.withResolvers<number>();
    gateway.services.chat = async function* (call) {
      yield start;
      await untilAborted(call);
      aborted.resolve(performance.now());
    };
    const client = new AbortController();
    const response = await open(client.signal);
    await response.body?.getReader().read();
    const disconnectedAt = performance.now();
    client.abort();
    expect((await aborted.promise) - disconnectedAt).toBeLessThan(timeLimit(1_000));
  });

  it('is cancelled at the service when the client disconnects before the first event', async () => {
    const called = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    gateway.services.chat = async function* (call) {
      called.resolve();
      await untilAborted(call);
      aborted.resolve();
      yield start;
    };
    const client = new AbortController();
    const response = open(client.signal);
    await called.promise;
    client.abort();
    await expect(response).rejects.toMatchObject({ name: 'AbortError' });
    await aborted.promise;
  });

  it('waits for a client that reads slowly', async () => {
    const piece = 'x'.repeat(64 * 1024);
    let sent = 0;
    gateway.services.chat = async function* (call) {
      yield start;
      while (sent < 2_000 && !call.signal.aborted) {
        sent += 1;
        yield delta(piece);
      }
    };
    const client = new AbortController();
    await open(client.signal);
    let before = -1;
    await waitUntil(
      async () => {
        const isStalled = sent === before;
        before = sent;
        return isStalled;
      },
      { what: 'the stream to stall', timeoutMs: 20_000, intervalMs: 300 },
    );
    expect(sent).toBeLessThan(1_000);
    client.abort();
  });
});

describe('a stream that resumes after an event', () => {
  it('requests only the events after it', async () => {
    const headers = { 'Last-Event-ID': 'msg_1.0.7' };
    gateway.services.calls.length = 0;
    gateway.services.chat = async function* () {
      yield delta('days.');
      throw new AppError('unavailable', 'The client disconnected.');
    };
    const regenerate = `/api/v1/teams/${gateway.keys.teamId}/conversations/${KNOWN.conversation}/regenerate/stream`;
    for (const [target, body] of [
      [path(), json],
      [regenerate, undefined],
    ] as const) {
      const { text } = await gateway.send('POST', target, { ...(body && { json: body }), headers });
      expect(parseEvents(text).map(({ event }) => event)).toEqual(['content_delta', 'error']);
    }
    const requests = gateway.services.calls.map(({ method, request }) => [method, request]);
    expect(requests).toEqual([
      ['resumeChat', { lastEventId: 'msg_1.0.7' }],
      ['resumeChat', { lastEventId: 'msg_1.0.7' }],
    ]);
  });

  it('is a plain error if the reply is unknown', async () => {
    gateway.services.failWith = notFound('message', 'msg_1');
    const headers = { 'Last-Event-ID': 'msg_1.0.7' };
    expectError(await gateway.send('POST', path(), { json, headers }), 404, 'not_found');
  });
});

describe('the stream of a reply by an agent', () => {
  it('emits the events of the run', async () => {
    gateway.services.chat = async function* () {
      yield start;
      const run = (event: RunEvent['event']): ChatEvent => ({ id: '', event: { $case: 'run', value: { event } } });
      yield run({ $case: 'started', value: { runId: 'run_1', model: 'm', memories: [] } });
      yield run({ $case: 'iteration', value: { number: 1, status: 'planning', documents: [], usage: undefined } });
      yield run({ $case: 'thinking', value: { thought: 'I look.' } });
      const tool = 'search_documents';
      yield run({ $case: 'toolCall', value: { id: 'c', tool, params: { query: 'leave' } } });
      yield run({
        $case: 'toolResult',
        value: { id: 'c', tool, success: true, result: { count: 3 }, durationMs: 4, documents: [] },
      });
      yield {
        id: '',
        event: {
          $case: 'messageEnd',
          value: {
            usage: undefined,
            answerConfidence: undefined,
            model: 'builtin-extractive',
            stopReason: '',
            documents: [],
          },
        },
      };
    };
    const { text } = await gateway.send('POST', path(), { json });
    expect(parseEvents(text).slice(1, -1)).toEqual([
      { event: 'agent_start', data: { iteration: 1 } },
      { event: 'agent_thinking', data: { thought: 'I look.' } },
      { event: 'tool_call', data: { tool: 'search_documents', params: { query: 'leave' } } },
      { event: 'tool_result', data: { tool: 'search_documents', result: { count: 3 } } },
    ]);
  });
});

describe('the stream of a sync job', () => {
  it('emits progress and finally the end, each with the job', async () => {
    const target = `/api/v1/connectors/${KNOWN.connector}/sync/${KNOWN.job}/events`;
    const { text } = await gateway.send('GET', target);
    const job = {
      jobId: KNOWN.job,
      connectorId: KNOWN.connector,
      kind: 'sync',
      mode: 'auto',
      status: 'running',
      progress: { total: 5, collected: 4, parsed: 3, indexed: 2, skipped: 1, deleted: 0, failed: 1 },
      errors: [{ path: 'a.pdf', code: 'encrypted', message: 'The file is encrypted.' }],
      startedAt: WHEN_TEXT,
      completedAt: null,
    };
    expect(parseEvents(text)).toEqual([
      { event: 'progress', data: job },
      { event: 'end', data: { ...job, status: 'completed', completedAt: WHEN_TEXT } },
    ]);
  });
});
