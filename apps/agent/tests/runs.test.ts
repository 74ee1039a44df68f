import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Run, RunStatus } from '@lectern/contracts';
import { createLogger, startGrpcServer } from '@lectern/service-kit';
import {
  callAs,
  createCaller,
  type ModelServer,
  type OpenAiTurn,
  type ScriptedToolCall,
  startOpenAiServer,
  waitUntil,
} from '@lectern/testing';
import pg from 'pg';
import { createActiveRuns } from '#runs/active-runs';
import { type RunSystem, startRunSystem } from './support/run-system.ts';

const caller = createCaller();
let model: ModelServer<OpenAiTurn>;
let system: RunSystem;
let agentId: string;

const replyOf = (text: string, usage = { prompt: 100, completion: 10 }): OpenAiTurn => ({
  kind: 'message',
  text,
  usage,
});
const calls = (...toolCalls: ScriptedToolCall[]): OpenAiTurn => ({ kind: 'message', toolCalls });
const sum = (expression: string, id = 'call_1'): ScriptedToolCall => ({ id, name: 'calculate', input: { expression } });
const time = (timeZone: string, id: string): ScriptedToolCall => ({ id, name: 'get_datetime', input: { timeZone } });
const run = (message = 'What is it?', more: object = {}) => system.run({ agentId, message, ...more }, caller);
const getRun = (id: string): Promise<Run> => system.runs.getRun({ agentId, id }, callAs(caller));
const ROUND = ['iteration', 'toolCall', 'toolResult'];
/** Returns the tool results in a request to the model, by call id. */
const shown = (call: number) =>
  (model.calls[call]!.body.messages as { role: string; content: string; tool_call_id?: string }[]).filter(
    ({ role }) => role === 'tool',
  );

beforeAll(async () => {
  model = await startOpenAiServer({ models: { local: {} } });
  system = await startRunSystem({
    OPENAI_BASE_URL: `${model.origin}/v1`,
    CHAT_MODEL: 'local',
    AGENT_TOTAL_OUTPUT_BYTES: '100000',
    AGENT_MAX_TOKENS: '50000',
  });
  const tools = ['calculate', 'get_datetime', 'search_documents'];
  const agent = await system.agents.createAgent({ name: 'A', systemPrompt: 'Help.', tools }, callAs(caller));
  agentId = agent.id;
});
afterAll(async () => {
  await system.stop();
  await model.stop();
});

