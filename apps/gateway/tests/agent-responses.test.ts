import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunEvent, RunStatus } from '@lectern/contracts';
import { parseEvents } from './support/events.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import * as records from './support/records.ts';

const { KNOWN, WHEN_TEXT } = records;
const path = `/api/v1/agents/${KNOWN.agent}`;
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const step = (event: NonNullable<RunEvent['event']>) => ({
  id: '',
  event: { $case: 'run' as const, value: { event } },
});
const lastCall = (method: string) => gateway.services.calls.findLast((call) => call.method === method);
const usage = { promptTokens: 10, completionTokens: 5, totalTokens: 15 };

describe('an agent execution', () => {
  it('streams the steps of its run and one final event', async () => {
    const { answerConfidence, sources } = records.reply;
    gateway.services.chat = async function* () {
      yield {
        id: '',
        event: { $case: 'messageStart', value: { id: KNOWN.message, conversationId: KNOWN.conversation } },
      };
      yield step({ $case: 'started', value: { runId: KNOWN.run, model: 'local', memories: [] } });
      yield step({ $case: 'iteration', value: { number: 1, status: 'planning', documents: [], usage: undefined } });
      yield step({ $case: 'thinking', value: { thought: 'A sum.' } });
      yield step({ $case: 'toolCall', value: { id: 'c', tool: 'calculate', params: { expression: '6 * 7' } } });
      const result = {
        id: 'c',
        tool: 'calculate',
        success: true,
        result: { result: '42' },
        durationMs: 2,
        documents: [],
      };
      yield step({ $case: 'toolResult', value: result });
      yield { id: '', event: { $case: 'contentDelta', value: { delta: '42' } } };
      yield { id: '', event: { $case: 'sources', value: { sources, marks: [] } } };
      const completed = { status: RunStatus.LIMITED, limit: 'iterations', content: '42', usage, model: 'local' };
      yield step({ $case: 'completed', value: { ...completed, stopReason: 'end', citations: [], sources: [] } });
      const end = { usage, answerConfidence, model: 'builtin-extractive', stopReason: '', documents: [] };
      yield { id: '', event: { $case: 'messageEnd', value: end } };
    };
    const response = await gateway.send('POST', `${path}/execute/stream`, {
      json: { message: 'What is 6 * 7?', conversationId: KNOWN.conversation },
    });
    expect(parseEvents(response.text)).toEqual([
      {
        event: 'run_start',
        data: { runId: KNOWN.run, conversationId: KNOWN.conversation, model: 'local', memories: [] },
      },
      { event: 'iteration', data: { number: 1, status: 'planning' } },
      { event: 'tool_call', data: { id: 'c', tool: 'calculate', params: { expression: '6 * 7' } } },
      {
        event: 'tool_result',
        data: { id: 'c', tool: 'calculate', success: true, result: { result: '42' }, durationMs: 2 },
      },
      { event: 'content', data: { content: '42' } },
      {
        event: 'run_complete',
        data: {
          runId: KNOWN.run,
          conversationId: KNOWN.conversation,
          status: 'limited',
          limit: 'iterations',
          stopReason: 'end',
          sources,
          usage,
          answer_confidence: answerConfidence,
        },
      },
    ]);
    expect(lastCall('streamChat')?.request).toMatchObject({
      agentId: KNOWN.agent,
      message: 'What is 6 * 7?',
      conversationId: KNOWN.conversation,
    });
  });

  it('passes on the settings that an editor tries', async () => {
    const settings = { systemPrompt: 'Help.', tools: ['calculate'], collections: [KNOWN.collection], memory: 'off' };
    const response = await gateway.send('POST', `${path}/execute/stream`, { json: { message: 'Hi', settings } });
    expect(response.status).toBe(200);
    const { collections, ...others } = settings;
    expect(lastCall('streamChat')?.request).toMatchObject({ agentSettings: { ...others, collectionIds: collections } });
  });

  it.each([{}, { message: ' ' }, { message: 'x', agentId: KNOWN.agent }, { message: 'x', stream: true }])(
    'is rejected for the body %j',
    async (json) => {
      const response = await gateway.send('POST', `${path}/execute/stream`, { json });
      expect([response.status, response.json.error.code]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('runs', () => {
  const item = {
    id: KNOWN.run,
    agentId: KNOWN.agent,
    conversationId: KNOWN.conversation,
    status: 'limited',
    message: 'What is 6 * 7?',
    content: '42',
    model: 'builtin-extractive',
    usage,
    limit: 'iterations',
    error: null,
    memories: records.run.memories,
    withheld: false,
    pendingApprovals: 0,
    scheduleId: null,
    startedAt: WHEN_TEXT,
    completedAt: WHEN_TEXT,
  };
  const call = {
    id: 'call_1',
    tool: 'calculate',
    params: { expression: '6 * 7' },
    success: true,
    result: { result: '42' },
    durationMs: 2,
  };
  const times = { startedAt: WHEN_TEXT, completedAt: WHEN_TEXT };
  const record = { ...item, steps: [{ number: 1, thought: 'A sum.', toolCalls: [call], usage, ...times }] };

  it('are listed without their steps, and returned with them by id', async () => {
    const list = await gateway.send('GET', `${path}/runs?page=1&limit=5`);
    expect(list.json).toMatchObject({ data: [item], meta: { page: 1, total: 1, hasMore: false } });
    expect((await gateway.send('GET', `${path}/runs/${KNOWN.run}`)).json.data).toEqual(record);
    expect((await gateway.send('POST', `${path}/runs/${KNOWN.run}/cancel`)).json.data).toEqual(record);
    expect(lastCall('cancelRun')?.request).toEqual({ agentId: KNOWN.agent, id: KNOWN.run });
  });
});

describe('templates', () => {
  it('can be listed and read, and create agents with the given values', async () => {
    const { id, name, description, category, systemPrompt, tools, startMessage } = records.template;
    const [variable] = records.template.variables;
    const record = { id, name, description, category, systemPrompt, tools, startMessage };
    const expected = { ...record, variables: [{ ...variable, default: null }] };
    expect((await gateway.send('GET', '/api/v1/agent-templates')).json.data).toEqual([expected]);
    expect((await gateway.send('GET', `/api/v1/agent-templates/${id}`)).json.data).toEqual(expected);
    const created = await gateway.send('POST', `/api/v1/agents/from-template/${id}`, {
      json: { name: 'Sam', collections: [KNOWN.collection], variables: { product: 'Acme' } },
    });
    expect([created.status, created.json.data.id]).toEqual([201, KNOWN.agent]);
    expect(lastCall('createFromTemplate')?.request).toEqual({
      templateId: id,
      name: 'Sam',
      collectionIds: [KNOWN.collection],
      variables: { product: 'Acme' },
    });
    expect((await gateway.send('POST', `/api/v1/agents/from-template/${id}`, { json: {} })).status).toBe(201);
  });
});
