import { createOpenAI } from '@ai-sdk/openai';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChatOpenAI } from '@langchain/openai';
import { type ModelServer, type OpenAiTurn, startOpenAiServer } from '@lectern/testing';
import { generateText, isStepCount, streamText, tool } from 'ai';
import fc from 'fast-check';
import OpenAI from 'openai';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { z } from 'zod';
import type { Json } from './support/api.ts';
import { type Lectern, startLectern } from './support/start-lectern.ts';

const LEAVE = 'Everyone has thirty days of paid leave a year. Unused days end in March.';
const MODEL = 'scripted-model';

type Body = Parameters<NonNullable<Parameters<typeof startOpenAiServer>[0]['respond']>>[0];

/** The number of the passage that contains a text, in the prompt of a request. */
function sourceWith(text: string, { messages }: Body): string {
  const prompt = JSON.stringify(messages);
  const before = prompt.slice(0, prompt.indexOf(text));
  return [...before.matchAll(/\[(\d+)\]/g)].at(-1)?.[1] ?? '1';
}

/** Behaves by the last message of the user, so that tests can run at the same time. */
function respond(body: Body): OpenAiTurn {
  const last = body.messages.at(-1);
  const content = JSON.stringify(last?.content ?? '');
  if (last?.role === 'tool') return { kind: 'message', text: `It is sunny: ${content}` };
  if (body.response_format) return { kind: 'message', text: '{"days": [30], "unit": "days"}' };
  if (body.tools && content.includes('weather')) {
    const { name } = body.tools[0]?.function ?? { name: '' };
    const cities = content.includes('two cities') ? ['Oslo', 'Lisbon'] : ['Oslo'];
    return {
      kind: 'message',
      toolCalls: cities.map((city, at) => ({ id: `call_${city}_${at}`, name, input: { city } })),
    };
  }
  if (content.includes('a story')) return { kind: 'message', text: 'Once upon a time. '.repeat(400), pauseMs: 20 };
  if (content.includes('emoji'))
    return { kind: 'message', text: `🏖️ Thirty days of leave 👩‍💻 [${sourceWith(LEAVE, body)}].`, pieceLength: 1 };
  if (content.includes('break')) {
    return {
      kind: 'message',
      text: 'This breaks in the middle.',
      fault: { kind: 'error', type: 'server_error', afterPieces: 2 },
    };
  }
  return { kind: 'message', text: `Everyone has thirty days of paid leave a year [${sourceWith(LEAVE, body)}].` };
}

const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Returns the weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
} as const;

let lectern: Lectern;
let model: ModelServer<OpenAiTurn>;
let client: OpenAI;
let agent: Json;
beforeAll(async () => {
  model = await startOpenAiServer({ apiKey: 'sk-test', models: { [MODEL]: {} }, respond });
  lectern = await startLectern({
    OPENAI_BASE_URL: `${model.origin}/v1`,
    OPENAI_API_KEY: 'sk-test',
    CHAT_MODEL: MODEL,
  });
  const { api, credentials } = lectern;
  client = new OpenAI({ baseURL: `${lectern.baseUrl}/v1`, apiKey: credentials.secretKey });
  const collection = await api.ok('POST', '/api/v1/collections', { name: 'Handbook' });
  const path = `/api/v1/collections/${collection.id}/documents`;
  const { id } = await api.ok('POST', path, { title: 'Leave', content: LEAVE });
  await api.until(`/api/v1/documents/${id}`, ({ status }) => status === 'indexed');
  agent = await api.ok('POST', '/api/v1/agents', {
    name: 'Leave helper',
    systemPrompt: 'You help.',
    tools: ['search_documents'],
  });
});
afterAll(async () => {
  await lectern?.stop();
  await model?.stop();
});

