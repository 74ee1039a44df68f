import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChatModel, createModels } from '../src/index.ts';
import { ask } from './asking.ts';
import { messageEvents, type RawServer, startRawServer } from './raw-server.ts';

let server: RawServer;
let model: ChatModel;

beforeAll(async () => {
  server = await startRawServer();
  model = await createModels({ anthropic: { apiKey: 'sk-ant', baseUrl: server.origin } }).get();
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

describe("the usage that a server of Anthropic's form reports", () => {
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
  ])('is counted by us where it is no number of tokens: %j, %j', async (first, last) => {
    const usage = await usageAfter(first, last);
    expect(usage.promptTokens).toBeGreaterThan(4);
    expect(usage.promptTokens).toBeLessThan(50);
    expect(usage.completionTokens).toBeGreaterThan(1);
    expect(usage.completionTokens).toBeLessThan(20);
  });

  it('is believed as far as it goes', async () => {
    const usage = await usageAfter({ input_tokens: 12, cache_read_input_tokens: -3, output_tokens: 1 }, {});
    expect(usage).toEqual({ promptTokens: 12, completionTokens: 1 });
    expect(await usageAfter(null, { output_tokens: 6 })).toMatchObject({ completionTokens: 6 });
  });
});
