import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Run, RunStatus } from '@lectern/contracts';
import {
  type AnthropicTurn,
  callAs,
  createCaller,
  type ModelServer,
  type ScriptedBlock,
  startAnthropicServer,
  waitUntil,
} from '@lectern/testing';
import { type ObservedRun, type RunSystem, startRunSystem } from './support/run-system.ts';

const KEY = 'sk-ant-test';
const caller = createCaller();
let model: ModelServer<AnthropicTurn>;
let system: RunSystem;
let agentId: string;

const turn = (...blocks: ScriptedBlock[]): AnthropicTurn => ({
  kind: 'message',
  blocks,
  usage: { input: 60, cacheWritten: 30, cacheRead: 10, output: 10 },
});
const thinking = (text: string): ScriptedBlock => ({ type: 'thinking', thinking: text });
const replyOf = (text: string): ScriptedBlock => ({ type: 'text', text });
const calls = (id: string, name: string, input: object): ScriptedBlock => ({ type: 'tool_use', id, name, input });
const sum = (id: string, expression = '1 + 1') => calls(id, 'calculate', { expression });
const getRun = (id: string): Promise<Run> => system.runs.getRun({ agentId, id }, callAs(caller));
const ROUND = ['iteration', 'toolCall', 'toolResult'];

type Message = { readonly role: string; readonly content: readonly Readonly<Record<string, unknown>>[] };
const sent = (call: number) => model.calls[call]!.body.messages as readonly Message[];
/** Returns the tool results at the end of a request to the model. */
const shown = (call: number) => sent(call).at(-1)!.content;

/**
 * Runs to the end. Checks that the fake server accepted every request, and that the last event is
 * the only terminal one.
 */
async function run(...turns: AnthropicTurn[]): Promise<ObservedRun> {
  model.play(...turns);
  const observed = await system.run({ agentId, message: 'What is it?' }, caller);
  expect(model.calls.map(({ error }) => error)).toEqual(model.calls.map(() => undefined));
  expect(observed.failure).toBeUndefined();
  expect(observed.order.indexOf('completed')).toBe(observed.order.length - 1);
  const expectedUsage = { promptTokens: 100 * model.calls.length, completionTokens: 10 * model.calls.length };
  expect(observed.completed?.usage).toMatchObject(expectedUsage);
  expect((await getRun(observed.runId)).usage).toMatchObject(expectedUsage);
  return observed;
}

beforeAll(async () => {
  model = await startAnthropicServer({ apiKey: KEY, models: { 'claude-sonnet-5-5': 128_000 } });
  system = await startRunSystem({
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: model.origin,
    AGENT_MAX_ITERATIONS: '5',
  });
  const tools = ['calculate', 'get_datetime', 'search_documents'];
  const agent = await system.agents.createAgent({ name: 'A', systemPrompt: 'Help.', tools }, callAs(caller));
  agentId = agent.id;
});
afterAll(async () => {
  await system.stop();
  await model.stop();
});

