import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AnthropicTurn, type ModelServer, startAnthropicServer, timeLimit } from '@lectern/testing';
import {
  type ChatEvent,
  type ChatModel,
  type ChatRequest,
  createModels,
  type RetrySettings,
  type ToolDefinition,
} from '#index';
import { BUILTIN } from './builtin.ts';
import { ask, called, closed, LAPTOPS, LEAVE, SOURCES, streamOf, userMessage } from './requests.ts';

const KEY = 'sk-ant-secret-0123456789';
const text = (words: string, more: object = {}): AnthropicTurn => ({
  kind: 'message',
  blocks: [{ type: 'text', text: words }],
  ...more,
});
const overloaded: AnthropicTurn = { kind: 'status', status: 529, type: 'overloaded_error' };
const tool: ToolDefinition = {
  name: 'search_documents',
  description: 'Finds documents.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
};

let server: ModelServer<AnthropicTurn>;
let model: ChatModel;

beforeAll(async () => {
  server = await startAnthropicServer({ apiKey: KEY, models: { 'claude-sonnet-5-5': 128_000 } });
  model = await modelWith({});
});
afterAll(() => server.stop());

const modelWith = (retry: Partial<RetrySettings>, apiKey = KEY) =>
  createModels(BUILTIN, { anthropic: { apiKey, baseUrl: server.origin }, retry }).get();

