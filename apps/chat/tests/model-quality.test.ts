import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { replyForm, share } from '@lectern/grounding';
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

const KEY = 'sk-ant-test';
const QUESTION = 'How many weeks of parental leave does a new parent get?';
const CITED = 'It is in the handbook';
const REFUSAL = 'I could not find an answer to that in the documents.';

const caller = createCaller();
let system: TestSystem;
let claude: ModelServer<AnthropicTurn>;
let llama: ModelServer<OpenAiTurn>;
let app: Awaited<ReturnType<TestSystem['startAnother']>>;

beforeAll(async () => {
  system = await startSystem();
  claude = await startAnthropicServer({ apiKey: KEY, models: { 'claude-sonnet-5-5': 128_000 } });
  llama = await startOpenAiServer({ models: { 'llama-3': {} } });
  const settings = {
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: claude.origin,
    OPENAI_BASE_URL: `${llama.origin}/v1`,
  };
  app = await system.startAnother({}, settings);
  await system.addCollection(caller, 'Handbook', HANDBOOK);
});

afterAll(async () => {
  await app.stop();
  await system.stop();
  await claude.stop();
  await llama.stop();
});

/** Asks a model and checks the form of its reply, as the evaluation of answers does. */
async function formOf(model: string) {
  const { content, sources, answerConfidence } = await app.chat.chat({ message: QUESTION, model }, callAs(caller));
  return replyForm({ content, sources, violationFree: answerConfidence?.signals?.violationFree });
}

const llamaTurn = (text: string): OpenAiTurn => ({ kind: 'message', text });
const claudeTurn = (text: string, isCited: boolean): AnthropicTurn => ({
  kind: 'message',
  blocks: [{ type: 'text', text, ...(isCited ? { cites: [{ searchResult: 0 }] } : {}) }],
});

describe.each(['llama-3', 'claude-sonnet-5-5'])('the replies of %s', (model) => {
  const play = (...turns: readonly (readonly [text: string, isCited: boolean])[]) =>
    model === 'llama-3'
      ? llama.play(...turns.map(([text, isCited]) => llamaTurn(isCited ? `${text} [1].` : text)))
      : claude.play(...turns.map(([text, isCited]) => claudeTurn(text, isCited)));

  it('are counted by valid citations, abstentions and corrections', async () => {
    play([CITED, true]);
    const cited = await formOf(model);
    play([REFUSAL, false], [REFUSAL, false]);
    const refused = await formOf(model);
    play(['Every new parent gets ninety nine weeks of leave.', false], [CITED, true]);
    const corrected = await formOf(model);

    expect(cited).toMatchObject({ citesValidly: true, abstains: false, isCorrected: false });
    expect(refused).toMatchObject({ citesValidly: false, abstains: true });
    expect(corrected).toMatchObject({ citesValidly: true, abstains: false, isCorrected: true });
    const forms = [cited, refused, corrected];
    expect(share(forms, ({ abstains }) => abstains)).toBeCloseTo(1 / 3);
    expect(share(forms, ({ isCorrected }) => isCorrected)).toBeCloseTo(1 / 3);
  });
});
