import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkerOf, type DocumentChecker, unknownFields } from '../../gateway/tests/support/document.ts';
import type { Json } from './support/api.ts';
import { type Lectern, startLectern } from './support/start-lectern.ts';

let lectern: Lectern;
let checker: DocumentChecker;
/** The ids of what was made, by the parameters that they fill: `collections` before `{id}`, or a name of its own. */
const known = new Map<string, string>();

beforeAll(async () => {
  lectern = await startLectern();
  const served = await fetch(`${lectern.baseUrl}/openapi.json`);
  checker = checkerOf(await served.json());
});
afterAll(() => lectern?.stop());

/** Holds an answer to what the document says of it. */
function expectConforming(method: string, template: string, status: number, value: Json): void {
  const operation = checker.document.paths[template][method.toLowerCase()];
  const said = checker.answerOf(operation, status);
  const name = `${method} ${template} ${status}`;
  expect({ name, known: said !== undefined }).toEqual({ name, known: true });
  const { schema } = said.content['application/json'];
  const problems = [...checker.problems(schema, value), ...unknownFields(checker.document, schema, value)];
  expect({ name, problems }).toEqual({ name, problems: [] });
}

async function ask(method: string, template: string, path: string, body?: unknown): Promise<Json> {
  const { status, ...whole } = await lectern.api.call(method, path, body);
  const { data, meta, error } = whole;
  const value = error === undefined ? { data, meta } : { error, meta };
  expectConforming(method, template, status, value);
  return { status, data };
}

/** The path of an operation with known ids in it; undefined where one is not known. */
function pathOf(template: string): string | undefined {
  let isKnown = true;
  const path = template.replaceAll(/(\w[\w-]*)\/\{(\w+)\}/g, (_match, before: string, name: string) => {
    const id = known.get(name === 'id' || name === 'templateId' ? before : name);
    isKnown &&= id !== undefined;
    return `${before}/${id}`;
  });
  return isKnown ? path : undefined;
}

/** What is made first, in this order: an operation's path, its body, and what its answer's id is called. */
const MADE: readonly (readonly [path: string, body: (ids: typeof known) => object, name: string])[] = [
  ['/api/v1/collections', () => ({ name: 'Handbook' }), 'collections'],
  ['/api/v1/collections/{id}/documents', () => ({ title: 'Leave', content: 'Thirty days a year.' }), 'documents'],
  [
    '/api/v1/connectors',
    (ids) => ({ name: 'Files', type: 'upload', collection: ids.get('collections') }),
    'connectors',
  ],
  ['/api/v1/agents', () => ({ name: 'Helper', systemPrompt: 'You help.', tools: ['search_documents'] }), 'agents'],
  ['/api/v1/agents/{id}/memories', () => ({ kind: 'fact', content: 'The office closes at six.' }), 'memoryId'],
  ['/api/v1/api-keys', () => ({ name: 'Website', allowed_hosts: ['example.com'] }), 'api-keys'],
  ['/api/v1/teams/{teamId}/chat', () => ({ message: 'How many days of leave?' }), 'conversations'],
  ['/api/v1/connectors/{id}/sync', () => ({}), 'jobId'],
  ['/api/v1/analytics/events', () => ({ name: 'opened', properties: { rank: 1 } }), 'event'],
  ['/api/v1/search', () => ({ query: 'leave' }), 'found'],
  ['/api/v1/search/faceted', () => ({ query: 'leave', facets: ['source'] }), 'found'],
  ['/v1/docs/search', () => ({ query: 'leave' }), 'found'],
  ['/api/v1/collections/{id}/refresh-stats', () => ({}), 'stats'],
  ['/api/v1/connectors/{id}/test', () => ({}), 'report'],
  ['/api/v1/connectors/{id}/refresh-permissions', () => ({}), 'refresh'],
];

describe('a whole system, driven by the document that it serves,', () => {
  it('answers as it says while things are made', async () => {
    known.set('teamId', lectern.credentials.teamId).set('teams', lectern.credentials.teamId);
    for (const [template, body, name] of MADE) {
      const path = pathOf(template);
      const { status, data } = await ask('POST', template, path ?? template, body(known));
      expect({ template, status: Math.floor(status / 100) }).toEqual({ template, status: 2 });
      const id = name === 'conversations' ? data.conversationId : (data.jobId ?? data.id);
      if (typeof id === 'string') known.set(name, id);
    }
    await lectern.api.endOfJob(String(known.get('connectors')), String(known.get('jobId')));
  });

  it('answers every reading operation as it says, also where there is nothing', async () => {
    const reading = checker.operations().filter(({ method, operation }) => {
      return method === 'get' && operation.responses[200]?.content?.['application/json'] !== undefined;
    });
    let asked = 0;
    for (const { path: template } of reading) {
      const path = pathOf(template);
      const query = template.endsWith('/memories/search') ? '?query=office' : '';
      if (path !== undefined && !template.includes('{provider}')) {
        asked += 1;
        const { status } = await ask('GET', template, `${path}${query}`);
        expect([200, 404]).toContain(status);
      }
      const nowhere = template.replace('{teamId}', lectern.credentials.teamId).replaceAll(/\{\w+\}/g, 'nothing');
      if (nowhere !== template) await ask('GET', template, `${nowhere}${query}`);
    }
    expect(asked).toBeGreaterThan(20);
  });

  it('answers as it says while things are taken away', async () => {
    for (const template of [
      '/api/v1/documents/{id}',
      '/api/v1/agents/{id}',
      '/api/v1/api-keys/{id}',
      '/api/v1/collections/{id}',
    ]) {
      for (const expected of template.includes('api-keys') ? [200] : [200, 404]) {
        const { status } = await ask('DELETE', template, String(pathOf(template)));
        expect({ template, status }).toEqual({ template, status: expected });
      }
    }
  });
});
