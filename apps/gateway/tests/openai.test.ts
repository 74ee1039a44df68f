import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@lectern/service-kit';
import fc from 'fast-check';
import { createKeyPair } from '#keys/pair-store';
import { chatBody } from '#openai/chat-request';
import { embeddingsBody } from '#openai/embeddings';
import { openAiOperations } from '#openai/operations';
import { responsesBody } from '#openai/responses-request';
import { type SendInit, startTestGateway, type TestGateway, type TestResponse } from './support/gateway.ts';
import { KNOWN, unknownId } from './support/records.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ PUBLIC_URL: 'https://lectern.example.com' });
});
afterAll(() => gateway.stop());
beforeEach(() => void gateway.services.calls.splice(0));
afterEach(() => {
  gateway.services.failWith = undefined;
});

const CHAT = { model: 'lectern', messages: [{ role: 'user', content: 'How much leave?' }] };
const RESPONSE = { model: 'lectern', input: 'How much leave?' };
const EMBEDDINGS = { model: 'openai/text-embedding-3-small', input: 'Leave' };
const RESPONSE_ID = KNOWN.message.replace('msg_', 'resp_');

/** A request of each operation. */
const REQUESTS: readonly (readonly [id: string, method: string, path: string, json: object | undefined])[] = [
  ['createChatCompletion', 'POST', '/v1/chat/completions', CHAT],
  ['createResponse', 'POST', '/v1/responses', RESPONSE],
  ['getResponse', 'GET', `/v1/responses/${RESPONSE_ID}`, undefined],
  ['deleteResponse', 'DELETE', `/v1/responses/${RESPONSE_ID}`, undefined],
  ['listOpenAiModels', 'GET', '/v1/models', undefined],
  ['getOpenAiModel', 'GET', '/v1/models/lectern', undefined],
  ['createEmbeddings', 'POST', '/v1/embeddings', EMBEDDINGS],
];

const init = (json: object | undefined, more: SendInit = {}): SendInit =>
  json === undefined ? more : { json, ...more };

function expectOpenAiError({ status, json, headers }: TestResponse, expected: number): void {
  const { message, type, param, code, request_id: requestId, ...more } = json.error;
  expect({ status, more }).toEqual({ status: expected, more: {} });
  expect(message).toMatch(/\S/);
  expect(typeof type).toBe('string');
  for (const value of [param, code]) expect(value === null || typeof value === 'string').toBe(true);
  expect(requestId).toBe(headers.get('x-request-id'));
  expect(json.meta).toBeUndefined();
}

const lastCall = (method: string) => gateway.services.calls.findLast((call) => call.method === method);

describe('the OpenAI-compatible API', () => {
  it('is tested completely', () => {
    expect(REQUESTS.map(([id]) => id)).toEqual(openAiOperations.map(({ id }) => id));
  });

  it.each(REQUESTS)(
    '%s works with a secret key and with the limit headers of OpenAI',
    async (_id, method, path, json) => {
      const response = await gateway.send(method, path, init(json));
      expect(response.status).toBe(200);
      expect(response.headers.get('x-ratelimit-limit-requests')).toBe('1000000');
      expect(response.headers.get('x-ratelimit-remaining-requests')).toMatch(/^\d+$/);
      expect(response.headers.get('x-ratelimit-reset-requests')).toMatch(/^\d+s$/);
    },
  );

  it.each(REQUESTS)('%s rejects callers without access in the form of OpenAI', async (_id, method, path, json) => {
    const { publishableKey } = gateway.keys;
    expectOpenAiError(await gateway.send(method, path, init(json, { key: null })), 401);
    expectOpenAiError(await gateway.send(method, path, init(json, { key: 'nonsense' })), 401);
    expectOpenAiError(await gateway.send(method, path, init(json, { key: publishableKey })), 403);
    const pair = await createKeyPair(gateway.db, gateway.keys.teamId, 'analytics', { rights: ['analytics'] });
    expectOpenAiError(await gateway.send(method, path, init(json, { key: pair.secretKey })), 403);
  });

  it('rejects unknown paths and methods in the form of OpenAI, and leaves other paths below /v1 alone', async () => {
    expectOpenAiError(await gateway.send('GET', '/v1/unknown'), 404);
    expectOpenAiError(await gateway.send('PUT', '/v1/models'), 405);
    expectOpenAiError(await gateway.send('POST', '/v1/completions', { json: {} }), 404);
    const own = await gateway.send('POST', '/v1/docs/search', { json: {} });
    expect(own.json).toMatchObject({ error: { code: 'invalid_request' }, meta: {} });
    expect(own.headers.get('x-ratelimit-limit-requests')).toBeNull();
  });

  it('returns the errors of the services in the form of OpenAI', async () => {
    gateway.services.failWith = new AppError('unavailable', 'The model is overloaded.');
    const response = await gateway.send('POST', '/v1/chat/completions', { json: CHAT });
    expectOpenAiError(response, 503);
    expect(response.headers.get('retry-after')).toBe('1');
    gateway.services.failWith = new AppError('rate_limited', 'Enough.', {
      details: { budget: 'tokens', retryAfter: 99 },
    });
    const exhausted = await gateway.send('POST', '/v1/responses', { json: RESPONSE });
    expectOpenAiError(exhausted, 429);
    expect(exhausted.json.error.code).toBe('insufficient_quota');
    expect(exhausted.headers.get('x-should-retry')).toBe('false');
  });
});