describe('the official client', () => {
  it('lists the models and the agents', async () => {
    const models: Json[] = [];
    for await (const one of client.models.list()) models.push(one);
    const ids = models.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['lectern', MODEL, 'builtin-extractive', `agent:${agent.id}`]));
    expect(await client.models.retrieve('agent:leave-helper')).toMatchObject({ id: `agent:${agent.id}` });
    await expect(client.models.retrieve('nothing')).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  });

  it('gets an answer with annotations that slice to its markers', async () => {
    const messages = [{ role: 'user', content: 'How many days of paid leave are there? emoji' }] as const;
    const reply: Json = await client.chat.completions.create({ model: MODEL, messages: [...messages] });
    const { content, annotations } = reply.choices[0].message;
    expect(content).toContain('🏖️ Thirty days of leave 👩‍💻 [1].');
    expect(reply.choices[0].finish_reason).toBe('stop');
    expect(annotations).toMatchObject([{ type: 'url_citation', url_citation: { title: 'Leave' } }]);
    const { start_index: start, end_index: end, url } = annotations[0].url_citation;
    expect(content.slice(start, end)).toBe('[1]');
    expect(reply.citations).toMatchObject([{ index: 1, title: 'Leave', url }]);
    expect(reply.answer_confidence.label).toMatch(/high|medium|low/);
    expect(reply.usage.total_tokens).toBe(reply.usage.prompt_tokens + reply.usage.completion_tokens);
  });

  it('streams the same answer', async () => {
    const stream = await client.chat.completions.create({
      model: MODEL,
      messages: [{ role: 'user', content: 'How many days of paid leave are there? emoji' }],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: Json[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const deltas = chunks.flatMap(({ choices }) => choices.map((choice: Json) => choice.delta));
    const text = deltas.map(({ content = '' }) => content).join('');
    expect(text).toContain('🏖️ Thirty days of leave 👩‍💻 [1].');
    expect(text.isWellFormed()).toBe(true);
    for (const { content = '' } of deltas) expect(content.isWellFormed()).toBe(true);
    const { start_index: start, end_index: end } = deltas.find(({ annotations }) => annotations).annotations[0]
      .url_citation;
    expect(text.slice(start, end)).toBe('[1]');
    expect(chunks.at(-1).usage.total_tokens).toBeGreaterThan(0);
    expect(chunks.at(-2).choices[0].finish_reason).toBe('stop');
  });

  it('answers in a conversation of the client with system messages', async () => {
    model.play();
    const runner = client.chat.completions.stream({
      model: 'lectern',
      messages: [
        { role: 'system', content: 'You are a pirate.' },
        { role: 'user', content: 'How many days of paid leave are there?' },
        { role: 'assistant', content: 'Thirty [1].' },
        { role: 'user', content: [{ type: 'text', text: 'And when do unused days end?' }] },
      ],
      temperature: 0.2,
      max_tokens: 200,
      stop: ['THE END'],
    });
    expect((await runner.finalChatCompletion()).choices[0]?.message.content).toContain('thirty days');
    const sent = model.calls.findLast(({ body }) => JSON.stringify(body).includes('You are a pirate.'))?.body;
    expect(sent).toMatchObject({ temperature: 0.2, stop: ['THE END'] });
  });

  it('runs a tool loop with parallel calls', async () => {
    const asked: string[] = [];
    const weather: Json = {
      ...WEATHER.function,
      parse: JSON.parse,
      function: ({ city }: { readonly city: string }) => {
        asked.push(city);
        return `sun in ${city}`;
      },
    };
    const runner = client.chat.completions.runTools({
      model: MODEL,
      messages: [{ role: 'user', content: 'What is the weather in two cities?' }],
      tools: [{ type: 'function', function: weather }],
    });
    const text = await runner.finalContent();
    expect(asked.sort()).toEqual(['Lisbon', 'Oslo']);
    expect(text).toContain('It is sunny');
  });

  it('streams tool calls', async () => {
    const runner = client.chat.completions.stream({
      model: MODEL,
      messages: [{ role: 'user', content: 'What is the weather?' }],
      tools: [WEATHER],
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
      parallel_tool_calls: false,
    });
    const { choices } = await runner.finalChatCompletion();
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }] },
    });
  });

  it('gets JSON that follows a schema', async () => {
    const schema = { type: 'object', properties: { days: { type: 'array' } }, required: ['days'] };
    const reply = await client.chat.completions.parse({
      model: MODEL,
      messages: [{ role: 'user', content: 'How many days of paid leave are there?' }],
      response_format: { type: 'json_schema', json_schema: { name: 'leave', schema, strict: true } },
    });
    expect(reply.choices[0]?.message.parsed).toEqual({ days: [30], unit: 'days' });
  });

  it('asks an agent by its name and by its id', async () => {
    for (const name of ['leave-helper', agent.id]) {
      const reply: Json = await client.chat.completions.create({
        model: `agent:${name}`,
        messages: [
          { role: 'system', content: 'Answer in one sentence.' },
          { role: 'user', content: 'How many days of paid leave are there?' },
        ],
      });
      expect(reply.choices[0].message.content).not.toBe('');
    }
  });

  it('reports a failure in the middle of a stream', async () => {
    const stream = await client.chat.completions.create({
      model: MODEL,
      messages: [{ role: 'user', content: 'Please break.' }],
      stream: true,
    });
    const read = async () => {
      for await (const _ of stream);
    };
    await expect(read()).rejects.toThrow(/failed|middle/);
  });

  it('ends the work of the model when it aborts', async () => {
    const stream = await client.chat.completions.create({
      model: MODEL,
      messages: [{ role: 'user', content: 'Write a story.' }],
      stream: true,
    });
    for await (const { choices } of stream) if (choices[0]?.delta.content) break;
    const isStopped = () =>
      model.calls.some(
        ({ body, disconnectedAt }) => JSON.stringify(body).includes('a story') && disconnectedAt !== undefined,
      );
    for (const started = Date.now(); !isStopped() && Date.now() - started < 30_000; )
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isStopped()).toBe(true);
  });

  it('reads many streams at the same time', async () => {
    const ask = async () => {
      const runner = client.chat.completions.stream({
        model: MODEL,
        messages: [{ role: 'user', content: 'How many days of paid leave are there?' }],
      });
      return (await runner.finalChatCompletion()).choices[0]?.message.content;
    };
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect(new Set(answers)).toEqual(new Set(['Everyone has thirty days of paid leave a year [1].']));
  });

  it('sends long messages', async () => {
    const long = `${'All work and no play. '.repeat(3_000)} How many days of paid leave are there?`;
    const reply = await client.chat.completions
      .create({ model: MODEL, messages: [{ role: 'user', content: long }] })
      .catch((error: Json) => error);
    // The window of the model has 8,192 tokens.
    expect(reply).toMatchObject({ status: 400, type: 'invalid_request_error', param: 'messages' });
  });

  it.each([
    [{ model: 'nothing' }, 404, 'model_not_found', 'model'],
    [{ n: 2 }, 400, null, 'n'],
    [{ logprobs: true }, 400, null, 'logprobs'],
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:x' } }] }] },
      400,
      null,
      'messages[0].content[0]',
    ],
    [{ messages: [{ role: 'tool', tool_call_id: 'x', content: 'y' }] }, 400, null, 'messages'],
    [{ model: 'agent:agt_01h455vb4pex5vsknk084sn02q' }, 404, 'model_not_found', 'model'],
    [{ model: 'agent:leave-helper', tools: [WEATHER] }, 400, null, 'tools'],
    [{ model: 'builtin-extractive', response_format: { type: 'json_object' } }, 400, null, 'response_format'],
    [{ user: 'not an address' }, 400, null, 'user'],
    [{ collections: ['col_01h455vb4pex5vsknk084sn02q'] }, 404, 'not_found', null],
  ])('gets an error for %j', async (fields, status, code, param) => {
    const body: Json = { model: MODEL, messages: [{ role: 'user', content: 'Hello?' }], ...fields };
    await expect(client.chat.completions.create(body)).rejects.toMatchObject({ status, code, param });
    await expect(client.chat.completions.create({ ...body, stream: true })).rejects.toMatchObject({ status, code });
  });
});

