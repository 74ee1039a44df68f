import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ChatEvent, CreateModelEndpointRequest } from '@lectern/contracts';
import { parseEgressAllow } from '@lectern/egress';
import { createLogger, parseMasterKeys } from '@lectern/service-kit';
import {
  type AnthropicTurn,
  callAs,
  createCaller,
  type ModelServer,
  type OpenAiTurn,
  runCount,
  startAnthropicServer,
  startOpenAiServer,
} from '@lectern/testing';
import fc from 'fast-check';
import { rewrapEndpointKeys } from '#model-endpoints/rewrap-endpoint-keys';
import { HANDBOOK } from './handbook.ts';
import { startSystem, type TestSystem } from './system.ts';

const KEY = 'sk-ant-0123456789';
const OLD_KEY = `1:${Buffer.alloc(32, 7).toString('base64')}`;
const QUESTION = 'How many weeks of parental leave does a new parent get?';

let system: TestSystem;
let claude: ModelServer<AnthropicTurn>;
let llama: ModelServer<OpenAiTurn>;
let app: Awaited<ReturnType<TestSystem['startAnother']>>;

beforeAll(async () => {
  system = await startSystem();
  claude = await startAnthropicServer({ apiKey: KEY, models: { 'claude-sonnet-5-5': 128_000 } });
  llama = await startOpenAiServer({ models: { 'llama-3': { max_model_len: 32_768 }, 'nomic-embed-text': {} } });
  app = await system.startAnother(
    {},
    {
      LECTERN_MASTER_KEYS: parseMasterKeys(OLD_KEY),
      EGRESS_ALLOW: parseEgressAllow('127.0.0.1'),
      MODEL_RETRY_MS: 1_000,
    },
  );
});

afterAll(async () => {
  await app.stop();
  await system.stop();
  await claude.stop();
  await llama.stop();
});

const local = (models: readonly string[]): CreateModelEndpointRequest => ({
  name: 'Own server',
  provider: 'openai',
  url: `${llama.origin}/v1`,
  models: models.map((id) => ({ id })),
});
const anthropic = (): CreateModelEndpointRequest => ({
  name: 'Claude',
  provider: 'anthropic',
  url: claude.origin,
  key: KEY,
  models: [{ id: 'claude-sonnet-5-5' }],
});