describe('the end user', () => {
  const send = (user: unknown, headers: Record<string, string> = {}) =>
    gateway.send('POST', '/v1/chat/completions', { json: { ...CHAT, user }, headers });

  it('is selected by the field user', async () => {
    expect((await send('Ada@example.com')).status).toBe(200);
    expect(lastCall('complete')?.caller.userEmail).toBe('ada@example.com');
  });

  it('is the one of X-Service-User, next to which user may only repeat it or be an id', async () => {
    const headers = { 'X-Service-User': 'ada@example.com' };
    for (const user of ['ada@example.com', '66f1c0ffee0ddba11ca5cade', undefined]) {
      expect((await send(user, headers)).status).toBe(200);
      expect(lastCall('complete')?.caller.userEmail).toBe('ada@example.com');
    }
    const conflict = await send('bob@example.com', headers);
    expectOpenAiError(conflict, 400);
    expect(conflict.json.error.param).toBe('user');
  });

  it.each(['66f1c0ffee0ddba11ca5cade', '', ' ', 'ada@', '@'])('is never the whole key for user %j', async (user) => {
    expectOpenAiError(await send(user), 400);
    expect(lastCall('complete')).toBeUndefined();
  });
});

describe('models', () => {
  it('contain agents only for keys that may run them', async () => {
    const ids = async (key?: string): Promise<string[]> =>
      (await gateway.send('GET', '/v1/models', key === undefined ? {} : { key })).json.data.map(
        ({ id }: { id: string }) => id,
      );
    expect(await ids()).toContain(`agent:${KNOWN.agent}`);
    const pair = await createKeyPair(gateway.db, gateway.keys.teamId, 'chat', { rights: ['chat'] });
    expect((await ids(pair.secretKey)).filter((id) => id.startsWith('agent:'))).toEqual([]);
    const model = `agent:${KNOWN.agent}`;
    const response = await gateway.send('POST', '/v1/chat/completions', {
      json: { ...CHAT, model },
      key: pair.secretKey,
    });
    expectOpenAiError(response, 404);
  });

  it('return the same error for the agent of another team as for an unknown one', async () => {
    const ask = async (id: string, key?: string) => {
      const model = `agent:${id}`;
      const { status, json } = await gateway.send('POST', '/v1/chat/completions', {
        json: { ...CHAT, model },
        ...(key === undefined ? {} : { key }),
      });
      const { request_id: _, message, ...error } = json.error;
      return { status, error, message: message.replace(id, 'ID') };
    };
    expect(await ask(KNOWN.agent, gateway.otherKeys.secretKey)).toEqual(await ask(unknownId(KNOWN.agent)));
  });
});

