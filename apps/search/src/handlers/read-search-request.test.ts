import { describe, expect, it } from '@jest/globals';
import { Collapse, SearchRequest, Sort } from '@lectern/contracts';
import { readSearchRequest } from '#handlers/read-search-request';
import { literally } from '#query/parse-query';

const read = (request: Parameters<typeof SearchRequest.fromPartial>[0]) =>
  readSearchRequest(SearchRequest.fromPartial({ query: 'leave', ...request }));

describe('readSearchRequest', () => {
  it('has defaults for everything except the query', () => {
    expect(read({ query: '  leave ' })).toEqual({
      query: literally('leave'),
      filter: undefined,
      facetFilters: new Map(),
      mode: 'hybrid',
      offset: 0,
      limit: 20,
      minScore: undefined,
      passagesPerDocument: 3,
    });
  });

  it.each([
    [
      { page: 0, limit: 0 },
      { offset: 0, limit: 20 },
    ],
    [
      { page: -3, limit: -1 },
      { offset: 0, limit: 20 },
    ],
    [
      { page: 7, limit: 1_000 },
      { offset: 600, limit: 100 },
    ],
  ])('rejects pages out of bounds: %j', (page, expected) => {
    expect(read({ page })).toMatchObject(expected);
  });

  it('rejects pages beyond the first 10,000 documents', () => {
    expect(read({ page: { page: 100, limit: 100 } })).toMatchObject({ offset: 9_900 });
    const message = 'page: must end within the first 10000 documents (page × limit). Use filters to narrow the search';
    expect(() => read({ page: { page: 101, limit: 100 } })).toThrow(message);
    expect(() => read({ page: { page: 20_000_000, limit: 1 } })).toThrow(message);
  });

  it('counts characters, not UTF-16 units, of the query', () => {
    expect(read({ query: '🦊'.repeat(2_000) }).query.text).toHaveLength(4_000);
    expect(() => read({ query: '🦊'.repeat(2_001) })).toThrow('query: must have at most 2000 characters');
  });

  it('parses operators unless the query is literal', () => {
    const query = 'leave "paid time" -draft';
    expect(read({ query }).query).toMatchObject({
      text: 'leave  paid time',
      phrases: ['paid time'],
      excluded: ['draft'],
    });
    expect(read({ query, literalQuery: true }).query).toMatchObject({ text: query, phrases: [], excluded: [] });
    expect(() => read({ query: '"a" '.repeat(11) })).toThrow('query: must have at most 10 phrases and exclusions');
  });

  it('allows an empty query only if it can list all documents', () => {
    const empty = SearchRequest.fromPartial({ query: ' ' });
    expect(() => readSearchRequest(empty)).toThrow('query: must not be empty');
    expect(readSearchRequest(empty, true).query.text).toBe('');
  });

  it('reads filters', () => {
    expect(read({ filters: { source: 'api' } }).filter).toEqual({ field: 'source', op: 'eq', value: 'api' });
    expect(() => read({ filters: { autor: 'Ada' } })).toThrow('filters.autor: is an unknown filter field');
  });

  it('reads how to collapse, and to prefer recent documents', () => {
    const now = new Date('2026-11-23T10:00:00Z');
    expect(read({ collapse: Collapse.DUPLICATES, recency: { halfLifeDays: 30, now } })).toMatchObject({
      collapse: 'duplicates',
      recency: { halfLifeDays: 30, weight: 0.3, now: now.getTime() },
    });
    const today = read({ recency: { halfLifeDays: 30, weight: 0 } }).recency;
    expect(today).toMatchObject({ weight: 0 });
    expect((today?.now ?? 1) % 86_400_000).toBe(0);
    expect(() => read({ recency: { halfLifeDays: 0, weight: 1.5 } })).toThrow(
      /recency.halfLifeDays: must be between 1 and 3650; recency.weight: must be between 0 and 1/,
    );
  });

  it('reads the order of the results', () => {
    expect(read({}).sort).toBeUndefined();
    expect(read({ sort: Sort.NEWEST }).sort).toBe('newest');
    expect(read({ sort: Sort.OLDEST }).sort).toBe('oldest');
    expect(() => read({ sort: Sort.UNRECOGNIZED })).toThrow(/sort: must be relevance, newest or oldest/);
  });

  it('reports every invalid field', () => {
    expect(() => read({ query: '', minScore: -1, maxPassagesPerDocument: 99 })).toThrow(
      /query: .*; minScore: .*; maxPassagesPerDocument: /,
    );
  });
});
