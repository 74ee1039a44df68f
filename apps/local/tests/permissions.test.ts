import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Api, Json } from './support/api.ts';
import { type SharedLectern, shareLectern } from './support/shared-lectern.ts';

const TEXTS = {
  'Open plan': { content: 'Everybody may read about the heron.', principals: ['public'] },
  'Ada’s plan': { content: 'The heron project moves to Lisbon in May.', principals: ['user:Ada@Example.com'] },
  'Bob’s plan': { content: 'The heron project moves to Oslo in June.', principals: ['user:bob@example.com'] },
  'Nobody’s plan': { content: 'The heron project moves to Rome in July.', principals: ['group:drive:unknown'] },
} as const;
const MODES = ['hybrid', 'keyword', 'semantic'];

let lectern: SharedLectern;
let team: Api;
let ada: Api;
let collection: string;
const ids: Record<string, string> = {};

beforeAll(async () => {
  lectern = await shareLectern();
  team = lectern.api;
  ada = team.as('ada@example.com');
  collection = (await team.ok('POST', '/api/v1/collections', { name: 'Plans' })).id;
  for (const [title, text] of Object.entries(TEXTS)) {
    ids[title] = (await team.ok('POST', `/api/v1/collections/${collection}/documents`, { title, ...text })).id;
  }
  await team.until(`/api/v1/collections/${collection}/documents`, (rows) =>
    rows.every(({ status }: Json) => status === 'indexed'),
  );
});

const titlesOf = (rows: readonly Json[]) => rows.map(({ title }) => title).sort();
const ADAS = ['Ada’s plan', 'Open plan'];

describe('a request for an end user', () => {
  it.each(MODES)('finds and counts in %s mode what the user can read, or everything without a user', async (mode) => {
    const query = { query: 'heron plan', mode };
    const found = await ada.call('POST', '/api/v1/search', query);
    expect(titlesOf(found.data.results)).toEqual(ADAS);
    expect(found.meta.total).toBe(2);
    const faceted = await ada.ok('POST', '/api/v1/search/faceted', { ...query, facets: ['collection'] });
    expect(faceted.facets[0].values).toEqual([{ value: collection, count: 2 }]);
    expect((await team.call('POST', '/api/v1/search', query)).meta.total).toBe(4);
  });

  it('returns the same in a search on a docs site', async () => {
    const { results } = await ada.ok('POST', '/v1/docs/search', { query: 'heron' });
    expect(titlesOf(results)).toEqual(ADAS);
  });

  it('reads, lists and counts no document of others', async () => {
    const read = (title: string) => ada.call('GET', `/api/v1/documents/${ids[title]}/content`);
    expect((await read('Ada’s plan')).data.content).toContain('Lisbon');
    const rejected = await read('Bob’s plan');
    expect([rejected.status, rejected.error.code]).toEqual([404, 'not_found']);
    expect(titlesOf(await ada.all(`/api/v1/collections/${collection}/documents`))).toEqual(ADAS);
    expect((await ada.ok('GET', `/api/v1/collections/${collection}`)).documentCount).toBe(2);
  });

  it('answers in a chat only from documents that the user can read', async () => {
    const question = { message: 'Where does the heron project move?' };
    const path = `/api/v1/teams/${team.teamId}`;
    const reply = await ada.ok('POST', `${path}/chat`, question);
    expect(reply.content).toContain('Lisbon');
    expect(reply.content).not.toMatch(/Oslo|Rome/);
    expect(ADAS).toEqual(expect.arrayContaining(titlesOf(reply.sources)));
    const events = await ada.stream(`${path}/chat/stream`, question);
    expect(JSON.stringify(events)).not.toMatch(/Oslo|Rome/);
    const conversation = `${path}/conversations/${reply.conversationId}`;
    expect((await ada.call('GET', conversation)).status).toBe(200);
    expect((await team.as('bob@example.com').call('GET', conversation)).status).toBe(404);
  });
});
