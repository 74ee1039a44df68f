import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ModelServer, type OpenAiTurn, startOpenAiServer, timeLimit } from '@lectern/testing';
import { type ChatEvent, type ChatModel, createModels, type RetrySettings, type ToolDefinition } from '#index';
import { BUILTIN } from './builtin.ts';
import { ask, called, closed, LAPTOPS, LEAVE, LOST, SOURCES, streamOf, userMessage } from './requests.ts';

const KEY = 'sk-secret-0123456789';
const text = (words: string, more: object = {}): OpenAiTurn => ({ kind: 'message', text: words, ...more });
const busy: OpenAiTurn = { kind: 'status', status: 503, type: 'server_error' };
const tool: ToolDefinition = {
  name: 'search_documents',
  description: 'Finds documents.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
};

let server: ModelServer<OpenAiTurn>;
let model: ChatModel;

beforeAll(async () => {
  server = await startOpenAiServer({ apiKey: KEY, models: { 'llama-3': {}, 'gpt-4o-mini': {}, 'gpt-5.5': {} } });
  model = await modelWith({});
});
afterAll(() => server.stop());

const modelsWith = (retry: Partial<RetrySettings> = {}, apiKey = KEY) =>
  createModels(BUILTIN, { openai: { apiKey, baseUrl: `${server.origin}/v1` }, retry });
const modelWith = (retry: Partial<RetrySettings>, id = 'llama-3') => modelsWith(retry).get(id);