describe('model endpoints', () => {
  it('give only their team a model, for chat and as the default', async () => {
    const team = createCaller();
    const other = createCaller();
    await system.addCollection(team, 'Handbook', HANDBOOK);
    const { id } = await app.endpoints.createModelEndpoint(local(['llama-3']), callAs(team));
    await app.endpoints.setModelSettings({ defaultModel: 'llama-3' }, callAs(team));

    const { models } = await app.chat.listModels({}, callAs(team));
    expect(models).toContainEqual(
      expect.objectContaining({ id: 'llama-3', isDefault: true, endpoint: { id, name: 'Own server' } }),
    );
    llama.play({ kind: 'message', text: 'It is in the handbook [1].', usage: { prompt: 700, completion: 8 } });
    const reply = await app.chat.chat({ message: QUESTION }, callAs(team));
    expect(reply).toMatchObject({ model: 'llama-3', usage: { totalTokens: 708 } });
    expect(reply.sources).toHaveLength(1);
    const events: ChatEvent[] = [];
    for await (const event of app.chat.streamChat({ message: QUESTION }, callAs(team))) events.push(event);
    expect(events.at(-1)?.event).toMatchObject({ $case: 'messageEnd', value: { model: 'llama-3' } });

    const foreign = await app.chat.listModels({}, callAs(other));
    expect(foreign.models.map((model) => [model.id, model.isDefault])).toEqual([['builtin-extractive', true]]);
    await expect(app.chat.chat({ message: QUESTION, model: 'llama-3' }, callAs(other))).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(app.endpoints.getModelEndpoint({ id }, callAs(other))).rejects.toMatchObject({ code: 'not_found' });
    const stolen = { id, url: claude.origin };
    await expect(app.endpoints.testModelEndpoint(stolen, callAs(other))).rejects.toMatchObject({ code: 'not_found' });
    await expect(app.endpoints.setModelSettings({ defaultModel: 'llama-3' }, callAs(other))).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('builtin-extractive'),
    });
  });

  it('use the key that the admin entered, and never return it', async () => {
    const team = createCaller();
    const created = await app.endpoints.createModelEndpoint(anthropic(), callAs(team));
    expect(created).toMatchObject({ provider: 'anthropic', hasKey: true });
    const { endpoints } = await app.endpoints.listModelEndpoints({}, callAs(team));
    expect(JSON.stringify([created, endpoints])).not.toContain(KEY);
    const row = await system.db.modelEndpoint.findUniqueOrThrow({ where: { id: created.id } });
    expect(Buffer.from(row.sealed ?? []).toString('latin1')).not.toContain(KEY);
    claude.play({ kind: 'message', blocks: [{ type: 'text', text: 'Hello.' }] });
    const reply = await app.chat.chat({ message: 'Hello', model: 'claude-sonnet-5-5' }, callAs(team));
    expect(reply.model).toBe('claude-sonnet-5-5');
    expect(claude.calls.map(({ error }) => error)).toEqual([undefined]);
  });

  it('need the key again for another address', async () => {
    const team = createCaller();
    const { id } = await app.endpoints.createModelEndpoint(anthropic(), callAs(team));
    claude.play({ kind: 'message', blocks: [{ type: 'text', text: 'Hello.' }] });
    const again = { code: 'invalid_request', message: expect.stringContaining('key: is required again') };
    await expect(app.endpoints.updateModelEndpoint({ id, url: llama.origin }, callAs(team))).rejects.toMatchObject(
      again,
    );
    await expect(app.endpoints.testModelEndpoint({ id, url: llama.origin }, callAs(team))).rejects.toMatchObject(again);
    await expect(app.endpoints.updateModelEndpoint({ id, key: '' }, callAs(team))).rejects.toMatchObject({
      message: expect.stringContaining('key: is required'),
    });
    expect(await app.endpoints.testModelEndpoint({ id }, callAs(team))).toMatchObject({ success: true });
    const renamed = await app.endpoints.updateModelEndpoint({ id, name: 'Renamed' }, callAs(team));
    expect(renamed).toMatchObject({ name: 'Renamed', hasKey: true });
  });

  it('report a removed, a failing and a blocked endpoint like a failing provider', async () => {
    const team = createCaller();
    const { id } = await app.endpoints.createModelEndpoint(local(['llama-3']), callAs(team));
    const ask = () => app.chat.chat({ message: 'Hello', model: 'llama-3' }, callAs(team));
    llama.play({ kind: 'status', status: 401, type: 'invalid_api_key' });
    await expect(ask()).rejects.toMatchObject({
      code: 'upstream_error',
      message: 'The model endpoint “Own server” rejected the API key. Check its key on the page Models.',
    });
    llama.play({ kind: 'status', status: 503, type: 'overloaded' });
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
    await app.endpoints.updateModelEndpoint({ id, url: 'http://10.1.2.3/v1' }, callAs(team));
    await expect(ask()).rejects.toMatchObject({
      code: 'upstream_error',
      message: expect.stringContaining('EGRESS_ALLOW'),
    });
    await app.endpoints.deleteModelEndpoint({ id }, callAs(team));
    await expect(ask()).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('with the default model cannot be removed', async () => {
    const team = createCaller();
    const { id } = await app.endpoints.createModelEndpoint(local(['llama-3', 'llama-4']), callAs(team));
    await app.endpoints.setModelSettings({ defaultModel: 'llama-3' }, callAs(team));
    const isDefault = { code: 'conflict', message: expect.stringContaining('Choose another default model first') };
    await expect(app.endpoints.deleteModelEndpoint({ id }, callAs(team))).rejects.toMatchObject(isDefault);
    const without = { id, models: { models: [{ id: 'llama-4' }] } };
    await expect(app.endpoints.updateModelEndpoint(without, callAs(team))).rejects.toMatchObject(isDefault);
    await app.endpoints.setModelSettings({}, callAs(team));
    await app.endpoints.deleteModelEndpoint({ id }, callAs(team));
    expect(await app.endpoints.getModelSettings({}, callAs(team))).toEqual({ defaultModel: undefined });
  });

  it.each([
    ['name', { name: ' ' }],
    ['provider', { provider: 'cohere' }],
    ['url', { url: 'ftp://example.com' }],
    ['url', { url: 'https://user:secret@example.com/v1' }],
    ['url', { url: 'https://example.com/v1?key=1' }],
    ['key', { key: 'two words' }],
    ['key', { url: undefined }],
    ['models', { models: [] }],
    ['models', { models: Array.from({ length: 51 }, (_, at) => ({ id: `m${at}` })) }],
    ['models', { models: [{ id: 'a' }, { id: 'a' }] }],
    ['models[0].id', { models: [{ id: 'agent:a' }] }],
    ['models[0].id', { models: [{ id: 'builtin-extractive' }] }],
    ['models[0].contextWindow', { models: [{ id: 'a', contextWindow: 10 }] }],
  ] satisfies [string, Partial<CreateModelEndpointRequest>][])(
    'are rejected with an invalid %s',
    async (field, change) => {
      const request = { ...local(['llama-3']), ...change };
      await expect(app.endpoints.createModelEndpoint(request, callAs(createCaller()))).rejects.toMatchObject({
        code: 'invalid_request',
        details: { issues: expect.arrayContaining([expect.objectContaining({ path: field })]) },
      });
    },
  );

  it('are not available to callers of restricted scope and to end users', async () => {
    const team = createCaller();
    const narrow = { ...team, scope: { kind: 'only' as const, ids: [] } };
    const user = { ...team, userEmail: 'ada@example.com' };
    for (const caller of [narrow, user]) {
      await expect(app.endpoints.listModelEndpoints({}, callAs(caller))).rejects.toMatchObject({ code: 'forbidden' });
    }
  });

  it('keep their keys when the master key is replaced', async () => {
    const team = createCaller();
    const { id } = await app.endpoints.createModelEndpoint(anthropic(), callAs(team));
    const keys = parseMasterKeys(`2:${Buffer.alloc(32, 8).toString('base64')},${OLD_KEY}`);
    const [info, error] = [jest.fn(), jest.fn()];
    const log = Object.assign(createLogger({ service: 'chat', level: 'silent' }), { info, error });
    const rewrap = (configured: typeof keys) =>
      rewrapEndpointKeys(system.db, { keys: configured }, log, new AbortController().signal);
    await rewrap(keys);
    await rewrap(keys);
    expect(info.mock.calls).toEqual([[{ rewrapped: expect.any(Number), masterKeyVersion: 2 }, 'rewrapped secrets']]);
    await rewrap(parseMasterKeys(OLD_KEY));
    expect(error).toHaveBeenCalledWith(expect.anything(), expect.stringContaining('has no key of version 2'));
    const row = await system.db.modelEndpoint.findUniqueOrThrow({ where: { id } });
    expect(row.masterKeyVersion).toBe(2);
    const rotated = await system.startAnother(
      {},
      { LECTERN_MASTER_KEYS: keys, EGRESS_ALLOW: parseEgressAllow('127.0.0.1') },
    );
    claude.play({ kind: 'message', blocks: [{ type: 'text', text: 'Hello.' }] });
    const report = await rotated.endpoints.testModelEndpoint({ id }, callAs(team)).finally(() => rotated.stop());
    expect(report).toMatchObject({ success: true });
    await system.query('DELETE FROM model_endpoints WHERE master_key_version = 2');
  });
});

