import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type SearchFacetedRequest, SearchMode, type SearchRequest, SearchServiceDefinition } from '@lectern/contracts';
import { type Caller, connectGrpc, type GrpcClient, type GrpcConnection } from '@lectern/service-kit';
import { callAs, createCaller } from '@lectern/testing';
import { readConfig } from '#config';
import { startSearch } from '#server';
import { startCatalog, type TestCatalog } from './catalog.ts';

const LONG = Array.from({ length: 120 }, (_, at) => `Sentence ${at} of this report is about budgets.`).join(' ');

const caller = createCaller();
let catalog: TestCatalog;
let app: Awaited<ReturnType<typeof startSearch>>;
let connection: GrpcConnection;
let client: GrpcClient<typeof SearchServiceDefinition>;
let handbook: string;

type Faceted = Omit<Partial<SearchFacetedRequest>, 'search'> & { search?: Partial<SearchRequest> };
const faceted = (request: Faceted, as: Caller = caller) => client.searchFaceted(request, callAs(as));
const titles = async (search: Partial<SearchRequest>, as: Caller = caller) =>
  (await faceted({ search }, as)).search?.results.map(({ title }) => title).toSorted();
const countsOf = async (request: Faceted, as: Caller = caller) =>
  (await faceted(request, as)).facets.map(({ values }) => values.map(({ value, count }) => [value, count]));

beforeAll(async () => {
  catalog = await startCatalog();
  app = await startSearch(readConfig({ ...catalog.env, GRPC_ADDRESS: '127.0.0.1:0', LOG_LEVEL: 'silent' }));
  connection = connectGrpc(`127.0.0.1:${app.port}`);
  client = connection.client(SearchServiceDefinition);
  handbook = await catalog.addCollection(caller, 'Handbook');
  await catalog.addDocuments(caller, handbook, [
    {
      title: 'Leave',
      content: 'Parental leave is paid time off.',
      metadata: { author: 'Ada', pages: 2, tags: ['hr'] },
    },
    {
      title: 'Travel',
      content: 'Paid flights, time off in lieu.',
      metadata: { author: 'Bob', pages: 5, tags: ['hr', 'ops'] },
    },
    { title: 'Report', content: `${LONG} The albatross is mentioned here alone.`, metadata: { pages: 40 } },
    {
      title: 'Salaries',
      content: 'Salaries are paid monthly.',
      principals: ['user:ada@example.com'],
      metadata: { pages: 1 },
    },
  ]);
});

afterAll(async () => {
  connection.close();
  await app.stop();
  await catalog.stop();
});

describe('a faceted search', () => {
  it('lists all documents, newest first, for an empty query', async () => {
    const { search, facets } = await faceted({ facets: ['collection', 'metadata.pages', 'updatedAt'] });
    expect(search?.results.map(({ title }) => title)).toEqual(['Salaries', 'Report', 'Travel', 'Leave']);
    expect(search?.page).toEqual({ page: 1, limit: 20, total: 4, hasMore: false });
    expect(facets[0]).toMatchObject({ field: 'collection', values: [{ value: handbook, count: 4 }], exhaustive: true });
    expect(facets[1]?.stats).toEqual({ min: 1, max: 40, avg: 12, sum: 48, count: 4 });
    const newest = search?.results[0]?.updatedAt?.toISOString();
    expect(facets[2]).toMatchObject({
      values: [{ value: newest?.slice(0, 10), count: 4 }],
      stats: { max: newest, count: 4 },
    });
  });

  it('counts all matches of the filters that the end user can read, beyond the page', async () => {
    const search = { query: 'paid', mode: SearchMode.KEYWORD, page: { page: 1, limit: 1 } };
    const request = { search, facets: ['author', 'metadata.tags'] };
    expect(await countsOf(request)).toEqual([
      [
        ['Ada', 1],
        ['Bob', 1],
      ],
      [
        ['hr', 2],
        ['ops', 1],
      ],
    ]);
    const filters = { 'metadata.pages': { $gt: 2 } };
    expect(await countsOf({ ...request, search: { ...search, filters } })).toEqual([
      [['Bob', 1]],
      [
        ['hr', 1],
        ['ops', 1],
      ],
    ]);
    const bob = { ...caller, userEmail: 'bob@example.com' };
    expect(await countsOf({ search, facets: ['type'] }, bob)).toEqual([[['text', 2]]]);
    expect(await countsOf({ search, facets: ['type'] })).toEqual([[['text', 3]]]);
  });

  it('returns the most frequent values up to the limit', async () => {
    const { facets } = await faceted({ facets: ['metadata.tags'], maxFacetValues: 1 });
    expect(facets[0]).toMatchObject({ values: [{ value: 'hr', count: 2 }], exhaustive: true });
  });

  it('reports unknown fields', async () => {
    await expect(faceted({ facets: ['source', 'color'] })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'facets[1]', message: expect.stringContaining('metadata.*') }] },
    });
    await expect(faceted({ search: { filters: { color: 'red' } } })).rejects.toMatchObject({
      details: { issues: [{ path: 'filters.color', message: expect.stringContaining('source, connector') }] },
    });
  });
});

describe('the operators of a query', () => {
  it('match a phrase word for word', async () => {
    expect(await titles({ query: '"paid time off"' })).toEqual(['Leave']);
    expect(await titles({ query: '"time off"' })).toEqual(['Leave', 'Travel']);
    expect(await titles({ query: '"off time"' })).toEqual([]);
  });

  it('exclude documents by a word anywhere in them', async () => {
    expect(await titles({ query: 'paid -flight', mode: SearchMode.KEYWORD })).toEqual(['Leave', 'Salaries']);
    expect(await titles({ query: '-albatross' })).toEqual(['Leave', 'Salaries', 'Travel']);
    expect(await titles({ query: 'paid -"time off"', mode: SearchMode.KEYWORD })).toEqual(['Salaries']);
  });

  it('find a word that occurs only in the last passage of a document', async () => {
    expect(await titles({ query: 'albatross', mode: SearchMode.KEYWORD })).toEqual(['Report']);
    expect(await titles({ query: '"albatross is mentioned" budget', mode: SearchMode.KEYWORD })).toEqual(['Report']);
  });

  it('are plain text in a literal query', async () => {
    expect(
      await titles({ query: '"off time" paid -flight', mode: SearchMode.KEYWORD, literalQuery: true }),
    ).toHaveLength(3);
  });
});