describe('a model on an OpenAI-compatible server', () => {
  it('returns the reply and the usage that the server reports', async () => {
    server.play(text('Eighteen weeks.', { usage: { prompt: 1234, completion: 7 } }));
    const reply = await ask(model, { system: 'Be brief.' });
    expect(reply).toMatchObject({ text: 'Eighteen weeks.', stopReason: 'end', citations: [] });
    expect(reply.usage).toEqual({ promptTokens: 1234, completionTokens: 7 });
    expect(server.calls[0]?.body).toMatchObject({ max_tokens: 500, stream_options: { include_usage: true } });
    expect(server.calls[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('counts tokens itself if the server reports none, exactly for a model of OpenAI', async () => {
    server.play(text('Hello world', { usage: 'none' }));
    const reply = await ask(await modelWith({}, 'gpt-4o-mini'), { messages: [userMessage('How long is leave?')] });
    expect(reply.usage.completionTokens).toBe(2);
    expect(reply.usage.promptTokens).toBeGreaterThanOrEqual(5);
  });

  it('numbers markers by document in order of first citation', async () => {
    server.play(
      text(
        'Laptops are encrypted with FileVault [2]. Lost ones are wiped [3], and leave is paid for weeks. [1, 3] Nothing [9].',
        {
          pieceLength: 3,
        },
      ),
    );
    const reply = await ask(model, { sources: SOURCES });
    expect(reply.text).toBe(
      'Laptops are encrypted with FileVault [1]. Lost ones are wiped [1], and leave is paid for weeks. [2][1] Nothing.',
    );
    expect(reply.citations.map(({ marker, sourceId, passageIndex }) => [marker, sourceId, passageIndex])).toEqual([
      [1, 'doc_laptops', 0],
      [1, 'doc_laptops', 1],
      [2, 'doc_leave', 0],
      [1, 'doc_laptops', 1],
    ]);
    const [encrypted, wiped, paid] = reply.citations;
    expect(encrypted?.quote).toBe('Every laptop is encrypted with FileVault.');
    expect(reply.text.slice(encrypted?.textStart, encrypted?.textEnd)).toBe('Laptops are encrypted with FileVault');
    expect(LOST).toContain(wiped?.quote);
    expect(LEAVE).toContain(paid?.quote);
    expect(JSON.stringify(server.calls[0]?.body)).toContain(LAPTOPS);
  });

  it('does not change code, links and replies without sources', async () => {
    server.play(text('Call `list[1]`, see [1](https://example.com).'), text('It is [1].'));
    expect((await ask(model, { sources: SOURCES })).text).toBe('Call `list[1]`, see [1](https://example.com).');
    expect((await ask(model)).text).toBe('It is [1].');
  });

  it('completes a tool loop with interleaved fragments, bad JSON, calls without ids, and errors', async () => {
    server.play(
      {
        kind: 'message',
        toolCalls: [
          { id: 'call_a', name: tool.name, input: { query: 'laptops that were "lost"' } },
          { name: tool.name, json: '{"query": ' },
        ],
      },
      text('Wiped [1].'),
    );
    const question = userMessage('What happens to lost laptops?');
    const first = await ask(model, { messages: [question], tools: [tool] });
    expect(first.stopReason).toBe('tool_calls');
    expect(first.toolCalls).toMatchObject([
      { id: 'call_a', input: { query: 'laptops that were "lost"' } },
      { id: expect.stringMatching(/^call_/), input: {}, malformed: '{"query": ' },
    ]);
    const results = first.toolCalls.map(({ id, malformed }, at) => ({
      type: 'tool_result' as const,
      callId: id,
      content: malformed ? 'not JSON' : 'found',
      isError: malformed !== undefined,
      ...(at === 0 ? { sources: SOURCES } : {}),
    }));
    const messages = [question, first.message ?? question, { role: 'tool' as const, content: results }];
    const second = await ask(model, { tools: [tool], messages });
    expect(second).toMatchObject({ text: 'Wiped [1].', citations: [{ sourceId: 'doc_leave' }] });
    expect(server.calls.map(({ error }) => error)).toEqual([undefined, undefined]);
  });

  it.each([
    [{ finishReason: 'length' }, 'max_tokens'],
    [{ finishReason: 'content_filter' }, 'refused'],
    [{ refusal: 'I cannot.' }, 'refused'],
    [{ toolCalls: [{ id: 'call_1', name: tool.name }], finishReason: 'stop' }, 'tool_calls'],
    [{ toolCalls: [{ id: 'call_1', name: tool.name, json: '{"q' }], finishReason: 'length' }, 'max_tokens'],
  ])('ends %j with %s', async (turn, expected) => {
    server.play({ kind: 'message', ...turn });
    expect((await ask(model, { tools: [tool] })).stopReason).toBe(expected);
  });

  it.each([
    ['429', { kind: 'status', status: 429, type: 'requests', retryAfter: '0.1' }],
    ['503', busy],
    ['a connection that is cut', { kind: 'cut' }],
    ['an error before the first word', text('x', { fault: { afterPieces: 0, kind: 'error', type: 'server_error' } })],
  ] as const)('retries after %s', async (_what, turn) => {
    server.play(turn, text('Now.'));
    expect((await ask(model)).text).toBe('Now.');
    expect(server.calls).toHaveLength(2);
  });

  it('gives up after repeated overloads', async () => {
    const twoAttempts = await modelWith({ attempts: 2 });
    server.play(busy);
    await expect(ask(twoAttempts)).rejects.toMatchObject({ code: 'unavailable' });
    expect(server.calls).toHaveLength(2);
  });

  it.each([
    ['an error', text('Eighteen weeks of leave.', { fault: { afterPieces: 1, kind: 'error', type: 'server_error' } })],
    ['a cut', text('Eighteen weeks of leave.', { fault: { afterPieces: 1, kind: 'cut' } })],
    ['an end without a reason', text('Eighteen wee', { finishReason: null })],
  ] as const)('fails after %s in the middle of the reply without a retry', async (_what, turn) => {
    server.play(turn);
    const seen: ChatEvent[] = [];
    const read = async () => {
      for await (const event of streamOf(model)) seen.push(event);
    };
    await expect(read()).rejects.toMatchObject({ code: 'upstream_error' });
    expect(seen).toEqual([{ type: 'text', delta: 'Eighteen wee' }]);
    expect(server.calls).toHaveLength(1);
  });

  it('times out when the server sends nothing', async () => {
    const hasty = await modelWith({ idleMs: 150 });
    server.play({ kind: 'silence' });
    await expect(ask(hasty)).rejects.toMatchObject({ code: 'timeout' });
    await closed(server);
  });

  it('ends the call within a second of an abort', async () => {
    for (const turn of [text('slow '.repeat(100), { pauseMs: 20 }), { kind: 'silence' }] as const) {
      server.play(turn);
      const abort = new AbortController();
      const pending = ask(model, {}, abort.signal).catch((error: unknown) => error);
      await called(server);
      const at = performance.now();
      abort.abort();
      expect(await pending).toMatchObject({ code: 'cancelled' });
      await closed(server);
      expect(server.calls[0]?.disconnectedAt).toBeLessThan(at + timeLimit(1_000));
    }
  });

  it('sends reasoning models the parameters that they support', async () => {
    const reasoning = await modelWith({}, 'gpt-5.5');
    server.play(text('Yes.'));
    await ask(reasoning, { tools: [tool] });
    const { body } = server.calls[0] ?? {};
    expect(body).toMatchObject({ max_completion_tokens: 500, reasoning_effort: 'none' });
    expect(body).not.toHaveProperty('max_tokens');
  });

  it('omits a field that the server rejected by name, also in later requests', async () => {
    const old = await startOpenAiServer({ models: { 'llama-3': {} }, unknownFields: ['stream_options', 'max_tokens'] });
    const models = createModels(BUILTIN, { openai: { baseUrl: `${old.origin}/v1` }, defaultModel: 'llama-3' });
    const llama = await models.get();
    old.play(text('Yes.'));
    expect((await ask(llama)).text).toBe('Yes.');
    expect((await ask(llama)).usage.completionTokens).toBeGreaterThan(0);
    expect(old.calls).toHaveLength(4);
    await old.stop();
  });

  it('distinguishes a conversation that is too long from other errors', async () => {
    server.play({ kind: 'status', status: 400, type: 'context_length_exceeded' });
    await expect(ask(model)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('never includes the key in errors or their causes', async () => {
    const models = createModels(BUILTIN, {
      openai: { apiKey: 'sk-other-9876543210', baseUrl: `${server.origin}/v1`, models: ['llama-3'] },
    });
    const error: unknown = await ask(await models.get('llama-3')).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'upstream_error', message: expect.stringContaining('OPENAI_API_KEY') });
    expect(String(error) + String(error instanceof Error ? error.cause : '')).not.toContain('9876543210');
  });
});

describe('the models of a server', () => {
  it('are those it lists, with their windows and without embedding models', async () => {
    const local = await startOpenAiServer({
      models: { 'qwen-3': { max_model_len: 32_768 }, 'gpt-4o': {}, mystery: {}, 'nomic-embed-text': {} },
    });
    const models = createModels(BUILTIN, { openai: { baseUrl: `${local.origin}/v1`, contextWindow: 16_000 } });
    const sizes = (await models.list()).map(({ id, contextWindow, recommendedMaxTokens }) => [
      id,
      contextWindow,
      recommendedMaxTokens,
    ]);
    expect(sizes).toEqual([
      ['builtin-extractive', 128_000, 100_000],
      ['qwen-3', 32_768, 26_214],
      ['gpt-4o', 128_000, 100_000],
      ['mystery', 16_000, 12_800],
    ]);
    await expect(models.get('gpt-0')).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('qwen-3'),
    });
    expect(local.calls).toHaveLength(1);
    await local.stop();
  });

  it('are those of the settings if these name them or if the server has no list', async () => {
    const bare = await startOpenAiServer({ models: {}, hasNoList: true });
    const openai = { baseUrl: `${bare.origin}/v1` };
    expect((await createModels(BUILTIN, { openai }).get('gpt-4o')).info.contextWindow).toBe(128_000);
    const chosen = createModels(BUILTIN, { openai: { ...openai, models: ['a', 'b'] }, defaultModel: 'b' });
    expect(await chosen.default()).toMatchObject({ id: 'b', contextWindow: 8_192 });
    expect((await chosen.list()).map(({ id }) => id)).toEqual(['builtin-extractive', 'b', 'a']);
    await bare.stop();
  });

  it('are unavailable while the server is down, and other models stay available', async () => {
    const models = createModels(BUILTIN, { openai: { baseUrl: 'http://127.0.0.1:1/v1' } });
    expect((await models.list()).map(({ id }) => id)).toEqual(['builtin-extractive']);
    expect((await models.get('builtin-extractive')).id).toBe('builtin-extractive');
    await expect(models.get('llama-3')).rejects.toMatchObject({ code: 'unavailable' });
  });
});
