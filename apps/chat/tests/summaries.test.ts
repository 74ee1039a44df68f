import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callAs, createCaller, type ModelServer, type OpenAiTurn, startOpenAiServer } from '@lectern/testing';
import { startSystem, type TestSystem } from './system.ts';

const caller = createCaller();
const MODEL = 'gpt-4o';

/** A policy with many sections. A search finds at most a dozen of its passages. */
const SECTIONS = Array.from(
  { length: 60 },
  (_, at) =>
    `## Section ${at + 1}\n\nRule number ${at + 1} of traveling: ${'keep the receipts of the journey. '.repeat(30)}`,
);
const TEXTS = {
  'Travel policy': `# Travel policy\n\n${SECTIONS.join('\n\n')}\n\nThe very last word of it: safe journeys.`,
  Expenses: '# Expenses\n\nTravel expenses are paid back within ten days. The travel policy lists what is paid.',
  'Parental leave': '# Parental leave\n\nEvery new parent gets sixteen weeks of paid leave.',
};

let system: TestSystem;
let server: ModelServer<OpenAiTurn>;
let app: Awaited<ReturnType<TestSystem['startAnother']>>;

beforeAll(async () => {
  system = await startSystem();
  server = await startOpenAiServer({ models: { [MODEL]: {} } });
  app = await system.startAnother({}, { OPENAI_BASE_URL: `${server.origin}/v1`, CHAT_MODEL: MODEL, MODEL_RETRY_MS: 0 });
  await system.addCollection(caller, 'Policies', TEXTS);
}, 120_000);

afterAll(async () => {
  await app.stop();
  await server.stop();
  await system.stop();
});

describe('a summary of a named document', () => {
  it('uses the complete document and nothing else', async () => {
    server.play(
      { kind: 'message', text: 'Keep the receipts [1].' },
      { kind: 'message', text: 'Keep the receipts [1].' },
    );
    const reply = await app.chat.chat({ message: 'Summarize the travel policy' }, callAs(caller));
    const prompt = JSON.stringify(server.calls.find(({ method }) => method === 'POST')?.body);
    const read = SECTIONS.map((_, at) => prompt.includes(`Rule number ${at + 1} of traveling`));
    expect(read).toEqual(SECTIONS.map(() => true));
    expect(prompt).toContain('The very last word of it: safe journeys.');
    expect(prompt).not.toContain('paid back within ten days');
    expect(reply.sources.map(({ title }) => title)).toEqual(['Travel policy']);
  });
});
