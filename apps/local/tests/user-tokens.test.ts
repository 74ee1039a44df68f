import { beforeAll, describe, expect, it } from '@jest/globals';
import { Lectern as LecternSdk } from '@lectern/sdk';
import { type Api, createApi, type Json } from './support/api.ts';
import { type SharedLectern, shareLectern } from './support/shared-lectern.ts';

const TEXTS = {
  Lisbon: { shelf: 'a', pages: 10, principals: ['public'] },
  Oslo: { shelf: 'b', pages: 20, principals: ['public'] },
  Rome: { shelf: 'a', pages: 30, principals: ['user:bob@example.com'] },
} as const;
const FILTERS = { 'metadata.shelf': 'a' };

let lectern: SharedLectern;
let team: Api;
let collection: string;
let page: LecternSdk;
let token: Api;
const ids: Record<string, string> = {};

beforeAll(async () => {
  lectern = await shareLectern();
  team = lectern.api;
  const { baseUrl, secretKey } = lectern.credentials;
  collection = (await team.ok('POST', '/api/v1/collections', { name: 'Plans' })).id;
  for (const [city, { shelf, pages, principals }] of Object.entries(TEXTS)) {
    const content = `The heron project moves to ${city}.`;
    const body = { title: `${city} plan`, content, externalId: city, metadata: { shelf, pages }, principals };
    ids[city] = (await team.ok('POST', `/api/v1/collections/${collection}/documents`, body)).id;
  }
  await team.until(`/api/v1/collections/${collection}/documents`, (rows) =>
    rows.every(({ status }: Json) => status === 'indexed'),
  );
  const server = new LecternSdk({ baseUrl, key: secretKey });
  const created = await server.userTokens.create({
    user: 'ada@example.com',
    filters: FILTERS,
    rights: ['search', 'chat'],
  });
  page = new LecternSdk({ baseUrl, key: created.token });
  token = createApi({ ...lectern.credentials, secretKey: created.token });
});

const titlesOf = (results: readonly Json[]) => results.map(({ title }) => title).sort();

describe('a user token with filters', () => {
  it('works as the key of the SDK, and chats only from documents that meet them', async () => {
    expect(await page.keys.own()).toMatchObject({ kind: 'user_token', user: 'ada@example.com' });
    const { content, sources } = await page.chat.send({ message: 'Where does the heron project move?' });
    expect(content).toContain('Lisbon');
    expect(JSON.stringify([content, sources])).not.toMatch(/Oslo|Rome/);
  });

  it.each([
    ['a filter of the request', { filters: { 'metadata.shelf': 'b' } }, []],
    [
      'a filter that matches everything',
      { filters: { $or: [{ 'metadata.shelf': { $exists: true } }] } },
      ['Lisbon plan'],
    ],
    ['a facet filter', { facetFilters: { 'metadata.shelf': ['a', 'b'] } }, ['Lisbon plan']],
    ['the operators of a query', { query: 'heron -lisbon' }, []],
  ])('cannot be widened by %s', async (_name, fields, titles) => {
    const query = { query: 'heron plan', mode: 'keyword', facets: ['metadata.shelf'], ...fields };
    const { results, facets } = await token.ok('POST', '/api/v1/search/faceted', query);
    expect(titlesOf(results)).toEqual(titles);
    for (const { value } of facets[0].values) expect(value).toBe('a');
  });

  it('counts and suggests only documents that meet them', async () => {
    expect((await token.ok('GET', `/api/v1/collections/${collection}`)).documentCount).toBe(1);
    expect(titlesOf((await token.ok('POST', '/v1/docs/search', { query: 'osl' })).results)).toEqual([]);
    expect(titlesOf((await token.ok('POST', '/v1/docs/search', { query: 'lis' })).results)).toEqual(['Lisbon plan']);
  });

  it('can compare ranges, alternatives and missing fields', async () => {
    const cases: readonly (readonly [Json, string[]])[] = [
      [{ 'metadata.pages': { $gte: 10, $lt: 20 } }, ['Lisbon plan']],
      [{ 'metadata.pages': { $gt: 15 } }, ['Oslo plan']],
      [{ $or: [{ 'metadata.shelf': 'b' }, { 'metadata.missing': { $exists: true } }] }, ['Oslo plan']],
      [{ $not: { 'metadata.shelf': 'a' } }, ['Oslo plan']],
      [{ collection: 'col_other' }, []],
    ];
    for (const [filters, titles] of cases) {
      const created = await team.ok('POST', '/api/v1/user-tokens', { user: 'ada@example.com', filters });
      const api = createApi({ ...lectern.credentials, secretKey: created.token });
      const { results } = await api.ok('POST', '/api/v1/search', { query: 'heron plan', mode: 'keyword' });
      expect([filters, titlesOf(results)]).toEqual([filters, titles]);
      for (const [city, id] of Object.entries(ids)) {
        const { status } = await api.call('GET', `/api/v1/documents/${id}`);
        expect([filters, city, status]).toEqual([filters, city, titles.includes(`${city} plan`) ? 200 : 404]);
      }
    }
  });

  it('loses a document as soon as its metadata changes', async () => {
    const path = `/api/v1/documents/${ids.Lisbon}/content`;
    expect((await token.call('GET', path)).status).toBe(200);
    const body = { title: 'Lisbon plan', content: 'The heron project moves to Lisbon.', externalId: 'Lisbon' };
    await team.ok('POST', `/api/v1/collections/${collection}/documents`, { ...body, metadata: { shelf: 'c' } });
    expect((await token.call('GET', path)).status).toBe(404);
    const [conversation] = await token.all(`/api/v1/teams/${team.teamId}/conversations`);
    const read = await token.ok('GET', `/api/v1/teams/${team.teamId}/conversations/${conversation.id}`);
    expect(JSON.stringify(read)).not.toContain('moves to Lisbon');
  });
});