describe('the test of a model endpoint', () => {
  const test = (request: Parameters<typeof app.endpoints.testModelEndpoint>[0]) =>
    app.endpoints.testModelEndpoint(request, callAs(createCaller()));

  it('lists the chat models, asks the first one, and stores nothing', async () => {
    llama.play({ kind: 'message', text: 'OK' });
    const report = await test({ provider: 'openai', url: `${llama.origin}/v1` });
    expect(report).toMatchObject({
      success: true,
      model: 'llama-3',
      models: [{ id: 'llama-3', contextWindow: 32_768 }],
      errorCode: undefined,
    });
    expect(llama.calls.map(({ error }) => error)).toEqual([undefined, undefined]);
    claude.play({ kind: 'message', blocks: [{ type: 'text', text: 'OK' }] });
    const other = await test({ provider: 'anthropic', url: claude.origin, key: KEY });
    expect(other).toMatchObject({ success: true, model: 'claude-sonnet-5-5' });
    expect(await app.endpoints.listModelEndpoints({}, callAs(createCaller()))).toMatchObject({ endpoints: [] });
  });

  it('reports a wrong key, a wrong address, an unknown model and a blocked address', async () => {
    const wrongKey = await test({ provider: 'anthropic', url: claude.origin, key: 'wrong' });
    expect(wrongKey).toMatchObject({
      success: false,
      errorCode: 'upstream_error',
      errorMessage: 'The model endpoint “new endpoint” rejected the API key. Check its key on the page Models.',
    });
    const wrongPath = await test({ provider: 'openai', url: `${llama.origin}/v2` });
    expect(wrongPath).toMatchObject({ success: false, listErrorMessage: expect.stringContaining('does not list') });
    const unknown = await test({ provider: 'openai', url: `${llama.origin}/v1`, model: 'llama-9' });
    expect(unknown).toMatchObject({ success: false, model: 'llama-9', models: [{ id: 'llama-3' }] });
    const blocked = await test({ provider: 'openai', url: 'http://169.254.169.254/v1', model: 'a' });
    expect(blocked.errorMessage).toContain('is not a public address');
    const closed = await test({ provider: 'openai', url: 'http://127.0.0.1:1/v1', model: 'a' });
    expect(closed).toMatchObject({
      errorCode: 'unavailable',
      errorMessage: expect.stringContaining('cannot be reached'),
    });
  });
});

