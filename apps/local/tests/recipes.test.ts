import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ModelServer, type OpenAiTurn, startOpenAiServer, temporaryFolder } from '@lectern/testing';
import { itIf } from '@lectern/testing/skip';
import { LANGUAGES, patternOf, prepareFolder, readBlocks, recipes, runBlock } from './support/recipes.ts';
import { type SharedLectern, shareLectern } from './support/shared-lectern.ts';

const DOCUMENTS = [
  { title: 'Leave', content: 'Everyone has thirty days of paid leave a year. Unused days end in March.' },
  { title: 'Travel', content: 'Trains are booked in second class. Hotels may cost 120 euros a night.' },
];

type Model = ModelServer<OpenAiTurn>;

/** A model of another company that calls the first tool once and then repeats its result. */
const startToolModel = (): Promise<Model> =>
  startOpenAiServer({
    apiKey: 'sk-recipe',
    models: { 'gpt-5-mini': {} },
    respond: ({ messages, tools }) => {
      const last = messages.at(-1);
      const name = tools?.[0]?.function.name;
      if (last?.role === 'tool') return { kind: 'message', text: `The tool returned: ${JSON.stringify(last.content)}` };
      if (name === undefined) return { kind: 'message', text: `Answer to: ${JSON.stringify(last?.content)}` };
      return { kind: 'message', toolCalls: [{ id: 'call_1', name, input: { query: 'paid leave' } }] };
    },
  });

let lectern: SharedLectern;
let model: Model;
let env: Record<string, string>;
beforeAll(async () => {
  [lectern, model] = await Promise.all([shareLectern(), startToolModel()]);
  const { api, baseUrl, credentials } = lectern;
  const collection = await api.ok('POST', '/api/v1/collections', { name: 'Handbook' });
  const path = `/api/v1/collections/${collection.id}/documents`;
  const created = await Promise.all(DOCUMENTS.map((document) => api.ok('POST', path, document)));
  for (const { id } of created) await api.until(`/api/v1/documents/${id}`, ({ status }) => status === 'indexed');
  const agent = await api.ok('POST', '/api/v1/agents', {
    name: 'Travel helper',
    systemPrompt: 'You help employees who travel.',
    tools: ['search_documents'],
  });
  const custom = { name: 'Wiki', type: 'custom', collection: collection.id };
  const connector = await api.ok('POST', '/api/v1/connectors', custom);
  env = {
    LECTERN_URL: baseUrl,
    LECTERN_KEY: credentials.secretKey,
    LECTERN_TEAM: credentials.teamId,
    LECTERN_COLLECTION: collection.id,
    LECTERN_AGENT: agent.id,
    LECTERN_CONNECTOR: connector.id,
    OPENAI_BASE_URL: `${model.origin}/v1`,
    OPENAI_API_KEY: 'sk-recipe',
  };
});
afterAll(() => model.stop());

describe.each(recipes())('the recipe %s', (recipe) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await prepareFolder(folder.path);
  });
  afterAll(() => folder.remove());

  for (const block of readBlocks(recipe)) {
    const { language, line, notRun, output } = block;
    itIf(notRun === undefined, notRun ?? '')(`works: the ${language} block in line ${line}`, async () => {
      expect(LANGUAGES).toContain(language);
      const printed = await runBlock(folder.path, block, { baseUrl: lectern.baseUrl, env });
      if (output !== undefined) expect(printed.trim()).toMatch(patternOf(output));
    });
  }
});

it('finds recipes', () => {
  expect(recipes().length).toBeGreaterThan(0);
});
