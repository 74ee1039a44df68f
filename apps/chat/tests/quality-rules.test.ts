import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AnthropicTurn,
  callAs,
  createCaller,
  type ModelServer,
  type OpenAiTurn,
  startAnthropicServer,
  startOpenAiServer,
} from '@lectern/testing';
import { HANDBOOK } from './handbook.ts';
import { startSystem, type TestSystem } from './system.ts';

const caller = createCaller();
const CLAUDE = 'claude-sonnet-5-5';
const GPT = 'gpt-4o';
const KEY = 'sk-ant-test';
const message = 'How many weeks of parental leave does a new parent get?';
const DIVIDER = '\n\n---\n\n';

let system: TestSystem;
let claude: ModelServer<AnthropicTurn>;
let gpt: ModelServer<OpenAiTurn>;
let app: Awaited<ReturnType<TestSystem['startAnother']>>;

beforeAll(async () => {
  system = await startSystem();
  claude = await startAnthropicServer({ apiKey: KEY, models: { [CLAUDE]: 200_000 } });
  gpt = await startOpenAiServer({ models: { [GPT]: {} } });
  app = await system.startAnother(
    {},
    {
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: claude.origin,
      OPENAI_BASE_URL: `${gpt.origin}/v1`,
      MODEL_RETRY_MS: 0,
    },
  );
  await system.addCollection(caller, 'Handbook', HANDBOOK);
}, 120_000);

afterAll(async () => {
  await app.stop();
  await claude.stop();
  await gpt.stop();
  await system.stop();
});

/** A reply that violates a rule. */
interface Fault {
  readonly rule: string;
  readonly text: string;
  readonly cites?: 'nothing';
  readonly cut?: true;
}

const FAULTS: readonly Fault[] = [
  { rule: 'a claim without a source', text: 'It is a generous paid leave for all parents.', cites: 'nothing' },
  { rule: 'a number that its source does not have', text: 'Every new parent gets 26 weeks of paid parental leave.' },
  { rule: 'a reply that was cut off', text: 'Every new parent gets sixteen weeks of', cut: true },
  { rule: 'an empty reply', text: '', cites: 'nothing' },
  {
    rule: 'a language other than that of the question',
    text: 'Das ist wirklich gut zu wissen und steht so für alle neuen Eltern in dem Handbuch der Firma.',
  },
  {
    rule: 'an unnecessary refusal',
    text: 'I could not find an answer to that in the documents.',
    cites: 'nothing',
  },
];
const RIGHT = 'This corrects the above: every new parent gets sixteen weeks of paid parental leave.';

/** Returns the requests for a reply, without those for the list of models. */
const requestsTo = ({ calls }: ModelServer<unknown>) => calls.filter(({ method }) => method === 'POST');
const ask = (model: string) => app.chat.chat({ message, model }, callAs(caller));

describe.each(FAULTS)('$rule', (fault) => {
  const { text, cut, cites } = fault;

  it('is corrected once by a Chat Completions model, otherwise flagged', async () => {
    const draft = cites === 'nothing' ? text : `${text} [1]`;
    const usage = { prompt: 100, completion: 10 };
    const wrong: OpenAiTurn = { kind: 'message', text: draft, usage, ...(cut && { finishReason: 'length' }) };
    gpt.play(wrong, { kind: 'message', text: `${RIGHT} [1]`, usage });
    const corrected = await ask(GPT);
    expect(requestsTo(gpt).map(({ error }) => error)).toEqual([undefined, undefined]);
    expect(corrected.content).toBe(`${draft === '' ? '' : draft + DIVIDER}${RIGHT} [1]`);
    expect(corrected.answerConfidence?.signals?.violationFree).toBe(1);
    expect(corrected.usage).toMatchObject({ promptTokens: 200, completionTokens: 20 });
    gpt.play(wrong, wrong);
    const flagged = await ask(GPT);
    expect(requestsTo(gpt)).toHaveLength(2);
    expect(flagged.content).toBe(draft);
    expect(flagged.answerConfidence?.signals?.violationFree).toBeLessThan(1);
  });

  it('is corrected once by Claude, otherwise flagged', async () => {
    const block = { type: 'text', text, ...(cites === 'nothing' ? {} : { cites: [{ searchResult: 0 }] }) } as const;
    const blocks = text === '' ? [] : [block];
    const wrong: AnthropicTurn = { kind: 'message', blocks, ...(cut && { stopReason: 'max_tokens' }) };
    claude.play(wrong, { kind: 'message', blocks: [{ type: 'text', text: RIGHT, cites: [{ searchResult: 0 }] }] });
    const corrected = await ask(CLAUDE);
    expect(claude.calls.map(({ error }) => error)).toEqual([undefined, undefined]);
    expect(corrected.content).toContain(RIGHT);
    expect(corrected.content.startsWith(text)).toBe(true);
    expect(corrected.answerConfidence?.signals?.violationFree).toBe(1);
    claude.play(wrong, wrong);
    const flagged = await ask(CLAUDE);
    expect(claude.calls).toHaveLength(2);
    expect(flagged.content).not.toContain(DIVIDER);
    expect(flagged.answerConfidence?.signals?.violationFree).toBeLessThan(1);
  });
});

describe('a citation of an unknown source', () => {
  it('is removed for every model, and its claim is corrected like one without a source', async () => {
    const claim = 'Every new parent gets a long paid leave';
    gpt.play({ kind: 'message', text: `${claim} [9].` }, { kind: 'message', text: `${RIGHT} [1]` });
    expect((await ask(GPT)).content).toContain(`${DIVIDER}${RIGHT} [1]`);
    const cites = [{ searchResult: 0, citedText: 'Words that occur nowhere.' }];
    claude.play(
      { kind: 'message', blocks: [{ type: 'text', text: `${claim}.`, cites }] },
      { kind: 'message', blocks: [{ type: 'text', text: RIGHT, cites: [{ searchResult: 0 }] }] },
    );
    const { content, answerConfidence } = await ask(CLAUDE);
    expect(content).toContain(DIVIDER + RIGHT);
    expect(answerConfidence?.signals?.violationFree).toBe(1);
  });
});

describe('maxTokens', () => {
  it('limits reply and correction together', async () => {
    gpt.play({
      kind: 'message',
      text: 'Every new parent gets',
      finishReason: 'length',
      usage: { prompt: 9, completion: 100 },
    });
    const { answerConfidence } = await app.chat.chat({ message, model: GPT, maxTokens: 100 }, callAs(caller));
    expect(requestsTo(gpt)).toHaveLength(1);
    expect(answerConfidence?.signals?.violationFree).toBeLessThan(1);
  });
});
