import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CreateSearchRuleRequest,
  SearchMode,
  type SearchRequest,
  SearchRuleMatch,
  SearchRuleServiceDefinition,
  SearchServiceDefinition,
} from '@lectern/contracts';
import { type Caller, connectGrpc, type GrpcClient, type GrpcConnection } from '@lectern/service-kit';
import { callAs, createCaller } from '@lectern/testing';
import { readConfig } from '#config';
import { startSearch } from '#server';
import { startCatalog, type TestCatalog } from './catalog.ts';

const ADA = 'ada@example.com';
const DOCUMENTS = [
  { title: 'Leave', content: 'Annual leave is thirty days.' },
  { title: 'Parental leave', content: 'Parental leave is one year.' },
  { title: 'Sick leave', content: 'Call your manager.' },
  { title: 'Travel', content: 'Book trains early.', metadata: { topic: 'travel' } },
  { title: 'Bonus of Ada', content: 'Leave bonus.', principals: [`user:${ADA}`] },
];

let catalog: TestCatalog;
let app: Awaited<ReturnType<typeof startSearch>>;
let connections: GrpcConnection[];
let client: GrpcClient<typeof SearchServiceDefinition>;
let rules: GrpcClient<typeof SearchRuleServiceDefinition>;

beforeAll(async () => {
  catalog = await startCatalog();
  app = await startSearch(readConfig({ ...catalog.env, GRPC_ADDRESS: '127.0.0.1:0', LOG_LEVEL: 'silent' }));
  connections = [connectGrpc(`127.0.0.1:${app.port}`), connectGrpc(catalog.env.COLLECTION_ADDRESS!)];
  client = connections[0]!.client(SearchServiceDefinition);
  rules = connections[1]!.client(SearchRuleServiceDefinition);
});
afterAll(async () => {
  for (const connection of connections) connection.close();
  await app.stop();
  await catalog.stop();
});

async function newTeam() {
  const caller = createCaller();
  const call = callAs(caller);
  const collection = await catalog.addCollection(caller, 'Handbook');
  const ids = await catalog.addDocuments(caller, collection, DOCUMENTS);
  const idOf = (title: string) => ids[DOCUMENTS.findIndex((one) => one.title === title)]!;
  const search = (query: string, request: Partial<SearchRequest> = {}, as: Caller = caller) =>
    client.search({ query, mode: SearchMode.KEYWORD, applyRules: true, ...request }, callAs(as));
  const titles = async (...of: Parameters<typeof search>) => (await search(...of)).results.map(({ title }) => title);
  const create = (query: string, request: Partial<CreateSearchRuleRequest>) =>
    rules.createSearchRule({ query, ...request }, call);
  const pin = (title: string, position: number) => ({ documentId: idOf(title), position });
  return { caller, call, collection, idOf, search, titles, create, pin };
}