describe('the responses of the official client', () => {
  it('continue each other and can be read and deleted', async () => {
    const first: Json = await client.responses.create({
      model: MODEL,
      input: 'How many days of paid leave are there?',
    });
    expect(first.output_text).toBe('Everyone has thirty days of paid leave a year [1].');
    const [{ annotations, text }] = first.output[0].content;
    expect(text.slice(annotations[0].start_index, annotations[0].end_index)).toBe('[1]');
    const second: Json = await client.responses.create({
      model: MODEL,
      input: 'And when do they end?',
      previous_response_id: first.id,
    });
    const sent = JSON.stringify(model.calls.at(-1)?.body);
    expect(sent).toContain('How many days of paid leave are there?');
    expect(await client.responses.retrieve(second.id)).toMatchObject({
      id: second.id,
      previous_response_id: first.id,
      output_text: second.output_text,
    });
    await client.responses.delete(first.id);
    await expect(client.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 });
    await expect(
      client.responses.create({ model: MODEL, input: 'More?', previous_response_id: first.id }),
    ).rejects.toMatchObject({ status: 404 });
  });

  it('are not stored with store: false', async () => {
    const reply = await client.responses.create({ model: MODEL, input: 'How much leave?', store: false });
    await expect(client.responses.retrieve(reply.id)).rejects.toMatchObject({ status: 404 });
  });

  it('stream events that add up to the response', async () => {
    const events: ResponseStreamEvent[] = [];
    const runner = client.responses.stream({ model: MODEL, input: 'How many days of paid leave are there? emoji' });
    for await (const event of runner) events.push(event);
    const final = await runner.finalResponse();
    expect(final.output_text).toContain('👩‍💻 [1].');
    expect(events.map(({ sequence_number: at }) => at)).toEqual(events.map((_, at) => at));
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { id: final.id } });
    expect(events.some(({ type }) => type === 'response.output_text.annotation.added')).toBe(true);
    expect(await client.responses.retrieve(final.id)).toMatchObject({ output_text: final.output_text });
  });

  it('continue after tool calls, with the earlier response and with items', async () => {
    const { function: weather } = WEATHER;
    const tools = [{ type: 'function' as const, strict: false, ...weather }];
    const asked = await client.responses.create({ model: MODEL, input: 'What is the weather?', tools });
    const [call]: Json[] = asked.output;
    expect(call).toMatchObject({ type: 'function_call', name: 'get_weather', arguments: '{"city":"Oslo"}' });
    const output = { type: 'function_call_output' as const, call_id: call.call_id, output: 'sun' };
    const continued = await client.responses.create({
      model: MODEL,
      input: [output],
      tools,
      previous_response_id: asked.id,
    });
    expect(continued.output_text).toContain('It is sunny');
    const repeated = await client.responses.create({
      model: MODEL,
      input: [{ role: 'user', content: 'What is the weather?' }, call, output],
      tools,
      store: false,
    });
    expect(repeated.output_text).toContain('It is sunny');
    const referenced = await client.responses.create({
      model: MODEL,
      input: [{ role: 'user', content: 'What is the weather?' }, { type: 'item_reference', id: call.id }, output],
      tools,
    });
    expect(referenced.output_text).toContain('It is sunny');
  });
});

