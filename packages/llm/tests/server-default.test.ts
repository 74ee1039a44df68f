import { createServer, type RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type ModelServer, type OpenAiTurn, startOpenAiServer, waitUntil } from '@lectern/testing';
import { createModels, type ModelSettings, type Models } from '#index';
import { BUILTIN } from './builtin.ts';

type Facts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const EMBEDDINGS: Facts = {
  'nomic-embed-text': {},
  'bge-reranker-v2-m3': {},
  'whisper-large-v3': {},
  'intfloat/e5-large': {},
  'stable-diffusion-3': {},
};

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

async function serverOf(models: Facts, more: object = {}): Promise<ModelServer<OpenAiTurn>> {
  const server = await startOpenAiServer({ models, ...more });
  running.push(server);
  return server;
}

/** Starts a plain HTTP server, by default on a free port. */
async function listen(answer: RequestListener, port = 0): Promise<number> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  running.push({ stop });
  return Object(server.address()).port;
}

const modelsOf = (origin: string, settings: ModelSettings = {}): Models =>
  createModels(BUILTIN, { ...settings, openai: { baseUrl: `${origin}/v1`, ...settings.openai } });

describe('the default model if only the base URL of a server is set', () => {
  it('is the first chat model in its list', async () => {
    const { origin } = await serverOf({ ...EMBEDDINGS, 'qwen-3': { max_model_len: 32_768 }, 'llama-3': {} });
    const models = modelsOf(origin);
    expect(await models.default()).toMatchObject({ id: 'qwen-3', provider: 'openai', contextWindow: 32_768 });
    expect((await models.get()).id).toBe('qwen-3');
  });

  it('changes after a restart if the server lists another one first', async () => {
    const facts: Record<string, Record<string, unknown>> = { 'qwen-3': {} };
    const { origin } = await serverOf(facts);
    expect((await modelsOf(origin).get()).id).toBe('qwen-3');
    delete facts['qwen-3'];
    Object.assign(facts, { 'llama-3': {}, 'qwen-3': {} });
    expect((await modelsOf(origin).get()).id).toBe('llama-3');
  });

  it.each([
    ['CHAT_MODEL', { defaultModel: 'llama-3' }, 'llama-3'],
    ['CHAT_MODEL, including the built-in one', { defaultModel: 'builtin-extractive' }, 'builtin-extractive'],
    ['an Anthropic key', { anthropic: { apiKey: 'k' } }, 'claude-sonnet-5-5'],
    ['OPENAI_MODELS', { openai: { models: ['text-embed', 'b', 'a'] } }, 'b'],
  ])('is overridden by %s', async (_name, settings, id) => {
    const { origin } = await serverOf({ 'qwen-3': {}, 'llama-3': {}, a: {}, b: {} });
    expect((await modelsOf(origin, settings).default()).id).toBe(id);
  });

  it('stays the built-in one with only an OpenAI key, which can be meant for embeddings', async () => {
    expect((await createModels(BUILTIN, { openai: { apiKey: 'k' } }).default()).id).toBe('builtin-extractive');
  });

  it.each([
    ['lists nothing', {}, {}],
    ['lists no chat model', EMBEDDINGS, {}],
    ['has no list', {}, { hasNoList: true }],
  ])('is an error that names the settings if the server %s', async (_name, facts, more) => {
    const { origin } = await serverOf(facts, more);
    const models = modelsOf(origin);
    const error = { code: 'upstream_error', message: expect.stringMatching(/OPENAI_BASE_URL.*CHAT_MODEL/) };
    await expect(models.get()).rejects.toMatchObject(error);
    await expect(models.default()).rejects.toMatchObject(error);
    expect((await models.get('builtin-extractive')).id).toBe('builtin-extractive');
  });

  it('is unavailable while the server is down, and available once it is up', async () => {
    const port = await listen(() => undefined);
    await running.pop()?.stop();
    const models = modelsOf(`http://127.0.0.1:${port}`);
    await expect(models.get()).rejects.toMatchObject({ code: 'unavailable' });
    expect((await models.list()).map(({ id }) => id)).toEqual(['builtin-extractive']);
    await listen((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'late', object: 'model' }] }));
    }, port);
    const isThere = () =>
      models.get().then(
        ({ id }) => id === 'late',
        () => false,
      );
    await waitUntil(isThere, { what: 'the late server to be requested again', timeoutMs: 30_000 });
  });

  it('is requested with growing delays while listing fails, however many requests there are', async () => {
    let requestCount = 0;
    const port = await listen((_request, response) => {
      requestCount += 1;
      response.statusCode = 500;
      response.end('broken');
    });
    const models = modelsOf(`http://127.0.0.1:${port}`);
    const codes = await Promise.all(
      Array.from({ length: 50 }, () =>
        models.get().then(
          () => 'ok',
          (error: unknown) => Reflect.get(Object(error), 'code'),
        ),
      ),
    );
    expect(new Set(codes).size).toBe(1);
    expect(['upstream_error', 'unavailable']).toContain(codes[0]);
    for (let n = 0; n < 20; n += 1) await expect(models.get()).rejects.toThrow();
    // Requested once, or twice on a machine that needs more than a second for this test.
    expect(requestCount).toBeLessThan(4);
  });
});