describe('a run', () => {
  it('uses the models of the installation while a replica of the chat service is older', async () => {
    const older = await startGrpcServer({
      address: '127.0.0.1:0',
      services: [],
      log: createLogger({ service: 'chat', level: 'silent' }),
      shutdownTimeoutMs: 500,
    });
    const newer = await startRunSystem(
      { OPENAI_BASE_URL: `${model.origin}/v1`, CHAT_MODEL: 'local', CHAT_ADDRESS: `127.0.0.1:${older.port}` },
      { database: system.database },
    );
    model.play(replyOf('Forty-two.'));
    const observed = await newer.run({ agentId, message: 'What is it?' }, caller).finally(async () => {
      await newer.stop();
      await older.stop();
    });
    expect(observed).toMatchObject({ content: 'Forty-two.', failure: undefined });
  });

  it('answers immediately if it needs no tool', async () => {
    model.play(replyOf('Forty-two.'));
    const observed = await run();
    expect(observed.order).toEqual(['started', 'iteration', 'content', 'completed']);
    expect(observed).toMatchObject({ content: 'Forty-two.', failure: undefined });
    expect(observed.completed).toMatchObject({
      status: RunStatus.COMPLETED,
      content: 'Forty-two.',
      usage: { promptTokens: 100, completionTokens: 10, totalTokens: 110 },
      model: 'local',
      stopReason: 'end',
    });
  });

  it('calls a tool, passes its output to the model as data, and sums the usage', async () => {
    model.play({ ...calls(sum('17 * 3')), text: 'Let me see.' } as OpenAiTurn, replyOf('It is 51.'));
    const observed = await run();
    expect(observed.order).toEqual([
      'started',
      'iteration',
      'thinking',
      'toolCall',
      'toolResult',
      'iteration',
      'content',
      'completed',
    ]);
    expect(observed.thoughts).toEqual(['Let me see.']);
    expect(observed.calls).toEqual([{ id: 'call_1', tool: 'calculate', params: { expression: '17 * 3' } }]);
    expect(observed.results).toMatchObject([
      { id: 'call_1', tool: 'calculate', success: true, result: { result: '51' } },
    ]);
    expect(observed.completed?.usage).toEqual({ promptTokens: 200, completionTokens: 20, totalTokens: 220 });
    expect(shown(1)[0]?.content).toMatch(/^<tool_output mark="(\w+)">\n17 \* 3 = 51\n<\/tool_output mark="\1">$/);
    const stored = await getRun(observed.runId);
    expect(stored).toMatchObject({
      agentId,
      status: RunStatus.COMPLETED,
      content: 'It is 51.',
      message: 'What is it?',
    });
    expect(stored.steps).toMatchObject([
      {
        number: 1,
        thought: 'Let me see.',
        toolCalls: [{ tool: 'calculate', success: true, result: { result: '51' } }],
      },
      { number: 2, thought: '', toolCalls: [], usage: { totalTokens: 110 } },
    ]);
    expect(stored.completedAt).toBeInstanceOf(Date);
  });

  it('calls several tools concurrently and reports their results in the order of the calls', async () => {
    model.play(calls(time('Asia/Tokyo', 'a'), sum('2 ^ 10', 'b'), time('Europe/Paris', 'c')), replyOf('Done.'));
    const observed = await run();
    expect(observed.order.slice(1, 8)).toEqual([
      'iteration',
      ...Array(3).fill('toolCall'),
      ...Array(3).fill('toolResult'),
    ]);
    expect(observed.results.map(({ id, success }) => [id, success])).toEqual([
      ['a', true],
      ['b', true],
      ['c', true],
    ]);
    expect(shown(1).map(({ tool_call_id }) => tool_call_id)).toEqual(['a', 'b', 'c']);
  });

  it.each<[string, ScriptedToolCall, RegExp]>([
    ['a failing tool', sum('1 / 0'), /zero/i],
    ['a service that is unavailable', { name: 'search_documents', input: { query: 'x' } }, /reached|available/i],
    ['an unknown tool', { name: 'rm_rf', input: {} }, /unknown tool/i],
    ['a tool that the agent does not have', { name: 'query_database', input: { sql: 'SELECT 1' } }, /unknown tool/i],
    ['invalid arguments', { name: 'calculate', input: { formula: '1' } }, /arguments/i],
    ['arguments that are not JSON', { name: 'calculate', json: '{"expression": ' }, /invalid arguments/i],
  ])('returns %s to the model as an error and continues', async (_what, call, reason) => {
    model.play(calls({ id: 'call_1', ...call }), replyOf('I could not.'));
    const observed = await run();
    expect(observed.order).toEqual(['started', ...ROUND, 'iteration', 'content', 'completed']);
    expect(observed.results).toMatchObject([
      { tool: call.name, success: false, result: { error: expect.stringMatching(reason) } },
    ]);
    expect(shown(1)[0]?.content).toMatch(reason);
    expect(observed.completed?.status).toBe(RunStatus.COMPLETED);
  });

  it('stops at the limit of steps if the model keeps calling tools', async () => {
    model.play(calls(sum('1 + 1')));
    const observed = await run();
    expect(model.calls).toHaveLength(10);
    expect(observed.calls).toHaveLength(9);
    expect(observed.completed).toMatchObject({ status: RunStatus.LIMITED, limit: 'iterations' });
    expect(observed.content).toMatch(/limit of 10 steps/);
    expect(observed.completed?.usage?.totalTokens).toBe(1_100);
    expect(await getRun(observed.runId)).toMatchObject({ status: RunStatus.LIMITED, limit: 'iterations' });
    const { messages } = model.calls[9]!.body as { messages: { content: string }[] };
    expect(messages[0]?.content).toMatch(/last step/);
  });

  it('stops at the limit of calls if the model requests many at once', async () => {
    const many = Array.from({ length: 40 }, (_, at) => sum(`${at} + 1`, `call_${at}`));
    model.play(calls(...many), replyOf('That is enough.'));
    const observed = await run();
    expect(observed.calls).toHaveLength(25);
    expect(observed.results).toHaveLength(25);
    expect(shown(1)).toHaveLength(40);
    expect(observed.completed).toMatchObject({
      status: RunStatus.LIMITED,
      limit: 'tool_calls',
      content: 'That is enough.',
    });
  });

  it('stops at the limit of tokens', async () => {
    model.play(
      { ...calls(sum('1 + 1')), usage: { prompt: 49_000, completion: 2_000 } } as OpenAiTurn,
      replyOf('Never.'),
    );
    const observed = await run();
    expect(model.calls).toHaveLength(1);
    expect(observed.completed).toMatchObject({ status: RunStatus.LIMITED, limit: 'tokens' });
    expect(observed.completed?.usage?.totalTokens).toBe(51_000);
  });

  it('reports a refusal and an empty answer', async () => {
    model.play({ kind: 'message', refusal: 'No.' });
    const observed = await run();
    expect(observed.completed).toMatchObject({ status: RunStatus.COMPLETED, stopReason: 'refused' });
    expect(observed.content).not.toBe('');
  });

  it('fails with the error of its model, and is stored as failed', async () => {
    model.play({ kind: 'message', text: 'Half of ', fault: { afterPieces: 0, kind: 'cut' } });
    const observed = await run();
    expect(observed.failure).toMatchObject({ code: expect.stringMatching(/upstream_error|unavailable/) });
    expect(observed.completed).toBeUndefined();
    expect(await getRun(observed.runId)).toMatchObject({
      status: RunStatus.FAILED,
      error: { code: expect.any(String) },
    });
  });

  it('runs with the settings of an editor in place of those of its agent', async () => {
    model.play(replyOf('Hello.'));
    const settings = { systemPrompt: 'Answer like a pirate.', tools: ['calculate'], collectionIds: [], memory: 'off' };
    expect(await run('Hi', { settings })).toMatchObject({ content: 'Hello.', failure: undefined });
    const { messages, tools } = model.calls[0]!.body as {
      messages: { role: string; content: string }[];
      tools: { function: { name: string } }[];
    };
    expect(messages[0]?.content).toContain('Answer like a pirate.');
    expect(tools.map(({ function: { name } }) => name)).toEqual(['calculate']);
    const { systemPrompt } = await system.agents.getAgent({ id: agentId }, callAs(caller));
    expect(systemPrompt).toBe('Help.');
  });

  it('rejects invalid settings, and settings from end users', async () => {
    const settings = { systemPrompt: 'Help.', tools: ['shop__refund'], collectionIds: [], memory: 'off' };
    expect((await run('Hi', { settings })).failure).toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'settings.tools[0]' }] },
    });
    const member = { ...caller, userEmail: 'ann@example.com' };
    const allowed = { ...settings, tools: [] };
    const request = { agentId, message: 'Hi', settings: allowed };
    expect((await system.run(request, member)).failure).toMatchObject({ code: 'forbidden' });
    model.play(replyOf('Hello.'));
    const editor = { ...member, mayManage: true };
    expect((await system.run(request, editor)).content).toBe('Hello.');
  });

  it('includes the earlier messages of its conversation', async () => {
    model.play(replyOf('Ada.'));
    const history = [
      { assistant: false, content: 'My name is Ada.' },
      { assistant: true, content: 'Hello Ada.' },
    ];
    const observed = await run('What is my name?', { history, conversationId: 'conv_1' });
    const { messages } = model.calls[0]!.body as { messages: { content: string }[] };
    expect(messages.map(({ content }) => content).slice(1)).toEqual([
      'My name is Ada.',
      'Hello Ada.',
      'What is my name?',
    ]);
    expect((await getRun(observed.runId)).conversationId).toBe('conv_1');
  });
});

