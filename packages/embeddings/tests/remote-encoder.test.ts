import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { everyNth, type Fault, inOrder, type ProviderServer, startEmbeddingsServer } from '@lectern/testing';
import { createRemoteEncoder } from '#dense/remote/create-remote-encoder';
import { openAiApi } from '#dense/remote/openai-api';
import { voyageApi } from '#dense/remote/voyage-api';
import type { Patience } from '#endpoint/endpoint';

const KEY = 'sk-secret-key';
/** A loaded machine may take long for any answer. */
const PATIENT = { tryMs: 10_000, totalMs: 20_000, tries: 8 };
/** For what never goes well. */
const IMPATIENT = { tryMs: 250, totalMs: 3_000, tries: 4 };
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

const openAiEncoder = (overrides: Parameters<typeof openAiApi>[0] = {}, patience: Patience = PATIENT) => {
  const settings = { model: 'small', apiKey: KEY, baseUrl: `${openai.origin}/v1`, ...overrides };
  return createRemoteEncoder(openAiApi(settings), {
    dimensions: settings.dimensions,
    patience: { query: patience, document: patience },
  });
};
const similarity = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);
const texts = (count: number) => Array.from({ length: count }, (_, at) => `passage number ${'x'.repeat(at + 3)}`);

describe('an encoder of the OpenAI form', () => {
  it('gives a vector of unit length a text, in their order, whatever the order of the answer', async () => {
    const encoder = openAiEncoder();
    const vectors = await encoder.embedDocuments(texts(5));
    expect(encoder).toMatchObject({ model: 'openai/small', dimensions: 64, hybridWeight: 1 });
    for (const [at, vector] of vectors.entries()) {
      expect(similarity(vector, vector)).toBeCloseTo(1, 5);
      expect(vector).toEqual(await openAiEncoder().embedQuery(texts(5)[at]!));
    }
  });

  it('sends no more texts at once than servers take, nor more requests at once than are polite', async () => {
    const vectors = await openAiEncoder().embedDocuments(texts(300));
    expect(vectors).toHaveLength(300);
    expect(openai.requests).toHaveLength(10);
    expect(openai.mostAtOnce).toBeLessThanOrEqual(4);
  });

  it('cuts batches by their size in tokens too', async () => {
    await openAiEncoder().embedDocuments(texts(4).map((text) => `${text} ${'word '.repeat(8_000)}`));
    expect(openai.requests.map(({ body }) => (body.input as string[]).length)).toEqual([2, 2]);
  });

  it('asks once for a text that occurs more often, and never for an empty one', async () => {
    const [first, empty, again] = await openAiEncoder().embedDocuments(['the same', ' ', 'the same']);
    expect(first).toEqual(again);
    expect(empty).toEqual(new Float32Array(64));
    expect(openai.requests[0]?.body.input).toEqual(['the same']);
  });

  it('remembers the vectors of queries', async () => {
    const encoder = openAiEncoder();
    await encoder.embedQuery('holiday');
    await encoder.embedQuery('holiday');
    expect(openai.requests).toHaveLength(1);
  });

  it('asks for the number of dimensions that is set, and names another space for it', async () => {
    const encoder = openAiEncoder({ dimensions: 32 });
    expect(encoder.model).toBe('openai/small@32');
    expect(await encoder.embedQuery('holiday')).toHaveLength(32);
  });

  it('puts the prefixes before queries and passages that a model wants', async () => {
    const encoder = openAiEncoder({ queryPrefix: 'query: ', documentPrefix: 'passage: ' });
    await encoder.embedQuery('holiday');
    await encoder.embedDocuments(['holiday']);
    expect(openai.requests.map(({ body }) => body.input)).toEqual([['query: holiday'], ['passage: holiday']]);
  });

  it('reads vectors in base64 as well', async () => {
    const api = openAiApi({ model: 'small', apiKey: KEY, baseUrl: `${openai.origin}/v1` });
    const asBase64 = (input: readonly string[]) => ({ model: 'small', input, encoding_format: 'base64' });
    const vector = await createRemoteEncoder({ ...api, requestBody: asBase64 }).embedQuery('holiday');
    expect(vector).toEqual(await openAiEncoder().embedQuery('holiday'));
  });
});

