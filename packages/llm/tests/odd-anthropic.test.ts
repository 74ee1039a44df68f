import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChatModel, createModels } from '#index';
import { BUILTIN } from './builtin.ts';
import { messageEvents, type RawServer, startRawServer } from './fake-server.ts';
import { ask } from './requests.ts';

let server: RawServer;
let model: ChatModel;

beforeAll(async () => {
  server = await startRawServer();
  model = await createModels(BUILTIN, { anthropic: { apiKey: 'sk-ant', baseUrl: server.origin } }).get();
});
afterAll(() => server.stop());

const started = (usage?: unknown) => ({ type: 'message_start', message: { content: [], usage } });
const block = (text: string, index = 0) => [
  { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index },
];
const ended = (usage?: unknown) => [
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
  { type: 'message_stop' },
];

describe('the usage that an Anthropic-compatible server reports', () => {
  const usageAfter = async (first: unknown, last: unknown) => {
    server.put(messageEvents(started(first), ...block('Eighteen weeks.'), ...ended(last)));
    const { usage } = await ask(model);
    expect(server.calls).toBe(1);
    return usage;
  };

  it.each([
    [undefined, undefined],
    [null, null],
    [{ input_tokens: 5.5 }, { output_tokens: -1 }],
    [{ input_tokens: '12' }, { output_tokens: '6' }],
  ])('is estimated if it is not a valid token count: %j, %j', async (first, last) => {
    const usage = await usageAfter(first, last);
    expect(usage.promptTokens).toBeGreaterThan(4);
    expect(usage.promptTokens).toBeLessThan(50);
    expect(usage.completionTokens).toBeGreaterThan(1);
    expect(usage.completionTokens).toBeLessThan(20);
  });

  it('is used as far as it is valid', async () => {
    const usage = await usageAfter({ input_tokens: 12, cache_read_input_tokens: -3, output_tokens: 1 }, {});
    expect(usage).toEqual({ promptTokens: 12, completionTokens: 1 });
    expect(await usageAfter(null, { output_tokens: 6 })).toMatchObject({ completionTokens: 6 });
  });
});

describe('a reply of an Anthropic-compatible server', () => {
  it('is storable for any response of the server', async () => {
    const textDelta = (text: string) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    });
    const write = (partial_json: string) => ({
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json },
    });
    server.put(
      messageEvents(
        started({ input_tokens: 3 }),
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        textDelta('A \ud83d'),
        textDelta('\ude00 B.\u0000 \ud83d'),
        { type: 'content_block_stop', index: 0 },
        {
          type: 'content_block_start',
          index: 1,
          content_block: { type: 'tool_use', id: 'a', name: 'find', input: {} },
        },
        write('{"q":"\\u0000x'),
        write('\\udc00"}'),
        { type: 'content_block_stop', index: 1 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } },
        { type: 'message_stop' },
      ),
    );
    const reply = await ask(model);
    expect(reply.text).toBe('A 😀 B. \ufffd');
    expect(reply.toolCalls).toMatchObject([{ input: { q: 'x\ufffd' } }]);
    expect(JSON.stringify(reply.message)).not.toMatch(/\\u0000|\\ud/);
  });

  it('is read if a block has no text, no start or no end', async () => {
    server.put(
      messageEvents(
        started(null),
        { type: 'content_block_start', index: 0, content_block: { type: 'text' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Eighteen ' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'weeks.' } },
        ...ended(),
      ),
    );
    const reply = await ask(model);
    expect(reply.text).toBe('Eighteen weeks.');
    expect(reply.message?.content[0]).toMatchObject({ data: [{ text: 'Eighteen ' }, { text: 'weeks.' }] });
  });
});