describe('embeddings', () => {
  it('are floats or base64', async () => {
    const floats = await gateway.send('POST', '/v1/embeddings', { json: EMBEDDINGS });
    expect(floats.json.data).toEqual([{ object: 'embedding', index: 0, embedding: [0.5, -0.25] }]);
    const encoded = await gateway.send('POST', '/v1/embeddings', {
      json: { ...EMBEDDINGS, encoding_format: 'base64' },
    });
    const bytes = Buffer.from(encoded.json.data[0].embedding, 'base64');
    expect([bytes.readFloatLE(0), bytes.readFloatLE(4)]).toEqual([0.5, -0.25]);
  });

  it('have the requested dimensions, for at most 2,048 texts', async () => {
    const sent = { ...EMBEDDINGS, dimensions: 2, input_type: 'query' };
    expect((await gateway.send('POST', '/v1/embeddings', { json: sent })).status).toBe(200);
    expect(lastCall('embed')?.request).toMatchObject({ dimensions: 2, queries: true, texts: ['Leave'] });
    const tooMany = { ...EMBEDDINGS, input: Array.from({ length: 2_049 }, () => 'Leave') };
    expectOpenAiError(await gateway.send('POST', '/v1/embeddings', { json: tooMany }), 400);
    for (const dimensions of [0, -1, 1.5, 'many']) {
      const response = await gateway.send('POST', '/v1/embeddings', { json: { ...EMBEDDINGS, dimensions } });
      expectOpenAiError(response, 400);
      expect(response.json.error.param).toBe('dimensions');
    }
  });

  it.each([[[1, 2, 3]], [[[1, 2], [3]]], [['a', 1]], [[]], [''], [null]])('reject the input %j', async (input) => {
    const response = await gateway.send('POST', '/v1/embeddings', { json: { ...EMBEDDINGS, input } });
    expectOpenAiError(response, 400);
    expect(response.json.error.param).toBe('input');
  });
});

describe('an Idempotency-Key', () => {
  const POSTS = [
    ['/v1/chat/completions', CHAT, 'complete'],
    ['/v1/responses', RESPONSE, 'complete'],
  ] as const;
  let keys = 0;
  const newKey = () => {
    keys += 1;
    return { 'Idempotency-Key': `retry-${keys}` };
  };
  const countOf = (method: string) => gateway.services.calls.filter((call) => call.method === method).length;
  afterEach(() => {
    gateway.services.withheld = false;
  });

  it.each(POSTS)('has %s run once, also if the retry arrives during the first request', async (path, json, method) => {
    const headers = newKey();
    const send = (body: object = json) => gateway.send('POST', path, { json: body, headers });
    const [first, second] = await Promise.all([send(), send()]);
    const third = await send();
    expect([first.status, second.json, third.json]).toEqual([200, first.json, first.json]);
    expect(third.headers.get('idempotent-replayed')).toBe('true');
    expect(countOf(method)).toBe(1);
    expectOpenAiError(await send({ ...json, model: 'another' }), 409);
    expectOpenAiError(await gateway.send('POST', path, { json, headers: { 'Idempotency-Key': 'x'.repeat(256) } }), 400);
  });

  it('belongs to the end user', async () => {
    const headers = newKey();
    for (const user of ['ada@example.com', 'eve@example.com', 'ada@example.com']) {
      await gateway.send('POST', '/v1/chat/completions', {
        json: CHAT,
        headers: { ...headers, 'X-Service-User': user },
      });
    }
    expect(countOf('complete')).toBe(2);
  });

  it('is ignored for embeddings, which are not stored', async () => {
    const request = { json: EMBEDDINGS, headers: newKey() };
    const stored = await gateway.db.idempotentRequest.count();
    for (let time = 0; time < 2; time += 1) await gateway.send('POST', '/v1/embeddings', request);
    expect(countOf('embed')).toBe(2);
    expect(await gateway.db.idempotentRequest.count()).toBe(stored);
  });

  it('is ignored for streams', async () => {
    const headers = newKey();
    for (let time = 0; time < 2; time += 1) {
      await gateway.send('POST', '/v1/chat/completions', { json: { ...CHAT, stream: true }, headers });
    }
    expect(countOf('complete')).toBe(2);
  });

  it('does not return a reply whose documents the caller can no longer read', async () => {
    const request = { json: CHAT, headers: newKey() };
    const first = await gateway.send('POST', '/v1/chat/completions', request);
    gateway.services.withheld = true;
    const second = await gateway.send('POST', '/v1/chat/completions', request);
    expectOpenAiError(second, 409);
    expect(second.json.error.message).not.toContain(first.json.choices[0].message.content);
    expect(countOf('complete')).toBe(1);
  });

  it('does not return a response that was deleted', async () => {
    const request = { json: RESPONSE, headers: newKey() };
    const { json } = await gateway.send('POST', '/v1/responses', request);
    expect((await gateway.send('DELETE', `/v1/responses/${json.id}`)).status).toBe(200);
    expect((await gateway.send('POST', '/v1/responses', request)).headers.get('idempotent-replayed')).toBeNull();
    expect(countOf('complete')).toBe(2);
  });

  it('lets a failed request run again', async () => {
    const request = { json: CHAT, headers: newKey() };
    gateway.services.failWith = new AppError('unavailable', 'Down.');
    expect((await gateway.send('POST', '/v1/chat/completions', request)).status).toBe(503);
    gateway.services.failWith = undefined;
    expect((await gateway.send('POST', '/v1/chat/completions', request)).status).toBe(200);
  });
});

