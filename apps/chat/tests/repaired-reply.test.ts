import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatEvent } from '@lectern/contracts';
import { callAs, createCaller, type ModelServer, type OpenAiTurn, startOpenAiServer } from '@lectern/testing';
import { HANDBOOK } from './handbook.ts';
import { startSystem, type TestSystem } from './system.ts';

const caller = createCaller();
const MODEL = 'gpt-4o';
const message = 'How many weeks of parental leave does a new parent get?';
const WRONG = 'Every new parent gets 26 weeks of paid parental leave [1].';
const RIGHT = 'This corrects the above: every new parent gets sixteen weeks of paid parental leave [1].';

let system: TestSystem;
let server: ModelServer<OpenAiTurn>;
let app: Awaited<ReturnType<TestSystem['startAnother']>>;

beforeAll(async () => {
  system = await startSystem();
  server = await startOpenAiServer({ models: { [MODEL]: {} } });
  app = await system.startAnother({}, { OPENAI_BASE_URL: `${server.origin}/v1`, CHAT_MODEL: MODEL, MODEL_RETRY_MS: 0 });
  await system.addCollection(caller, 'Handbook', HANDBOOK);
});

afterAll(async () => {
  await app.stop();
  await server.stop();
  await system.stop();
});

const turn = (text: string): OpenAiTurn => ({ kind: 'message', text, usage: { prompt: 100, completion: 10 } });
const ask = () => app.chat.chat({ message }, callAs(caller));

describe('a reply that violates a quality rule', () => {
  it('is corrected once, and includes the correction in its content, confidence and usage', async () => {
    server.play(turn(WRONG), turn(RIGHT));
    const reply = await ask();
    expect(server.calls.map(({ error }) => error)).toEqual([undefined, undefined]);
    expect(JSON.stringify(server.calls[1]?.body)).toContain('26');
    expect(reply.content).toBe(`${WRONG}\n\n---\n\n${RIGHT}`);
    expect(reply.usage).toEqual({ promptTokens: 200, completionTokens: 20, totalTokens: 220 });
    expect(reply.answerConfidence?.signals?.violationFree).toBe(1);
    expect(reply.sources).toHaveLength(1);
  });

  it('is the same when streamed', async () => {
    server.play(turn(WRONG), turn(RIGHT));
    const whole = await ask();
    server.play(turn(WRONG), turn(RIGHT));
    const events: ChatEvent['event'][] = [];
    for await (const { event } of app.chat.streamChat({ message }, callAs(caller))) events.push(event);
    const text = events.map((event) => (event?.$case === 'contentDelta' ? event.value.delta : '')).join('');
    expect(text).toBe(whole.content);
    expect(events.at(-1)?.value).toEqual({
      usage: whole.usage,
      answerConfidence: whole.answerConfidence,
      model: whole.model,
      // Only for CompletionService.
      stopReason: '',
      documents: [],
    });
  });

  it('is returned unchanged and flagged if the correction fails or is no better', async () => {
    server.play(turn(WRONG), turn(WRONG));
    const same = await ask();
    expect(server.calls).toHaveLength(2);
    server.play(turn(WRONG), { kind: 'status', status: 500, type: 'server_error' });
    const failed = await ask();
    for (const { content, answerConfidence } of [same, failed]) {
      expect(content).toBe(WRONG);
      expect(answerConfidence?.signals?.violationFree).toBeLessThan(1);
    }
  });

  it('is requested again if it is empty', async () => {
    server.play(turn(''), turn('Sixteen weeks of parental leave, fully paid [1].'));
    const { content } = await ask();
    expect(content).toBe('Sixteen weeks of parental leave, fully paid [1].');
  });

  it('is not corrected if it violates no rule', async () => {
    const text = 'Every new parent gets sixteen weeks of paid parental leave [1].';
    server.play(turn(text));
    expect((await ask()).content).toBe(text);
    expect(server.calls).toHaveLength(1);
  });
});
