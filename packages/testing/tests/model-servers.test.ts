import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AnthropicTurn, type ModelServer, type OpenAiTurn, startAnthropicServer, startOpenAiServer } from '#index';

let claude: ModelServer<AnthropicTurn>;
let gpt: ModelServer<OpenAiTurn>;

beforeAll(async () => {
  claude = await startAnthropicServer({ apiKey: 'key', models: { 'claude-test': 1_000 } });
  gpt = await startOpenAiServer({ apiKey: 'key', models: { 'gpt-test': {} } });
});
afterAll(() => Promise.all([claude.stop(), gpt.stop()]));

const send = (origin: string, path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${origin}${path}`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer key',
      'content-type': 'application/json',
      'anthropic-version': '2026-10-21',
      ...headers,
    },
    body: JSON.stringify(body),
  });
const user = (content: unknown = 'Hi') => ({ role: 'user', content });
const useTool = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: {} }] };
const tools = [{ name: 'look', input_schema: { type: 'object' } }];
const searchResult = (enabled: boolean) => ({
  type: 'search_result',
  source: 'x',
  title: 'X',
  content: [{ type: 'text', text: 'x' }],
  citations: { enabled },
});
const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });

describe("the emulator of Anthropic's Messages", () => {
  const ask = (body: object, headers = {}) =>
    send(
      claude.origin,
      '/v1/messages',
      { model: 'claude-test', max_tokens: 10, stream: true, messages: [user()], ...body },
      headers,
    );

  it('streams a response to a valid request', async () => {
    const answer = await ask({ system: [text('Be brief.')], tools });
    expect(answer.status).toBe(200);
    const events = [...(await answer.text()).matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
    expect(new Set(events)).toEqual(
      new Set([
        'message_start',
        'ping',
        'content_block_start',
        'content_block_delta',
        'content_block_stop',
        'message_delta',
        'message_stop',
      ]),
    );
  });

  it.each([
    ['a sampling parameter', { temperature: 1 }],
    ['an unknown field', { n: 2 }],
    ['a bound that the model does not have', { max_tokens: 1_001 }],
    ['no messages', { messages: [] }],
    ['the same role twice', { messages: [user(), user()] }],
    ['a prefill', { messages: [user(), { role: 'assistant', content: 'Well' }] }],
    ['a blank text', { messages: [user([text(' ')])] }],
    ['citations on text of the user', { messages: [user([text('x', { citations: [{ type: 'char_location' }] })])] }],
    ['citations for some results alone', { messages: [user([searchResult(true), searchResult(false), text('x')])] }],
    ['a call without a result', { tools, messages: [user(), useTool, user()] }],
    ['a result without a call', { messages: [user([{ type: 'tool_result', tool_use_id: 't1', content: 'x' }])] }],
    [
      'a result behind a text',
      { tools, messages: [user(), useTool, user([text('x'), { type: 'tool_result', tool_use_id: 't1' }])] },
    ],
    [
      'five cache breakpoints',
      { messages: [user(Array.from({ length: 5 }, () => text('x', { cache_control: { type: 'ephemeral' } })))] },
    ],
  ])('rejects %s', async (_what, body) => {
    const answer = await ask(body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
  });

  it('rejects wrong keys, versions and models', async () => {
    expect((await ask({}, { authorization: 'Bearer other' })).status).toBe(401);
    expect((await ask({}, { 'anthropic-version': '2020-01-01' })).status).toBe(400);
    expect((await ask({ model: 'claude-other' })).status).toBe(404);
  });
});

describe("the emulator of OpenAI's Chat Completions", () => {
  const ask = (body: object, headers = {}) =>
    send(gpt.origin, '/v1/chat/completions', { model: 'gpt-test', stream: true, messages: [user()], ...body }, headers);
  const callTool = (json: string) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: json } }],
  });
  const result = { role: 'tool', tool_call_id: 'c1', content: 'x' };

  it('streams a response to a valid request, and reports usage on request', async () => {
    const messages = [{ role: 'system', content: 'x' }, user(), callTool('{}'), result];
    const answer = await (await ask({ messages, stream_options: { include_usage: true } })).text();
    expect(answer).toContain('"usage":{"prompt_tokens":100');
    expect(answer.trimEnd().endsWith('data: [DONE]')).toBe(true);
    expect(await (await ask({})).text()).not.toContain('prompt_tokens');
  });

  it.each([
    ['an unknown field', { top_n: 2 }],
    ['two bounds', { max_tokens: 1, max_completion_tokens: 1 }],
    ['the same role twice', { messages: [user(), user()] }],
    ['instructions that come late', { messages: [user(), { role: 'system', content: 'x' }] }],
    ['a call without a result', { messages: [user(), callTool('{}'), user()] }],
    ['a result without a call', { messages: [user(), result] }],
    ['arguments that are no JSON', { messages: [user(), callTool('{"a'), result] }],
  ])('rejects %s', async (_what, body) => {
    const answer = await ask(body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  });

  it('rejects wrong keys and models', async () => {
    expect((await ask({}, { authorization: 'Bearer other' })).status).toBe(401);
    expect((await ask({ model: 'gpt-other' })).status).toBe(404);
  });
});