describe('a model of Anthropic', () => {
  it('is the default if there is a key, and returns the reply', async () => {
    server.play(text('Eighteen weeks.', { usage: { input: 12, cacheWritten: 300, cacheRead: 2000, output: 7 } }));
    const reply = await ask(model, { system: 'Be brief.' });
    expect(reply).toMatchObject({ text: 'Eighteen weeks.', stopReason: 'end', citations: [], toolCalls: [] });
    expect(reply.usage).toEqual({ promptTokens: 2312, completionTokens: 7 });
    expect(server.calls).toHaveLength(1);
    expect(server.calls[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(server.calls[0]?.body.system).toEqual([
      { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
    ]);
  });

  it.each<[Pick<ChatRequest, 'toolChoice' | 'parallelToolCalls'>, object | undefined]>([
    [{}, undefined],
    [{ toolChoice: 'none' }, { type: 'none' }],
    [{ toolChoice: 'auto' }, { type: 'auto' }],
    [{ toolChoice: 'required' }, { type: 'any' }],
    [
      { toolChoice: 'required', parallelToolCalls: false },
      { type: 'any', disable_parallel_tool_use: true },
    ],
    [{ toolChoice: { name: tool.name } }, { type: 'tool', name: tool.name }],
  ])('sends the choice of tools %j', async (choice, sent) => {
    server.play({ kind: 'message', blocks: [{ type: 'text', text: 'Done.' }] });
    await ask(model, { tools: [tool], ...choice });
    expect(server.calls.map(({ error }) => error)).toEqual([undefined]);
    expect(server.calls[0]?.body.tool_choice).toEqual(sent);
  });

  it('sends a JSON schema in the form that Anthropic supports, and then asks for no citations', async () => {
    server.play(text('{"days": 30}'));
    const schema = {
      type: 'object',
      properties: { days: { type: 'integer', minimum: 0 }, note: { oneOf: [{ type: 'string' }, { type: 'null' }] } },
      required: ['days'],
    };
    const reply = await ask(model, { sources: SOURCES, format: { type: 'json_schema', name: 'leave', schema } });
    expect(server.calls.map(({ error }) => error)).toEqual([undefined]);
    expect(reply.text).toBe('{"days": 30}');
    expect(server.calls[0]?.body.output_config).toMatchObject({
      format: { type: 'json_schema', schema: { additionalProperties: false, required: ['days'] } },
    });
  });

  it.each([
    [{ type: 'json_object' } as const],
    [{ type: 'json_schema', name: 'x', schema: { properties: {} } } as const],
  ])('rejects the format %j as the error of the client', async (format) => {
    server.play(text('{}'));
    await expect(ask(model, { format })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'response_format' }] },
    });
    expect(server.calls).toEqual([]);
  });

  it('puts citations where their claims end, numbered by document in order of first citation', async () => {
    server.play({
      kind: 'message',
      blocks: [
        { type: 'text', text: 'Here it is. ' },
        { type: 'text', text: 'Laptops are encrypted', cites: [{ searchResult: 1 }] },
        { type: 'text', text: ', and ' },
        { type: 'text', text: 'leave is paid.\n\n', cites: [{ searchResult: 0 }, { searchResult: 2 }] },
        { type: 'text', text: 'That is all [7].' },
      ],
    });
    const reply = await ask(model, { sources: SOURCES });
    expect(reply.text).toBe('Here it is. Laptops are encrypted [1], and leave is paid. [2][1]\n\nThat is all.');
    expect(reply.citations.map(({ marker, sourceId, passageIndex }) => [marker, sourceId, passageIndex])).toEqual([
      [1, 'doc_laptops', 0],
      [2, 'doc_leave', 0],
      [1, 'doc_laptops', 1],
    ]);
    const [first, second] = reply.citations;
    expect(reply.text.slice(first?.textStart, first?.textEnd)).toBe('Laptops are encrypted');
    expect(reply.text.slice(second?.textStart, second?.textEnd)).toBe('leave is paid.');
    expect(LAPTOPS).toContain(first?.quote);
    expect(LEAVE).toContain(second?.quote);
  });

  it('drops citations whose words are not in a source', async () => {
    const cites = [
      { searchResult: 0, citedText: 'New parents take up to 30 weeks.' },
      { searchResult: 9, citedText: '' },
    ];
    server.play({ kind: 'message', blocks: [{ type: 'text', text: 'Thirty weeks.', cites }] });
    expect(await ask(model, { sources: SOURCES })).toMatchObject({ text: 'Thirty weeks.', citations: [] });
  });

  it('completes a tool loop with parallel calls, errors, sources, and thinking sent back', async () => {
    server.play(
      {
        kind: 'message',
        blocks: [
          { type: 'thinking', thinking: 'I should look it up.' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'toolu_1', name: tool.name, input: { query: 'laptops "lost"' } },
          { type: 'tool_use', id: 'toolu_2', name: tool.name },
        ],
        usage: { input: 10, output: 20 },
      },
      { kind: 'message', blocks: [{ type: 'text', text: 'Wiped.', cites: [{ searchResult: 0 }] }] },
    );
    const question = userMessage('What happens to lost laptops?');
    const first = await ask(model, { messages: [question], tools: [tool] });
    expect(first).toMatchObject({ text: 'I look.', stopReason: 'tool_calls' });
    expect(first.toolCalls.map(({ id, input }) => [id, input])).toEqual([
      ['toolu_1', { query: 'laptops "lost"' }],
      ['toolu_2', {}],
    ]);
    const second = await ask(model, {
      tools: [tool],
      messages: [
        question,
        first.message ?? question,
        {
          role: 'tool',
          content: [
            { type: 'tool_result', callId: 'toolu_1', content: '1 found', isError: false, sources: SOURCES.slice(1) },
            { type: 'tool_result', callId: 'toolu_2', content: 'query is missing', isError: true },
          ],
        },
      ],
    });
    expect(second.text).toBe('Wiped. [1]');
    expect(second.citations).toMatchObject([{ sourceId: 'doc_laptops', passageIndex: 0 }]);
    expect(server.calls.map(({ error }) => error)).toEqual([undefined, undefined]);
  });

  it('reports a call whose input is not JSON, and drops one that was cut off at the limit', async () => {
    const broken = { type: 'tool_use', id: 'toolu_1', name: tool.name, json: '{"query": "la' } as const;
    server.play({ kind: 'message', blocks: [broken] }, { kind: 'message', blocks: [broken], stopReason: 'max_tokens' });
    expect((await ask(model, { tools: [tool] })).toolCalls).toMatchObject([{ input: {}, malformed: '{"query": "la' }]);
    expect(await ask(model, { tools: [tool] })).toMatchObject({ toolCalls: [], stopReason: 'max_tokens' });
  });

  it.each([
    ['max_tokens', 'max_tokens'],
    ['model_context_window_exceeded', 'max_tokens'],
    ['stop_sequence', 'end'],
    ['refusal', 'refused'],
  ])('ends %s with %s', async (stopReason, expected) => {
    server.play(text('Well', { stopReason }));
    expect((await ask(model)).stopReason).toBe(expected);
  });

  it('continues after a pause, and adds up the usage', async () => {
    server.play(
      text('Part one,', { stopReason: 'pause_turn', usage: { input: 10, output: 2 } }),
      text(' and two.', { usage: { input: 20, output: 3 } }),
    );
    const reply = await ask(model);
    expect(reply).toMatchObject({ text: 'Part one, and two.', usage: { promptTokens: 30, completionTokens: 5 } });
    expect(server.calls[1]?.body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'text', text: 'Part one,' }] },
    ]);
  });

  it.each([
    ['429', { kind: 'status', status: 429, type: 'rate_limit_error', retryAfter: '0.1' }],
    ['529', overloaded],
    ['500', { kind: 'status', status: 500, type: 'api_error' }],
    ['a connection that is cut', { kind: 'cut' }],
    [
      'an error before the first word',
      text('x', { fault: { afterPieces: 0, kind: 'error', type: 'overloaded_error' } }),
    ],
  ] as const)('retries after %s', async (_what, turn) => {
    server.play(turn, text('Now.'));
    expect((await ask(model)).text).toBe('Now.');
    expect(server.calls).toHaveLength(2);
  });

  it('waits for Retry-After, and fails immediately if that exceeds the time limit', async () => {
    server.play({ kind: 'status', status: 429, type: 'rate_limit_error', retryAfter: '1' }, text('Now.'));
    await ask(model);
    const [first, second] = server.calls;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
    server.play({ kind: 'status', status: 429, type: 'rate_limit_error', retryAfter: '3600' });
    await expect(ask(model)).rejects.toMatchObject({ code: 'unavailable' });
    expect(server.calls).toHaveLength(1);
  });

  it('gives up after repeated overloads', async () => {
    server.play(overloaded);
    await expect(ask(await modelWith({ attempts: 2 }))).rejects.toMatchObject({ code: 'unavailable' });
    expect(server.calls).toHaveLength(2);
  });

  it.each([
    ['an error', { kind: 'error', type: 'api_error' }, 'upstream_error'],
    ['an overload', { kind: 'error', type: 'overloaded_error' }, 'unavailable'],
    ['a cut', { kind: 'cut' }, 'upstream_error'],
  ] as const)(
    'fails after %s in the middle of the reply without a retry, and passes on the text before it',
    async (_what, fault, code) => {
      server.play(text('Eighteen weeks of leave.', { fault: { afterPieces: 1, ...fault } }));
      const seen: ChatEvent[] = [];
      const read = async () => {
        for await (const event of streamOf(model)) seen.push(event);
      };
      await expect(read()).rejects.toMatchObject({ code });
      expect(seen).toEqual([{ type: 'text', delta: 'Eighteen wee' }]);
      expect(server.calls).toHaveLength(1);
    },
  );

  it('times out when the provider sends nothing, before the first word and after', async () => {
    const hasty = await modelWith({ idleMs: 150 });
    server.play({ kind: 'silence' });
    await expect(ask(hasty)).rejects.toMatchObject({ code: 'timeout' });
    server.play(text('Eighteen weeks.', { fault: { afterPieces: 1, kind: 'silence' } }));
    await expect(ask(hasty)).rejects.toMatchObject({ code: 'timeout' });
    await closed(server);
  });

  it('ends the call within a second of an abort, whether it streams, waits or is idle', async () => {
    for (const turn of [
      text('slow '.repeat(100), { pauseMs: 20 }),
      { kind: 'silence' },
      { ...overloaded, retryAfter: '20' },
    ] as const) {
      server.play(turn);
      const abort = new AbortController();
      const pending = ask(model, {}, abort.signal).catch((error: unknown) => error);
      await called(server);
      const at = performance.now();
      abort.abort();
      expect(await pending).toMatchObject({ code: 'cancelled' });
      expect(performance.now() - at).toBeLessThan(timeLimit(1_000));
      await closed(server);
      const [call] = server.calls;
      expect(call?.disconnectedAt ?? call?.endedAt ?? Number.NaN).toBeLessThan(at + timeLimit(1_000));
    }
  });

  it('ends the call when the reader leaves the loop', async () => {
    server.play(text('slow '.repeat(100), { pauseMs: 10 }));
    for await (const event of streamOf(model)) if (event.type === 'text') break;
    await closed(server);
    expect(server.calls[0]?.disconnectedAt).toBeDefined();
  });

  it('streams while the model writes', async () => {
    server.play(text('one two three four five six', { pauseMs: 40, pieceLength: 4 }));
    const times: number[] = [];
    for await (const event of streamOf(model)) if (event.type === 'text') times.push(performance.now());
    expect(times.length).toBeGreaterThan(4);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(100);
  });

  it('never includes the key in errors or their causes', async () => {
    server.play({ kind: 'status', status: 400, type: 'invalid_request_error' });
    const other = await modelWith({}, 'sk-ant-other-9876543210');
    const error: unknown = await ask(other).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'upstream_error', message: expect.stringContaining('ANTHROPIC_API_KEY') });
    expect(String(error) + String(error instanceof Error ? error.cause : '')).not.toContain('9876543210');
  });

  it('sends history without old markers, in alternating roles, starting with the user', async () => {
    server.play(text('Yes.'));
    const old = { role: 'assistant', content: [{ type: 'text', text: 'It is paid [1].' }] } as const;
    await ask(model, { messages: [old, userMessage('a'), userMessage('b'), old, userMessage('c')], sources: SOURCES });
    expect(server.calls[0]?.error).toBeUndefined();
    expect(server.calls[0]?.body.messages).toMatchObject([
      { role: 'user', content: [{ text: 'a' }, { text: 'b' }] },
      { role: 'assistant', content: [{ text: 'It is paid.' }] },
      {
        role: 'user',
        content: [{ type: 'search_result' }, { type: 'search_result' }, { type: 'search_result' }, { text: 'c' }],
      },
    ]);
  });

  it('calibrates its token count with the reported usage', async () => {
    const words = 'Some words of a long document. '.repeat(400);
    const before = model.countTokens(words);
    server.play(text('Yes.', { usage: { input: before * 2, output: 1 } }));
    await ask(model, { messages: [userMessage(words)] });
    expect(model.countTokens(words)).toBeGreaterThan(before);
  });
});
