import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SearchMode } from '@lectern/contracts';
import { invalidRequest } from '@lectern/service-kit';
import { startTestGateway, type TestGateway } from './support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.services.calls.length = 0;
  gateway.services.failWith = undefined;
});

const SEARCHES = ['/api/v1/search', '/api/v1/search/faceted'];
const post = (path: string, json: object) => gateway.send('POST', path, { json });
const issuePaths = (json: { error: { details: { issues: { path: string }[] } } }) =>
  json.error.details.issues.map(({ path }) => path);

describe('a search', () => {
  it.each(SEARCHES)('passes its filters on unchanged at %s', async (path) => {
    const filters = { $or: [{ 'metadata.pages': { $gte: 2 } }, { author: null }] };
    const { status } = await post(path, { query: 'leave', filters, mode: 'keyword', rerank: false, page: 2, limit: 5 });
    expect(status).toBe(200);
    const [call] = gateway.services.calls;
    const request = path.endsWith('faceted') ? Reflect.get(call?.request ?? {}, 'search') : call?.request;
    expect(request).toMatchObject({
      query: 'leave',
      filters,
      mode: SearchMode.KEYWORD,
      rerank: false,
      page: { page: 2, limit: 5 },
    });
  });

  it.each(SEARCHES)('reports the errors of the search service at %s', async (path) => {
    gateway.services.failWith = invalidRequest([{ path: 'filters.autor', message: 'is not a field to filter by' }]);
    const { status, json } = await post(path, { query: 'leave', filters: { autor: 'Ada' } });
    expect([status, json.error.code]).toEqual([400, 'invalid_request']);
    expect(issuePaths(json)).toEqual(['filters.autor']);
  });

  it.each(SEARCHES)('is rejected with the invalid fields at %s', async (path) => {
    const invalid = { filters: [], rerank: 'yes', maxPassagesPerDocument: 0, mode: 'fuzzy', more: 1 };
    const { status, json } = await post(path, { query: 'x'.repeat(2_001), ...invalid });
    expect(status).toBe(400);
    expect(issuePaths(json).sort()).toEqual(['query', ...Object.keys(invalid)].sort());
  });
});

describe('a faceted search', () => {
  it('returns values, counts and statistics, and no average for dates', async () => {
    const { json } = await post('/api/v1/search/faceted', { facets: ['source', 'metadata.pages', 'updatedAt'] });
    expect(json.data.query).toBe('');
    expect(json.data.results).toHaveLength(1);
    expect(json.meta).toMatchObject({ page: 1, limit: 20, total: 1, hasMore: false });
    expect(json.data.facets).toEqual([
      { field: 'source', values: [{ value: 'upload', count: 2 }], exhaustive: true },
      {
        field: 'metadata.pages',
        values: [{ value: 4, count: 1 }],
        stats: { min: 4, max: 4, avg: 4, sum: 4, count: 1 },
        exhaustive: true,
      },
      {
        field: 'updatedAt',
        values: [{ value: '2026-01-02', count: 1 }],
        stats: { min: '2026-01-02T08:00:00.000Z', max: '2026-01-02T08:00:00.000Z', count: 1 },
        exhaustive: true,
      },
    ]);
    expect(gateway.services.calls[0]?.request).toMatchObject({
      facets: ['source', 'metadata.pages', 'updatedAt'],
      maxFacetValues: 20,
    });
  });

  it.each([
    [{ facets: 'source' }, 'facets'],
    [{ facets: Array.from({ length: 21 }, () => 'source') }, 'facets'],
    [{ facets: [''] }, 'facets[0]'],
    [{ maxFacetValues: 0 }, 'maxFacetValues'],
    [{ maxFacetValues: 1_001 }, 'maxFacetValues'],
  ])('is rejected with the invalid field (%#)', async (json, path) => {
    const response = await post('/api/v1/search/faceted', json);
    expect(response.status).toBe(400);
    expect(issuePaths(response.json)).toEqual([path]);
  });
});

describe('the search box of a documentation site', () => {
  it('searches for the text as typed, including a trailing space', async () => {
    const { json } = await post('/v1/docs/search', { query: 'reset pass ', limit: 5 });
    expect(json.data).toMatchObject({ query: 'reset pass ', results: [expect.any(Object)], tookMs: 7 });
    const [call] = gateway.services.calls;
    expect(call).toMatchObject({ method: 'searchDocsSite', request: { query: 'reset pass ', limit: 5 } });
  });

  it('accepts only a query, a limit and collections', async () => {
    const { status, json } = await post('/v1/docs/search', { query: ' ', mode: 'keyword' });
    expect(status).toBe(400);
    expect(issuePaths(json).sort()).toEqual(['mode', 'query']);
  });
});
