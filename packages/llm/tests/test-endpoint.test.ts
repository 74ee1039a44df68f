import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AnthropicTurn,
  type ModelServer,
  type OpenAiTurn,
  startAnthropicServer,
  startOpenAiServer,
} from '@lectern/testing';
import { testEndpoint } from '#endpoints/test-endpoint';

const KEY = 'key-of-the-team';
const LONG = 'm'.repeat(201);

let claude: ModelServer<AnthropicTurn>;
let llama: ModelServer<OpenAiTurn>;

beforeAll(async () => {
  claude = await startAnthropicServer({ apiKey: KEY, models: { [LONG]: 1, 'claude-sonnet-5-5': 128_000 } });
  llama = await startOpenAiServer({
    apiKey: KEY,
    models: { [LONG]: {}, 'two\nlines': {}, ' padded': {}, huge: { max_model_len: 2 ** 40 } },
  });
});
afterAll(async () => {
  await claude.stop();
  await llama.stop();
});
afterEach(() => {
  delete process.env.ANTHROPIC_CUSTOM_HEADERS;
  delete process.env.OPENAI_CUSTOM_HEADERS;
});

const test = (provider: 'anthropic' | 'openai', baseUrl: string) =>
  testEndpoint({ name: 'Own', provider, baseUrl }, KEY, { fetch, model: undefined }, new AbortController().signal);

describe('an endpoint of a team', () => {
  it('does not receive the headers that the operator sends to providers', async () => {
    const headers = 'X-Proxy-Token: operator-secret\nAuthorization: Bearer operator-secret\nx-api-key: operator-secret';
    process.env.ANTHROPIC_CUSTOM_HEADERS = headers;
    process.env.OPENAI_CUSTOM_HEADERS = headers;
    claude.play({ kind: 'message', blocks: [{ type: 'text', text: 'OK' }] });
    expect(await test('anthropic', claude.origin)).toMatchObject({ error: undefined, listError: undefined });
    llama.play({ kind: 'message', text: 'OK' });
    expect(await test('openai', `${llama.origin}/v1`)).toMatchObject({ error: undefined, listError: undefined });
    const sent = [...claude.calls, ...llama.calls].map((call) => JSON.stringify(call.headers));
    expect(sent).toHaveLength(4);
    for (const call of sent) {
      expect(call).not.toContain('operator-secret');
      expect(call).toContain(KEY);
    }
  });

  it('lists only names and context windows that a team can store', async () => {
    claude.play({ kind: 'message', blocks: [{ type: 'text', text: 'OK' }] });
    expect((await test('anthropic', claude.origin)).models.map(({ id }) => id)).toEqual(['claude-sonnet-5-5']);
    llama.play({ kind: 'message', text: 'OK' });
    expect((await test('openai', `${llama.origin}/v1`)).models).toEqual([{ id: 'huge', contextWindow: 10_000_000 }]);
  });
});