describe('a run with Claude', () => {
  it('calls a tool and returns thinking blocks unchanged', async () => {
    const observed = await run(
      turn(thinking('A product. I calculate it.'), replyOf('Let me see.'), sum('toolu_1', '17 * 3')),
      turn(thinking('And twice that.'), sum('toolu_2', '51 * 2')),
      turn(thinking('Done.'), replyOf('It is 102.')),
    );
    expect(observed.order).toEqual([
      'started',
      'iteration',
      'thinking',
      'toolCall',
      'toolResult',
      ...ROUND,
      'iteration',
      'content',
      'completed',
    ]);
    // Thinking blocks are not emitted; text before tool calls is.
    expect(observed.thoughts).toEqual(['Let me see.']);
    expect(observed).toMatchObject({
      content: 'It is 102.',
      completed: { status: RunStatus.COMPLETED, stopReason: 'end' },
    });
    expect(observed.results).toMatchObject([{ result: { result: '51' } }, { result: { result: '102' } }]);
    const signature = expect.stringMatching(/.+/);
    expect(sent(2).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(sent(2)[1]!.content).toEqual([
      { type: 'thinking', thinking: 'A product. I calculate it.', signature },
      { type: 'text', text: 'Let me see.' },
      { type: 'tool_use', id: 'toolu_1', name: 'calculate', input: { expression: '17 * 3' } },
    ]);
    expect(sent(2)[3]!.content).toEqual([
      { type: 'thinking', thinking: 'And twice that.', signature },
      { type: 'tool_use', id: 'toolu_2', name: 'calculate', input: { expression: '51 * 2' } },
    ]);
  });

  it('calls several tools concurrently and returns all results in one message', async () => {
    const time = calls('toolu_b', 'get_datetime', { timeZone: 'Asia/Tokyo' });
    const observed = await run(
      turn(thinking('Both.'), sum('toolu_a'), time, sum('toolu_c', '1 / 0')),
      turn(replyOf('Done.')),
    );
    expect(observed.order.slice(1, 8)).toEqual([
      'iteration',
      ...Array(3).fill('toolCall'),
      ...Array(3).fill('toolResult'),
    ]);
    expect(observed.results.map(({ id, success }) => [id, success])).toEqual([
      ['toolu_a', true],
      ['toolu_b', true],
      ['toolu_c', false],
    ]);
    expect(shown(1).map(({ tool_use_id, is_error = false }) => [tool_use_id, is_error])).toEqual([
      ['toolu_a', false],
      ['toolu_b', false],
      ['toolu_c', true],
    ]);
  });

  it.each<[string, ScriptedBlock, RegExp]>([
    ['a failing tool', sum('toolu_1', '1 / 0'), /zero/i],
    ['a service that is unavailable', calls('toolu_1', 'search_documents', { query: 'x' }), /reached|available/i],
    ['an unknown tool', calls('toolu_1', 'rm_rf', {}), /unknown tool/i],
    ['invalid arguments', calls('toolu_1', 'calculate', { formula: '1' }), /arguments/i],
    [
      'arguments that are not JSON',
      { type: 'tool_use', id: 'toolu_1', name: 'calculate', json: '{"e": ' },
      /invalid arguments/i,
    ],
  ])('returns %s to the model as an error and continues', async (_what, call, reason) => {
    const observed = await run(turn(thinking('I try.'), call), turn(replyOf('I could not.')));
    expect(observed.order).toEqual(['started', ...ROUND, 'iteration', 'content', 'completed']);
    expect(observed.results).toMatchObject([{ success: false, result: { error: expect.stringMatching(reason) } }]);
    expect(shown(1)).toMatchObject([{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true }]);
    expect(JSON.stringify(shown(1))).toMatch(reason);
    expect(observed.completed?.status).toBe(RunStatus.COMPLETED);
  });

  it('stops at the limit of steps if it keeps calling tools', async () => {
    const observed = await run(
      ...Array.from({ length: 9 }, (_, at) => turn(thinking(`Once more ${at}.`), sum(`toolu_${at}`))),
    );
    expect(model.calls).toHaveLength(5);
    expect(observed.calls).toHaveLength(4);
    expect(observed.completed).toMatchObject({ status: RunStatus.LIMITED, limit: 'iterations' });
    expect(observed.content).toMatch(/limit of 5 steps/);
    expect(JSON.stringify(model.calls[4]!.body.system)).toMatch(/last step/);
  });

  it.each([
    ['immediately', [] as ScriptedBlock[], /declined/],
    ['in the middle of its text', [replyOf('I would rather')], /^I would rather$/],
  ])('reports a refusal %s', async (_when, blocks, content) => {
    const observed = await run({ ...turn(...blocks), stopReason: 'refusal' } as AnthropicTurn);
    expect(observed.completed).toMatchObject({ status: RunStatus.COMPLETED, stopReason: 'refused' });
    expect(observed.content).toMatch(content);
  });

  it('ends once if it is cancelled in a step after tool calls', async () => {
    const slow = turn(replyOf('This never ends. '.repeat(60)));
    model.play(turn(thinking('First.'), sum('toolu_1')), { ...slow, pauseMs: 30 } as AnthropicTurn);
    let cancelled: Promise<Run> | undefined;
    const observed = await system.run({ agentId, message: 'Continue.' }, caller, {
      onEvent: (event, id) => {
        if (event.$case === 'content') cancelled ??= system.runs.cancelRun({ agentId, id }, callAs(caller));
      },
    });
    expect(await cancelled).toMatchObject({ status: RunStatus.CANCELLED });
    expect(observed.order).toEqual(['started', ...ROUND, 'iteration', 'content', 'completed']);
    // The usage of a cancelled step is unknown.
    const usage = { promptTokens: 100, completionTokens: 10, totalTokens: 110 };
    expect(observed.completed).toMatchObject({ status: RunStatus.CANCELLED, content: observed.content, usage });
    await waitUntil(() => model.open === 0, { what: 'the model call to be closed', timeoutMs: 1_000 });
  });
});
