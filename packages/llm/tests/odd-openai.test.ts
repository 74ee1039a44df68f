import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChatModel, createModels } from '#index';
import { BUILTIN } from './builtin.ts';
import { chunks, deltas, type RawServer, startRawServer } from './fake-server.ts';
import { ask } from './requests.ts';

let server: RawServer;
let model: ChatModel;

beforeAll(async () => {
  server = await startRawServer();
  model = await createModels(BUILTIN, { openai: { baseUrl: `${server.origin}/v1`, models: ['llama-3'] } }).get(
    'llama-3',
  );
});
afterAll(() => server.stop());

describe('the usage that an OpenAI-compatible server reports', () => {
  const usageAfter = async (usage: unknown) => {
    server.put(deltas([{ content: 'Eighteen weeks.' }], { choices: [], usage }));
    return (await ask(model)).usage;
  };

  it.each([
    {},
    { total_tokens: 18 },
    { prompt_tokens: 5.5, completion_tokens: -1 },
    { prompt_tokens: '12', completion_tokens: '6', total_tokens: '18' },
    { prompt_tokens: 1e15, completion_tokens: null },
  ])('is estimated if it is not a valid token count: %j', async (usage) => {
    expect(await usageAfter(usage)).toEqual(await usageAfter(undefined));
  });

  it('is used as far as it is valid', async () => {
    expect(await usageAfter({ prompt_tokens: 12, total_tokens: 18 })).toEqual({
      promptTokens: 12,
      completionTokens: 6,
    });
    const { completionTokens } = await usageAfter(undefined);
    expect(await usageAfter({ prompt_tokens: 12, total_tokens: 3 })).toEqual({ promptTokens: 12, completionTokens });
  });
});

describe('a reply of an OpenAI-compatible server', () => {
  it('is storable for any response of the server', async () => {
    const call = { name: 'search', arguments: '{"q\\u0000":["a\\u0000b",{"c":"\\ud83d"}]}' };
    server.put(
      deltas([
        { content: 'A \ud83d' },
        { content: '\ude00 B.\u0000 \ud83d' },
        { tool_calls: [{ index: 0, id: 'call\u0000_1', function: call }] },
      ]),
    );
    const reply = await ask(model);
    expect(reply.text).toBe('A 😀 B. \ufffd');
    expect(reply.toolCalls).toMatchObject([{ id: 'call_1', name: 'search', input: { q: ['ab', { c: '\ufffd' }] } }]);
    expect(reply.message?.content).toContainEqual({ type: 'text', text: reply.text });
  });

  it('consists only of the text parts', async () => {
    server.put(
      deltas([
        { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] },
        { content: [{ type: 'text', text: 'Hello ' }, null, { type: 'text' }, { type: 'reference', text: 'x' }] },
        { content: 'there.' },
        { content: 7, refusal: {} },
      ]),
    );
    expect(await ask(model)).toMatchObject({ text: 'Hello there.', stopReason: 'end' });
  });
});

describe('an error within the stream of an OpenAI-compatible server', () => {
  const long = "This model's maximum context length is 8192 tokens.";

  it.each([
    [{ message: long, type: 'BadRequestError', code: 400 }, 'invalid_request'],
    [{ message: long, type: 'invalid_request_error', code: 'context_length_exceeded' }, 'invalid_request'],
    [{ message: 'No such field.', type: 'BadRequestError', code: 400 }, 'upstream_error'],
    [{ message: 'Who are you?', code: '401' }, 'upstream_error'],
  ])('is translated by its code, without a retry: %j', async (error, code) => {
    server.put(chunks({ error }));
    await expect(ask(model)).rejects.toMatchObject({ code });
    expect(server.calls).toBe(1);
  });

  it('is retried if its code is transient', async () => {
    server.put(chunks({ error: { message: 'Later.', code: 503 } }), deltas([{ content: 'Now.' }]));
    expect((await ask(model)).text).toBe('Now.');
  });
});

describe('an OpenAI-compatible server that does not stream', () => {
  const json = (body: unknown) => ({ type: 'application/json', body: JSON.stringify(body) });

  it('can be used', async () => {
    const toolCalls = [
      { id: 'a', type: 'function', function: { name: 'find', arguments: '{"q":1}' } },
      { type: 'function', function: { name: 'read', arguments: { id: 2 } } },
    ];
    const usage = { prompt_tokens: 12, completion_tokens: 6, total_tokens: 18 };
    server.put(
      json({ choices: [{ message: { role: 'assistant', content: 'Eighteen weeks.' }, finish_reason: 'stop' }], usage }),
      json({ choices: [{ message: { content: null, tool_calls: toolCalls }, finish_reason: 'tool_calls' }] }),
    );
    expect(await ask(model)).toMatchObject({
      text: 'Eighteen weeks.',
      stopReason: 'end',
      usage: { promptTokens: 12, completionTokens: 6 },
    });
    expect((await ask(model)).toolCalls).toMatchObject([
      { id: 'a', name: 'find', input: { q: 1 } },
      { name: 'read', input: { id: 2 } },
    ]);
  });

  it.each([
    [json({ error: { message: 'too long', code: 400 } }), 'invalid_request', /too long/],
    [json({ error: { message: 'Who are you?', code: 401 } }), 'upstream_error', /rejected the API key/],
    [json({ detail: 'Not here.' }), 'upstream_error', /event stream/],
    [{ type: 'text/html', body: '<!doctype html><p>Log in' }, 'upstream_error', /event stream/],
    [{ type: 'text/plain', body: '' }, 'upstream_error', /event stream/],
  ])('causes one specific error: %j', async (answer, code, message) => {
    server.put(answer);
    await expect(ask(model)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(server.calls).toBe(1);
  });

  it('can declare its event stream with another content type', async () => {
    server.put({ ...deltas([{ content: 'Eighteen ' }, { content: 'weeks.' }]), type: 'application/json' });
    expect((await ask(model)).text).toBe('Eighteen weeks.');
  });
});
