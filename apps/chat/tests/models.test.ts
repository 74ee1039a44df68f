import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatEvent, ChatRequest } from '@lectern/contracts';
import {
  type AnthropicTurn,
  callAs,
  createCaller,
  type ModelServer,
  type OpenAiTurn,
  startAnthropicServer,
  startOpenAiServer,
  timeLimit,
  waitUntil,
} from '@lectern/testing';
import { HANDBOOK } from './handbook.ts';
import { startSystem, type TestSystem } from './system.ts';

const caller = createCaller();
const KEY = 'sk-ant-test';
const QUESTION = 'How many weeks of parental leave does a new parent get?';

let system: TestSystem;
let claude: ModelServer<AnthropicTurn>;
let llama: ModelServer<OpenAiTurn>;
let app: Awaited<ReturnType<TestSystem['startAnother']>>;

beforeAll(async () => {
  system = await startSystem();
  claude = await startAnthropicServer({ apiKey: KEY, models: { 'claude-sonnet-5-5': 128_000 } });
  llama = await startOpenAiServer({ models: { 'llama-3': { max_model_len: 32_768 } } });
  app = await system.startAnother(
    {},
    {
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: claude.origin,
      OPENAI_BASE_URL: `${llama.origin}/v1`,
      MODEL_RETRY_MS: 1_000,
    },
  );
  await system.addCollection(caller, 'Handbook', HANDBOOK);
});

afterAll(async () => {
  await app.stop();
  await system.stop();
  await claude.stop();
  await llama.stop();
});

const ask = (rest: Partial<ChatRequest> = {}) => app.chat.chat({ message: QUESTION, ...rest }, callAs(caller));
const openCalls = () => claude.open + llama.open;

describe('chat with provider models', () => {
  it('lists them all and marks the default', async () => {
    const { models } = await app.chat.listModels({}, callAs(caller));
    expect(models.filter(({ isDefault }) => isDefault)).toMatchObject([
      { id: 'claude-sonnet-5-5', provider: 'anthropic' },
    ]);
    expect(models).toContainEqual(
      expect.objectContaining({ id: 'llama-3', provider: 'openai', contextWindow: 32_768 }),
    );
    expect(models).toContainEqual(expect.objectContaining({ id: 'builtin-extractive', recommendedMaxTokens: 100_000 }));
    await expect(ask({ model: 'llama-9' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('llama-3'),
    });
  });

  it('returns the citations of Claude and the usage that Anthropic reports', async () => {
    claude.play({
      kind: 'message',
      blocks: [{ type: 'text', text: 'It is in the handbook.', cites: [{ searchResult: 0 }] }],
      usage: { input: 50, cacheRead: 1_000, output: 9 },
    });
    const reply = await ask();
    expect(claude.calls.map(({ error }) => error)).toEqual([undefined]);
    expect(reply.content).toBe('It is in the handbook. [1]');
    expect(reply.sources).toHaveLength(1);
    expect(reply.usage).toEqual({ promptTokens: 1_050, completionTokens: 9, totalTokens: 1_059 });
  });

  it("resolves a local model's markers", async () => {
    llama.play({ kind: 'message', text: 'It is in the handbook [1].', usage: { prompt: 700, completion: 8 } });
    const reply = await ask({ model: 'llama-3' });
    expect(llama.calls.at(-1)?.error).toBeUndefined();
    expect(reply).toMatchObject({
      content: 'It is in the handbook [1].',
      model: 'llama-3',
      usage: { totalTokens: 708 },
    });
    expect(reply.sources).toHaveLength(1);
  });

  it('reports a persistent overload and an error during a stream', async () => {
    claude.play({ kind: 'status', status: 529, type: 'overloaded_error' });
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
    const fault = { afterPieces: 1, kind: 'error', type: 'api_error' } as const;
    claude.play({ kind: 'message', blocks: [{ type: 'text', text: 'It is in the handbook.' }], fault });
    const events: ChatEvent[] = [];
    const read = async () => {
      for await (const event of app.chat.streamChat({ message: QUESTION }, callAs(caller))) events.push(event);
    };
    await expect(read()).rejects.toMatchObject({ code: 'upstream_error' });
    expect(events.map(({ event }) => event?.$case)).toEqual(['messageStart', 'contentDelta']);
    expect(openCalls()).toBe(0);
  });

  it('cancels the model call within a second after the client disconnects', async () => {
    claude.play({ kind: 'message', blocks: [{ type: 'text', text: 'slow '.repeat(200) }], pauseMs: 20 });
    const abort = new AbortController();
    const read = async () => {
      const options = { ...callAs(caller), signal: abort.signal };
      for await (const { event } of app.chat.streamChat({ message: QUESTION }, options)) {
        if (event?.$case === 'contentDelta') abort.abort();
      }
    };
    const at = performance.now();
    await expect(read()).rejects.toThrow();
    await waitUntil(() => openCalls() === 0, { what: 'the end of the call', timeoutMs: 1_000 });
    expect(claude.calls[0]?.disconnectedAt).toBeDefined();
    expect(performance.now() - at).toBeLessThan(timeLimit(3_000));
  });
});

describe('chat with only a server address configured', () => {
  const defaultsOf = async (other: typeof app) => {
    const { models } = await other.chat.listModels({}, callAs(caller));
    return models.filter(({ isDefault }) => isDefault).map(({ id }) => id);
  };

  it('answers with the first model of the server', async () => {
    const other = await system.startAnother({}, { OPENAI_BASE_URL: `${llama.origin}/v1` });
    llama.play({ kind: 'message', text: 'It is in the handbook [1].' });
    expect(await defaultsOf(other)).toEqual(['llama-3']);
    expect((await other.chat.chat({ message: QUESTION }, callAs(caller))).model).toBe('llama-3');
    await other.stop();
  });

  it('fails while the server is down, but still answers with a model that the request names', async () => {
    const other = await system.startAnother({}, { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', MODEL_RETRY_MS: 0 });
    expect(await defaultsOf(other)).toEqual([]);
    await expect(other.chat.chat({ message: QUESTION }, callAs(caller))).rejects.toMatchObject({ code: 'unavailable' });
    const named = { message: QUESTION, model: 'builtin-extractive' };
    expect((await other.chat.chat(named, callAs(caller))).model).toBe('builtin-extractive');
    await other.stop();
  });
});