describe('any body', () => {
  const text = fc.string({ unit: 'binary', maxLength: 30 });
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.constantFrom(null, -1, 0, 1, 2, 1e308, '', [], {}, true),
    text,
  );
  const part = fc.record({
    type: fc.oneof(fc.constantFrom('text', 'input_text', 'image_url', 'refusal'), text),
    text: value,
  });
  const content = fc.oneof(text, fc.array(part, { maxLength: 3 }), value);
  const message = fc.record(
    {
      role: fc.oneof(fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool'), text),
      content,
      tool_calls: fc.oneof(
        value,
        fc.array(
          fc.record({ id: text, type: fc.constant('function'), function: fc.record({ name: text, arguments: text }) }),
        ),
      ),
      tool_call_id: fc.oneof(text, value),
    },
    { requiredKeys: [] },
  );
  const item = fc.oneof(
    message,
    value,
    fc.record(
      {
        type: fc.constantFrom('message', 'function_call', 'item_reference', 'x'),
        id: text,
        role: text,
        content,
        call_id: text,
        name: text,
        arguments: text,
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: fc.constant('function_call_output'), call_id: text, output: content }),
  );
  const tool = fc.record(
    { type: fc.constantFrom('function', 'web_search'), name: text, parameters: value, function: value },
    { requiredKeys: [] },
  );
  const fieldOf = (fields: readonly string[]) =>
    fc.dictionary(fc.oneof(fc.constantFrom(...fields), text), value, { noNullPrototype: true });
  const chat = fc
    .tuple(
      fieldOf(Object.keys(chatBody.shape)),
      fc.record({ messages: fc.array(message, { maxLength: 5 }), tools: fc.array(tool) }, { requiredKeys: [] }),
    )
    .map((parts) => Object.assign({}, CHAT, ...parts));
  const response = fc
    .tuple(
      fieldOf(Object.keys(responsesBody.shape)),
      fc.record({ input: fc.array(item, { maxLength: 5 }), tools: fc.array(tool) }, { requiredKeys: [] }),
    )
    .map((parts) => Object.assign({}, RESPONSE, ...parts));
  const embeddings = fieldOf(Object.keys(embeddingsBody.shape)).map((fields) => ({ ...EMBEDDINGS, ...fields }));
  const requests = fc.oneof(
    fc.tuple(fc.constant('/v1/chat/completions'), chat),
    fc.tuple(fc.constant('/v1/responses'), response),
    fc.tuple(fc.constant('/v1/embeddings'), embeddings),
  );

  it('gets a reply, a stream or an error in the form of OpenAI, and never a 5xx', () =>
    fc.assert(
      fc.asyncProperty(requests, async ([path, json]) => {
        const received = await gateway.send('POST', path, { json });
        expect(received.status).toBeLessThan(500);
        if (received.status >= 400) expectOpenAiError(received, received.status);
        else if (Reflect.get(json, 'stream') === true)
          expect(received.text).toMatch(/^(?:event: response\.created\n)?data: /);
        else expect(received.json.object).toMatch(/^(?:chat\.completion|response|list)$/);
      }),
      { numRuns: 400 },
    ));

  it('can have an unknown field with the name of a property that every object has', async () => {
    const received = await gateway.send('POST', '/v1/embeddings', { json: { ...EMBEDDINGS, ['__proto__']: '' } });
    expectOpenAiError(received, 400);
    expect(received.json.error.param).toBe('__proto__');
  });
});