describe('stored responses', () => {
  it('reject more references than one request can read', async () => {
    const characters = '0123456789abcdefghjkmnpqrstvwxyz';
    const input = Array.from({ length: 501 }, (_, at) => {
      const end = [at >> 5, at & 31].map((digit) => characters[digit]).join('');
      return { type: 'item_reference' as const, id: `msg_01h455vb4pex5vsknk084sn0${end}` };
    });
    await expect(client.responses.create({ model: MODEL, input })).rejects.toMatchObject({ status: 400 });
  });
});

describe('the Vercel AI SDK', () => {
  const provider = () => createOpenAI({ baseURL: `${lectern.baseUrl}/v1`, apiKey: lectern.credentials.secretKey });
  const getWeather = tool({
    description: 'Returns the weather of a city.',
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => `sun in ${city}`,
  });

  it.each(['responses', 'chat'] as const)('runs a tool loop with parallel calls through %s', async (api) => {
    const { text, steps } = await generateText({
      model: provider()[api](MODEL),
      tools: { get_weather: getWeather },
      stopWhen: isStepCount(4),
      prompt: 'What is the weather in two cities?',
    });
    expect(text).toContain('It is sunny');
    expect(steps[0]?.toolCalls).toHaveLength(2);
  });

  it.each(['responses', 'chat'] as const)('streams text and sources through %s', async (api) => {
    const { fullStream } = streamText({
      model: provider()[api](MODEL),
      prompt: 'How many days of paid leave are there?',
    });
    const parts: Json[] = [];
    for await (const part of fullStream) parts.push(part);
    const text = parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : [])).join('');
    expect(text).toBe('Everyone has thirty days of paid leave a year [1].');
    expect(parts.filter(({ type }) => type === 'source')).toMatchObject([{ sourceType: 'url', title: 'Leave' }]);
    expect(parts.filter(({ type }) => type === 'error')).toEqual([]);
  });
});