describe('the request for a test', () => {
  it('names the field that is wrong', async () => {
    const team = createCaller();
    const { id } = await app.endpoints.createModelEndpoint(local(['llama-3']), callAs(team));
    const at = (path: string) => ({
      code: 'invalid_request',
      details: { issues: [expect.objectContaining({ path })] },
    });
    await expect(app.endpoints.testModelEndpoint({ id, model: 'agent:a' }, callAs(team))).rejects.toMatchObject(
      at('model'),
    );
    await expect(app.endpoints.testModelEndpoint({ id, provider: 'anthropic' }, callAs(team))).rejects.toMatchObject(
      at('provider'),
    );
    llama.play({ kind: 'message', text: 'OK' });
    expect(await app.endpoints.testModelEndpoint({ id, provider: 'openai' }, callAs(team))).toMatchObject({
      success: true,
    });
  });
});

describe('endpoints and defaults of two teams', () => {
  const NAMES = ['a', 'b', 'c'];
  const step = fc.record({
    team: fc.nat(1),
    kind: fc.constantFrom('create', 'update', 'delete', 'default'),
    at: fc.nat(2),
    models: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 }),
  });

  it('never mix, never offer a model twice, and never lose their default model', async () => {
    const run = async (steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) => {
      const teams = [createCaller(), createCaller()].map((caller) => ({
        caller,
        endpoints: [] as { id: string; models: readonly string[] }[],
        standard: undefined as string | undefined,
      }));
      for (const { team: which, kind, at, models } of steps) {
        const team = teams[which]!;
        const options = callAs(team.caller);
        const target = team.endpoints[at % Math.max(1, team.endpoints.length)];
        const others = team.endpoints.filter((one) => kind === 'create' || one !== target);
        const isTaken = others.some((one) => one.models.some((id) => models.includes(id)));
        const wasRemoved = (kept: readonly string[]) =>
          target?.models.includes(team.standard ?? '') === true && !kept.includes(team.standard ?? '');
        if (kind === 'create') {
          const created = app.endpoints.createModelEndpoint(local(models), options);
          if (isTaken) await expect(created).rejects.toMatchObject({ code: 'conflict' });
          else team.endpoints.push({ id: (await created).id, models });
        } else if (kind === 'default') {
          const [name = ''] = models;
          const chosen = app.endpoints.setModelSettings({ defaultModel: name }, options);
          const isOffered = team.endpoints.some((one) => one.models.includes(name));
          if (isOffered) {
            await chosen;
            team.standard = name;
          } else await expect(chosen).rejects.toMatchObject({ code: 'invalid_request' });
        } else if (target !== undefined) {
          const kept = kind === 'update' ? models : [];
          const request = { id: target.id, models: { models: models.map((id) => ({ id })) } };
          const changed =
            kind === 'update'
              ? app.endpoints.updateModelEndpoint(request, options)
              : app.endpoints.deleteModelEndpoint({ id: target.id }, options);
          if ((kind === 'update' && isTaken) || wasRemoved(kept)) {
            await expect(changed).rejects.toMatchObject({ code: 'conflict' });
          } else {
            await changed;
            if (kind === 'update') target.models = models;
            else team.endpoints = others;
          }
        }
        for (const { caller, endpoints, standard } of teams) {
          const listed = (await app.chat.listModels({}, callAs(caller))).models;
          const own = endpoints.flatMap((one) => one.models);
          expect(listed.map(({ id }) => id).toSorted()).toEqual([...own, 'builtin-extractive'].toSorted());
          expect(listed.filter((one) => one.isDefault).map(({ id }) => id)).toEqual([standard ?? 'builtin-extractive']);
        }
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 12 }), run), {
      numRuns: runCount({ quick: 20, full: 200 }),
    });
  });
});
