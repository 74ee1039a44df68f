import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { everyNth, type Fault, inOrder, type ProviderServer, startEmbeddingsServer } from '@lectern/testing';
import { createRemoteEncoder } from '#dense/remote/create-remote-encoder';
import { openAiApi } from '#dense/remote/openai-api';
import { voyageApi } from '#dense/remote/voyage-api';
import type { CallLimits } from '#endpoint/endpoint';

const KEY = 'sk-secret-key';
/** Limits for a busy machine. */
const GENEROUS = { attemptMs: 10_000, totalMs: 20_000, attempts: 8 };
/** Limits for calls that always fail. */
const SHORT = { attemptMs: 250, totalMs: 3_000, attempts: 4 };
const concepts = [
  ['holiday', 'vacation'],
  ['laptop', 'computer'],
];

let openai: ProviderServer;
let voyage: ProviderServer;

beforeAll(async () => {
  openai = await startEmbeddingsServer({ form: 'openai', model: 'small', apiKey: KEY, maxTexts: 32, concepts });
  voyage = await startEmbeddingsServer({ form: 'voyage', model: 'voyage-3.5', apiKey: KEY, concepts });
});

afterAll(() => Promise.all([openai.stop(), voyage.stop()]));

beforeEach(() => {
  openai.reset();
  voyage.reset();
});

const openAiEncoder = (overrides: Parameters<typeof openAiApi>[0] = {}, limits: CallLimits = GENEROUS) => {
  const settings = { model: 'small', apiKey: KEY, baseUrl: `${openai.origin}/v1`, ...overrides };
  return createRemoteEncoder(openAiApi(settings), {
    dimensions: settings.dimensions,
    limits: { query: limits, document: limits },
  });
};
const similarity = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);
const texts = (count: number) => Array.from({ length: count }, (_, at) => `passage number ${'x'.repeat(at + 3)}`);

describe('an encoder for OpenAI-compatible servers', () => {
  it('returns one vector of unit length per text, in the order of the texts', async () => {
    const encoder = openAiEncoder();
    const vectors = await encoder.embedDocuments(texts(5));
    expect(encoder).toMatchObject({ model: 'openai/small', dimensions: 64, hybridWeight: 1 });
    for (const [at, vector] of vectors.entries()) {
      expect(similarity(vector, vector)).toBeCloseTo(1, 5);
      expect(vector).toEqual(await openAiEncoder().embedQuery(texts(5)[at]!));
    }
  });

  it('limits the texts per request and the concurrent requests', async () => {
    const vectors = await openAiEncoder().embedDocuments(texts(300));
    expect(vectors).toHaveLength(300);
    expect(openai.requests).toHaveLength(10);
    expect(openai.mostAtOnce).toBeLessThanOrEqual(4);
  });

  it('limits the tokens per request', async () => {
    await openAiEncoder().embedDocuments(texts(4).map((text) => `${text} ${'word '.repeat(8_000)}`));
    expect(openai.requests.map(({ body }) => (body.input as string[]).length)).toEqual([2, 2]);
  });

  it('sends repeated texts once and never sends empty texts', async () => {
    const [first, empty, again] = await openAiEncoder().embedDocuments(['the same', ' ', 'the same']);
    expect(first).toEqual(again);
    expect(empty).toEqual(new Float32Array(64));
    expect(openai.requests[0]?.body.input).toEqual(['the same']);
  });

  it('caches the vectors of queries', async () => {
    const encoder = openAiEncoder();
    await encoder.embedQuery('holiday');
    await encoder.embedQuery('holiday');
    expect(openai.requests).toHaveLength(1);
  });

  it('requests the configured number of dimensions and includes it in the name of the space', async () => {
    const encoder = openAiEncoder({ dimensions: 32 });
    expect(encoder.model).toBe('openai/small@32');
    expect(await encoder.embedQuery('holiday')).toHaveLength(32);
  });

  it('adds the configured prefixes to queries and passages', async () => {
    const encoder = openAiEncoder({ queryPrefix: 'query: ', documentPrefix: 'passage: ' });
    await encoder.embedQuery('holiday');
    await encoder.embedDocuments(['holiday']);
    expect(openai.requests.map(({ body }) => body.input)).toEqual([['query: holiday'], ['passage: holiday']]);
  });

  it('reads vectors in base64', async () => {
    const api = openAiApi({ model: 'small', apiKey: KEY, baseUrl: `${openai.origin}/v1` });
    const asBase64 = (input: readonly string[]) => ({ model: 'small', input, encoding_format: 'base64' });
    const vector = await createRemoteEncoder({ ...api, requestBody: asBase64 }).embedQuery('holiday');
    expect(vector).toEqual(await openAiEncoder().embedQuery('holiday'));
  });
});

describe('an encoder for Voyage', () => {
  it('sends whether a text is a query or a document, and the configured dimensions', async () => {
    const settings = { apiKey: KEY, baseUrl: `${voyage.origin}/v1`, dimensions: 32 };
    const encoder = createRemoteEncoder(voyageApi(settings), { dimensions: 32 });
    expect(await encoder.embedQuery('holiday')).toHaveLength(32);
    await encoder.embedDocuments(['vacation']);
    expect(voyage.requests.map(({ body }) => body.input_type)).toEqual(['query', 'document']);
    expect(encoder.model).toBe('voyage/voyage-3.5@32');
  });
});