describe('LangChain', () => {
  it('calls tools and reads streams', async () => {
    const chat = new ChatOpenAI({
      model: MODEL,
      apiKey: lectern.credentials.secretKey,
      configuration: { baseURL: `${lectern.baseUrl}/v1` },
    });
    const called = await chat.bindTools([WEATHER]).invoke('What is the weather?');
    expect(called.tool_calls).toMatchObject([{ name: 'get_weather', args: { city: 'Oslo' } }]);
    let text = '';
    for await (const chunk of await chat.stream('How many days of paid leave are there?')) text += chunk.text;
    expect(text).toBe('Everyone has thirty days of paid leave a year [1].');
  });
});

describe('the permissions', () => {
  const PRINCIPALS = ['public', 'user:ada@example.com', 'user:bob@example.com', 'group:x:none'];
  const USERS = ['ada@example.com', 'bob@example.com', 'eve@example.com'];
  const QUESTION = 'Which marker does the heron carry?';
  const BUILTIN = 'builtin-extractive';

  it('give an end user the same sources through every door, and nothing of others', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.subarray(PRINCIPALS, { minLength: 1 }), { minLength: 2, maxLength: 4 }),
        async (documents) => {
          const { api } = lectern;
          const collection = await api.ok('POST', '/api/v1/collections', { name: 'Herons' });
          const path = `/api/v1/collections/${collection.id}/documents`;
          const created = await Promise.all(
            documents.map((principals, at) =>
              api.ok('POST', path, {
                title: `Heron ${at}`,
                content: `Heron ${at} carries the marker m${at}.`,
                principals,
              }),
            ),
          );
          for (const { id } of created)
            await api.until(`/api/v1/documents/${id}`, ({ status }) => status === 'indexed');
          const scoped = { model: BUILTIN, collections: [collection.id] };
          for (const user of USERS) {
            const native = await api.as(user).ok('POST', `/api/v1/teams/${api.teamId}/chat`, {
              ...scoped,
              message: QUESTION,
            });
            const sources = native.sources.map(({ id }: Json) => id);
            const readable = created.filter((_, at) =>
              documents[at]?.some((principal) => principal === 'public' || principal === `user:${user}`),
            );
            for (const id of sources) expect(readable.map((one) => one.id)).toContain(id);
            expect(sources.length > 0).toBe(readable.length > 0);
            const chat: Json = { ...scoped, user, messages: [{ role: 'user', content: QUESTION }] };
            const completion: Json = await client.chat.completions.create(chat);
            const response: Json = await client.responses.create({ ...scoped, user, input: QUESTION } as Json);
            for (const { citations } of [completion, response]) {
              expect(citations.map(({ document_id: id }: Json) => id)).toEqual(sources);
            }
            expect(completion.choices[0].message.content).toBe(native.content);
            // Another user neither reads nor continues the response.
            const other = USERS.find((one) => one !== user) ?? '';
            const asOther = { headers: { 'X-Service-User': other } };
            await expect(client.responses.retrieve(response.id, {}, asOther)).rejects.toMatchObject({ status: 404 });
            const continued = { ...scoped, user: other, input: 'More?', previous_response_id: response.id };
            await expect(client.responses.create(continued as Json)).rejects.toMatchObject({ status: 404 });
          }
        },
      ),
      { numRuns: 3 },
    ));

  it('withdraw a stored response with a document that it is based on', async () => {
    const { api } = lectern;
    const collection = await api.ok('POST', '/api/v1/collections', { name: 'Secrets' });
    const path = `/api/v1/collections/${collection.id}/documents`;
    const { id } = await api.ok('POST', path, { title: 'Otter', content: 'The otter carries the marker o7.' });
    await api.until(`/api/v1/documents/${id}`, ({ status }) => status === 'indexed');
    const input = 'Which marker does the otter carry?';
    const response: Json = await client.responses.create({
      model: BUILTIN,
      collections: [collection.id],
      input,
    } as Json);
    expect(response.output_text).toContain('o7');
    await api.ok('DELETE', `/api/v1/documents/${id}`);
    await expect(client.responses.retrieve(response.id)).rejects.toMatchObject({ status: 404 });
    const continued = { model: BUILTIN, input: 'Again?', previous_response_id: response.id };
    await expect(client.responses.create(continued)).rejects.toMatchObject({ status: 404 });
  });
});

describe('embeddings', () => {
  it('explain that the built-in model is not available', async () => {
    const request = client.embeddings.create({ model: 'builtin-lsi-192', input: 'Leave' });
    await expect(request).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
      message: expect.stringContaining('EMBEDDING_PROVIDER'),
    });
  });
});