describe('an invalid request for a run', () => {
  it.each([
    ['an empty message', { message: ' ' }, 'invalid_request'],
    ['an unknown model', { message: 'x', model: 'nope' }, 'invalid_request'],
    ['a maximum that the model does not support', { message: 'x', maxTokens: 10_000_000 }, 'invalid_request'],
    ['an unknown agent', { message: 'x', agentId: 'agt_01h455vb4pex5vsknk084sn02q' }, 'not_found'],
  ])('is rejected before any event if it has %s', async (_what, request, code) => {
    const observed = await run('x', request);
    expect(observed.order).toEqual([]);
    expect(observed.failure).toMatchObject({ code });
  });
});

describe('a run that is interrupted', () => {
  const slow: OpenAiTurn = { kind: 'message', text: 'This never ends. '.repeat(60), pauseMs: 30 };

  it('emits one final event and is stored as cancelled when the cancel endpoint interrupts it', async () => {
    model.play(slow);
    let cancelled: Promise<Run> | undefined;
    const observed = await system.run({ agentId, message: 'Continue.' }, caller, {
      onEvent: (event, id) => {
        if (event.$case === 'content') cancelled ??= system.runs.cancelRun({ agentId, id }, callAs(caller));
      },
    });
    expect(await cancelled).toMatchObject({ status: RunStatus.CANCELLED });
    expect(observed.order.at(-1)).toBe('completed');
    expect(observed.completed).toMatchObject({ status: RunStatus.CANCELLED, content: observed.content });
    await expect(system.runs.cancelRun({ agentId, id: observed.runId }, callAs(caller))).rejects.toMatchObject({
      code: 'conflict',
    });
    await waitUntil(() => model.open === 0, { what: 'the model call to be closed', timeoutMs: 1_000 });
  });

  it('cancels the model call within a second when its client disconnects', async () => {
    model.play(slow);
    const client = new AbortController();
    const observed = await system.run({ agentId, message: 'Continue.' }, caller, {
      signal: client.signal,
      onEvent: (event) => event.$case === 'content' && client.abort(),
    });
    await waitUntil(() => model.open === 0, { what: 'the model call to be closed', timeoutMs: 1_000 });
    const isCancelled = async () => (await getRun(observed.runId)).status === RunStatus.CANCELLED;
    await waitUntil(isCancelled, { what: 'the run to be cancelled', timeoutMs: 1_000 });
  });

  it('stops within seconds when another replica cancels it', async () => {
    const other = await startRunSystem({}, { database: system.database });
    try {
      model.play({ kind: 'silence' });
      let cancelled: Promise<Run> | undefined;
      const observed = await system.run({ agentId, message: 'Continue.' }, caller, {
        onEvent: (event, id) => {
          if (event.$case === 'iteration') cancelled ??= other.runs.cancelRun({ agentId, id }, callAs(caller));
        },
      });
      expect(await cancelled).toMatchObject({ status: RunStatus.CANCELLED });
      expect(observed.completed?.status).toBe(RunStatus.CANCELLED);
    } finally {
      await other.stop();
    }
  });

  it('is detected and stored as failed when its process crashes', async () => {
    model.play(replyOf('Yes.'));
    const { runId } = await run();
    const database = new pg.Client(system.database.url);
    await database.connect();
    // The state that a process that crashed a minute ago leaves.
    await database.query(
      `UPDATE agent.runs SET status = 'running', completed_at = NULL, alive_at = now() - interval '60 s' WHERE id = $1`,
      [runId],
    );
    await database.end();
    const next = await startRunSystem({}, { database: system.database });
    try {
      const isEnded = async () => (await getRun(runId)).status === RunStatus.FAILED;
      await waitUntil(isEnded, { what: 'the abandoned run to be ended', timeoutMs: 5_000 });
      expect(await getRun(runId)).toMatchObject({ error: { code: 'unavailable' }, completedAt: expect.any(Date) });
    } finally {
      await next.stop();
    }
  });

  it('is reported and stored within the shutdown timeout when its service stops', async () => {
    const stopping = await startRunSystem(
      { OPENAI_BASE_URL: `${model.origin}/v1`, CHAT_MODEL: 'local', SHUTDOWN_TIMEOUT_MS: '3000' },
      { database: system.database },
    );
    model.play({ kind: 'silence' });
    let stopped: Promise<void> | undefined;
    const observed = await stopping.run({ agentId, message: 'Continue.' }, caller, {
      onEvent: (event) => {
        if (event.$case === 'iteration') stopped ??= stopping.stop();
      },
    });
    await stopped;
    expect(observed.failure).toMatchObject({ name: 'AppError' });
    expect(await getRun(observed.runId)).toMatchObject({ status: RunStatus.CANCELLED });
  });

  it('never blocks the stop of its service', async () => {
    const runs = { ...createActiveRuns(), idle: () => new Promise<never>(() => undefined) };
    const other = await startRunSystem({}, { database: system.database, context: { runs } });
    await expect(other.stop()).resolves.toBeUndefined();
  });

  it('fails with a timeout and is stored as timed out when it exceeds its time limit', async () => {
    const shortTimeout = await startRunSystem(
      { OPENAI_BASE_URL: `${model.origin}/v1`, CHAT_MODEL: 'local', AGENT_TIMEOUT_MS: '1000' },
      { database: system.database },
    );
    try {
      model.play({ kind: 'silence' });
      const observed = await shortTimeout.run({ agentId, message: 'Continue.' }, caller);
      expect(observed.failure).toMatchObject({ code: 'timeout', message: expect.stringMatching(/1 s/) });
      expect(await getRun(observed.runId)).toMatchObject({ status: RunStatus.TIMED_OUT, error: { code: 'timeout' } });
    } finally {
      await shortTimeout.stop();
    }
  });
});

describe('runs', () => {
  it('are listed newest first, to callers who can see them', async () => {
    model.play(replyOf('Yes.'));
    const one = await run('First');
    const two = await run('Second');
    const { runs, page } = await system.runs.listRuns({ agentId, page: { page: 1, limit: 2 } }, callAs(caller));
    expect(runs.map(({ id }) => id)).toEqual([two.runId, one.runId]);
    expect(page?.total).toBeGreaterThanOrEqual(2);
    const other = { ...caller, keyId: 'key_other', scope: { kind: 'only' as const, ids: [] } };
    expect((await system.runs.listRuns({ agentId }, callAs(other))).runs).toEqual([]);
    const runRequest = { agentId, id: one.runId };
    await expect(system.runs.getRun(runRequest, callAs(other))).rejects.toMatchObject({ code: 'not_found' });
    await expect(system.runs.getRun(runRequest, callAs(createCaller()))).rejects.toMatchObject({ code: 'not_found' });
    await expect(system.runs.cancelRun(runRequest, callAs(other))).rejects.toMatchObject({ code: 'not_found' });
  });
});