describe('a provider that fails for a while', () => {
  it.each<[string, Fault]>([
    ['rate-limits requests', { kind: 'status', status: 429, retryAfter: '0' }],
    ['fails', { kind: 'status', status: 503 }],
    ['does not respond', { kind: 'silence' }],
    ['closes the connection within its response', { kind: 'truncated' }],
    ['returns an HTML page of a proxy', { kind: 'gibberish' }],
  ])('is called again when it %s', async (_, fault) => {
    openai.reset(inOrder(fault, fault));
    const limits = { ...GENEROUS, attemptMs: fault.kind === 'silence' ? 250 : GENEROUS.attemptMs };
    expect(await openAiEncoder({}, limits).embedDocuments(['holiday'])).toHaveLength(1);
    expect(openai.requests.length).toBeGreaterThanOrEqual(3);
  });

  it('is not called before its Retry-After, in seconds or as a date', async () => {
    openai.reset(inOrder({ kind: 'status', status: 429, retryAfter: '1' }));
    await openAiEncoder().embedQuery('holiday');
    expect(openai.requests[1]!.at - openai.requests[0]!.at).toBeGreaterThanOrEqual(990);

    const date = new Date(Date.now() + 2_000);
    openai.reset(inOrder({ kind: 'status', status: 429, retryAfter: date.toUTCString() }));
    await openAiEncoder().embedQuery('holiday');
    expect(Date.now()).toBeGreaterThanOrEqual(Math.floor(date.getTime() / 1_000) * 1_000 - 10);
  });

  it('encodes all texts although it rejects every third request', async () => {
    openai.reset(everyNth(3, { kind: 'status', status: 429, retryAfter: '0' }));
    expect(await openAiEncoder().embedDocuments(texts(200))).toHaveLength(200);
  });
});

describe('a provider that cannot be used', () => {
  it.each<[string, Fault, string, RegExp, number]>([
    [
      'requests a longer wait than the remaining time',
      { kind: 'status', status: 429, retryAfter: '60' },
      'upstream_error',
      /too many requests/,
      1,
    ],
    ['rejects the request', { kind: 'status', status: 400 }, 'upstream_error', /rejected the request \(HTTP 400\)/, 1],
    ['fails every time', { kind: 'status', status: 500 }, 'upstream_error', /failed.*HTTP 500/, 4],
    ['never responds', { kind: 'silence' }, 'timeout', /took too long/, 4],
    ['omits a vector', { kind: 'one_missing' }, 'upstream_error', /returned 1 vectors for 2 texts/, 1],
    [
      'returns values that are not numbers',
      { kind: 'not_a_number' },
      'upstream_error',
      /values that are not numbers/,
      1,
    ],
  ])('fails with a clear error when it %s', async (_, fault, code, message, tries) => {
    openai.reset(() => fault);
    const limits = { ...SHORT, attemptMs: fault.kind === 'silence' ? 250 : SHORT.totalMs };
    const failure = openAiEncoder({}, limits).embedDocuments(['holiday', 'laptop']);
    await expect(failure).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(openai.requests).toHaveLength(tries);
  });

  it('reports the expected and the returned number of dimensions', async () => {
    const encoder = openAiEncoder();
    await encoder.embedQuery('holiday');
    openai.reset(() => ({ kind: 'wrong_dimensions' }));
    await expect(encoder.embedDocuments(['laptop'])).rejects.toMatchObject({
      code: 'upstream_error',
      message: 'The embedding provider returned a vector with 63 dimensions instead of 64.',
    });
  });

  it.each([
    ['the key', { apiKey: 'sk-wrong-key' }, 'EMBEDDING_API_KEY'],
    ['the model', { model: 'large' }, 'EMBEDDING_MODEL'],
  ])('reports that %s is wrong, without key, address or text', async (_, settings, named) => {
    const error = await openAiEncoder(settings)
      .embedQuery('private matter')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'upstream_error', message: expect.stringContaining(named) });
    const { message, cause } = error as Error & { cause: Error };
    for (const secret of ['sk-', '127.0.0.1', 'private']) expect(message + cause.message).not.toContain(secret);
    expect(openai.requests).toHaveLength(1);
  });

  it('is reported as unreachable when no process listens, without its address', async () => {
    const gone = await startEmbeddingsServer({ form: 'openai', model: 'small' });
    await gone.stop();
    await expect(openAiEncoder({ baseUrl: `${gone.origin}/v1` }, SHORT).embedQuery('holiday')).rejects.toMatchObject({
      code: 'upstream_error',
      message: 'The embedding provider is unreachable or closed the connection. Check its URL and try again.',
    });
  });

  it('is aborted when the caller aborts', async () => {
    openai.reset(() => ({ kind: 'silence' }));
    const signal = AbortSignal.timeout(50);
    await expect(openAiEncoder().embedDocuments(['holiday'], { signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    expect(openai.requests).toHaveLength(1);
  });
});