describe('a search with rules', () => {
  it('pins and hides documents, from the next search on', async () => {
    const { call, titles, search, create, pin, idOf } = await newTeam();
    const before = await titles('leave');
    expect(before).not.toContain('Travel');
    const { id } = await create('leave', { pins: [pin('Travel', 1)], hiddenDocumentIds: [idOf('Sick leave')] });
    const rest = before.filter((title) => title !== 'Sick leave');
    const { results, page } = await search('Leave');
    expect(results.map(({ title }) => title)).toEqual(['Travel', ...rest]);
    expect(page?.total).toBe(rest.length + 1);
    expect(results.map(({ pinned }) => pinned)).toEqual([true, ...rest.map(() => false)]);
    expect(results[0]).toMatchObject({ score: 0, relevance: 0, excerpt: 'Book trains early.' });
    expect(await titles('leave', { applyRules: false })).toEqual(before);
    expect(await titles('parental leave')).toContain('Sick leave');
    await rules.updateSearchRule({ id, enabled: false }, call);
    expect(await titles('leave')).toEqual(before);
    await rules.updateSearchRule({ id, enabled: true, match: SearchRuleMatch.CONTAINS }, call);
    expect((await titles('how long is parental leave?'))[0]).toBe('Travel');
    await rules.deleteSearchRule({ id }, call);
    expect(await titles('leave')).toEqual(before);
  });

  it('shows a pinned document only to people who can read it, and counts it for no one else', async () => {
    const { caller, titles, search, create, pin } = await newTeam();
    const eve = { ...caller, userEmail: 'eve@example.com' };
    const ada = { ...caller, userEmail: ADA };
    const before = await search('trains', {}, eve);
    await create('trains', { pins: [pin('Bonus of Ada', 1)] });
    expect((await search('trains', {}, eve)).page).toEqual(before.page);
    expect(await titles('trains', {}, eve)).toEqual(['Travel']);
    expect(await titles('trains', {}, ada)).toEqual(['Bonus of Ada', 'Travel']);
    const facets = { facets: ['source'], maxFacetValues: 10 };
    for (const [as, count] of [
      [eve, 1],
      [ada, 2],
    ] as const) {
      const request = { search: { query: 'trains', mode: SearchMode.KEYWORD, applyRules: true }, ...facets };
      const found = await client.searchFaceted(request, callAs(as));
      expect(found.facets[0]?.values).toMatchObject([{ count }]);
    }
  });

  it('applies filters, exclusions and phrases to pinned documents, and a minimum relevance to none', async () => {
    const { titles, create, pin } = await newTeam();
    await create('leave', { match: SearchRuleMatch.CONTAINS, pins: [pin('Travel', 1), pin('Sick leave', 2)] });
    expect(await titles('leave', { filters: { 'metadata.topic': 'travel' } })).toEqual(['Travel']);
    expect(await titles('leave', { facetFilters: { 'metadata.topic': ['other'] } })).toEqual([]);
    const without = await titles('leave -trains');
    expect(without).not.toContain('Travel');
    expect(without[1]).toBe('Sick leave');
    expect(await titles('"sick leave"')).toEqual(['Sick leave']);
    expect(await titles('leave', { minScore: 0.01 })).not.toContain('Travel');
  });

  it('of a collection applies to searches of that collection', async () => {
    const { caller, collection, titles, create, pin } = await newTeam();
    const other = await catalog.addCollection(caller, 'Other');
    await catalog.addDocuments(caller, other, [{ title: 'Elsewhere', content: 'Leave elsewhere.' }]);
    await create('leave', { collectionId: other, pins: [pin('Travel', 1)] });
    expect((await titles('leave'))[0]).toBe('Travel');
    expect(await titles('leave', { collectionIds: [collection] })).not.toContain('Travel');
    expect(await titles('leave', { collectionIds: [other] })).toEqual(['Elsewhere']);
  });

  it('also applies to the search box', async () => {
    const { caller, call, create, pin, idOf } = await newTeam();
    await create('leave', { pins: [pin('Travel', 2)], hiddenDocumentIds: [idOf('Sick leave')] });
    const box = async (query: string, applyRules: boolean, as = caller) =>
      (await client.searchDocsSite({ query, applyRules }, callAs(as))).results.map(({ title }) => title);
    expect(await box('leave', false)).not.toContain('Travel');
    const found = await box('leave', true);
    expect(found[1]).toBe('Travel');
    expect(found).not.toContain('Sick leave');
    expect(await box('sick', true)).toContain('Sick leave');
    const limited = await client.searchDocsSite({ query: 'leave', applyRules: true, limit: 2 }, call);
    expect(limited.results).toHaveLength(2);
  });
});

describe('did you mean', () => {
  it('is the query with the words that readable documents contain', async () => {
    const { caller, search } = await newTeam();
    expect((await search('Parentel leave')).didYouMean).toBe('Parental leave');
    expect((await search('parental leave')).didYouMean).toBeUndefined();
    expect((await search('xqzzyk')).didYouMean).toBeUndefined();
    // A word of a document that only Ada can read is no suggestion for others.
    const as = (userEmail: string) => ({ ...caller, userEmail });
    expect((await search('bonuss', {}, as('eve@example.com'))).didYouMean).toBeUndefined();
    expect((await search('bonuss', {}, as(ADA))).didYouMean).toBe('bonus');
  });
});

describe('suggestions', () => {
  it('are titles with all typed words, and queries whose words occur in readable documents', async () => {
    const { caller, call } = await newTeam();
    const suggest = async (query: string, candidates: string[] = [], as = callAs(caller)) =>
      (await client.suggestQueries({ query, candidates }, as)).suggestions.map(({ text }) => text);
    expect(await suggest('paren')).toEqual(['Parental leave']);
    expect((await suggest('leave')).toSorted()).toEqual(['Leave', 'Parental leave', 'Sick leave']);
    expect(await suggest('leave trav')).toEqual([]);
    expect(await suggest('xqzz')).toEqual([]);
    expect(await suggest('ear', ['early tickets', 'early trains'])).toEqual(['early trains']);
    expect(await suggest('parental', ['PARENTAL LEAVE'])).toEqual(['PARENTAL LEAVE']);
    const as = (userEmail: string) => callAs({ ...caller, userEmail });
    expect(await suggest('bon', ['leave bonus'], as('eve@example.com'))).toEqual([]);
    expect(await suggest('bon', ['leave bonus'], as(ADA))).toEqual(['leave bonus', 'Bonus of Ada']);
    await expect(client.suggestQueries({ query: ' ' }, call)).rejects.toMatchObject({ code: 'invalid_request' });
    expect((await client.suggestQueries({ query: 'leave', limit: 1 }, call)).suggestions).toHaveLength(1);
  });
});