describe('an encoder of the Voyage form', () => {
  it('says which text is a query and which a document, and keeps to a chosen length', async () => {
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
    ['limits its rate', { kind: 'status', status: 429, retryAfter: '0' }],
    ['fails', { kind: 'status', status: 503 }],
    ['does not answer', { kind: 'silence' }],
    ['breaks off its answer', { kind: 'truncated' }],
    ['answers with a page of its proxy', { kind: 'gibberish' }],
  ])('is asked again when it %s', async (_, fault) => {
    openai.reset(inOrder(fault, fault));
    const patience = { ...PATIENT, tryMs: fault.kind === 'silence' ? 250 : PATIENT.tryMs };
    expect(await openAiEncoder({}, patience).embedDocuments(['holiday'])).toHaveLength(1);
    expect(openai.requests.length).toBeGreaterThanOrEqual(3);
  });

  it('is left alone as long as it asks, in seconds or until a date', async () => {
    openai.reset(inOrder({ kind: 'status', status: 429, retryAfter: '1' }));
    await openAiEncoder().embedQuery('holiday');
    expect(openai.requests[1]!.at - openai.requests[0]!.at).toBeGreaterThanOrEqual(990);

    const date = new Date(Date.now() + 2_000);
    openai.reset(inOrder({ kind: 'status', status: 429, retryAfter: date.toUTCString() }));
    await openAiEncoder().embedQuery('holiday');
    expect(Date.now()).toBeGreaterThanOrEqual(Math.floor(date.getTime() / 1_000) * 1_000 - 10);
  });

  it('gets all texts encoded though it refuses every third request', async () => {
    openai.reset(everyNth(3, { kind: 'status', status: 429, retryAfter: '0' }));
    expect(await openAiEncoder().embedDocuments(texts(200))).toHaveLength(200);
  });
});

describe('a provider that cannot be used', () => {
  it.each<[string, Fault, string, RegExp, number]>([
    [
      'wants a longer pause than there is time',
      { kind: 'status', status: 429, retryAfter: '60' },
      'upstream_error',
      /more requests than it allows/,
      1,
    ],
    ['refuses the request', { kind: 'status', status: 400 }, 'upstream_error', /refused the request \(HTTP 400\)/, 1],
    ['fails every time', { kind: 'status', status: 500 }, 'upstream_error', /failed.*HTTP 500/, 4],
    ['never answers', { kind: 'silence' }, 'timeout', /took too long/, 4],
    ['leaves out a vector', { kind: 'one_missing' }, 'upstream_error', /answered 2 texts with 1 vectors/, 1],
    ['gives what is no number', { kind: 'not_a_number' }, 'upstream_error', /something else than numbers/, 1],
  ])('says so when it %s', async (_, fault, code, message, tries) => {
    openai.reset(() => fault);
    const patience = { ...IMPATIENT, tryMs: fault.kind === 'silence' ? 250 : IMPATIENT.totalMs };
    const failure = openAiEncoder({}, patience).embedDocuments(['holiday', 'laptop']);
    await expect(failure).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(openai.requests).toHaveLength(tries);
  });

  it('says which number of dimensions was expected and which came', async () => {
    const encoder = openAiEncoder();
    await encoder.embedQuery('holiday');
    openai.reset(() => ({ kind: 'wrong_dimensions' }));
    await expect(encoder.embedDocuments(['laptop'])).rejects.toMatchObject({
      code: 'upstream_error',
      message: 'The embedding provider answered a vector of 63 dimensions where 64 were expected.',
    });
  });

  it.each([
    ['the key', { apiKey: 'sk-wrong-key' }, 'EMBEDDING_API_KEY'],
    ['the model', { model: 'large' }, 'EMBEDDING_MODEL'],
  ])('says that %s is wrong, and shows neither key, address nor text', async (_, settings, named) => {
    const error = await openAiEncoder(settings)
      .embedQuery('private matter')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'upstream_error', message: expect.stringContaining(named) });
    const { message, cause } = error as Error & { cause: Error };
    for (const secret of ['sk-', '127.0.0.1', 'private']) expect(message + cause.message).not.toContain(secret);
    expect(openai.requests).toHaveLength(1);
  });

  it('is said to be out of reach when nothing listens, without its address', async () => {
    const gone = await startEmbeddingsServer({ form: 'openai', model: 'small' });
    await gone.stop();
    await expect(
      openAiEncoder({ baseUrl: `${gone.origin}/v1` }, IMPATIENT).embedQuery('holiday'),
    ).rejects.toMatchObject({
      code: 'upstream_error',
      message: 'The embedding provider cannot be reached, or broke off its answer.',
    });
  });

  it('is given up as soon as the caller leaves', async () => {
    openai.reset(() => ({ kind: 'silence' }));
    const signal = AbortSignal.timeout(50);
    await expect(openAiEncoder().embedDocuments(['holiday'], { signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    expect(openai.requests).toHaveLength(1);
  });
});
