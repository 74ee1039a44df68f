import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Filter } from '@lectern/contracts';
import type { SearchRequest, SearchResult, VectorStore } from '#index';
import { buildPassage, direction, terms } from './build-passage.ts';
import { startTestStore } from './start-test-store.ts';

const PAGE = { limit: 10, offset: 0, passagesPerDocument: 3, candidates: 100 };

const documentsOf = ({ hits }: SearchResult) => hits.map(({ document }) => document);

describe('search', () => {
  let context: Awaited<ReturnType<typeof startTestStore>>;
  let store: VectorStore;
  const keyword = (query: string, more: Partial<SearchRequest> = {}) =>
    store.search('test', { team: 'team_a', ...PAGE, ...more, mode: 'keyword', sparse: terms(query) });
  const semantic = (degrees: number, more: Partial<SearchRequest> = {}) =>
    store.search('test', { team: 'team_a', ...PAGE, ...more, mode: 'semantic', dense: direction(degrees) });

  beforeAll(async () => {
    context = await startTestStore();
    store = context.store;
    await store.upsertPassages('test', [
      buildPassage({
        document: 'doc_holiday',
        text: 'holiday holiday policy',
        heading: 'Time off › Holidays',
        start: 40,
        end: 62,
        url: 'https://example.com/h',
        dense: direction(0),
        metadata: { level: 3, team: 'people', tags: ['hr', 'time off'], 'cost center': 'A1', reviewed: true },
      }),
      buildPassage({ document: 'doc_holiday', chunk: 1, text: 'holiday leave', dense: direction(10) }),
      buildPassage({
        document: 'doc_salary',
        collection: 'col_2',
        text: 'salary policy',
        dense: direction(30),
        author: 'Ada',
        updatedAt: '2026-05-01T00:00:00.000Z',
        metadata: { level: 7.5 },
      }),
      buildPassage({
        document: 'doc_laptop',
        collection: 'col_2',
        source: 'github',
        connector: 'con_1',
        text: 'laptop password',
        dense: direction(60),
        principals: ['user:ada@example.com', 'group:github:7'],
      }),
      buildPassage({
        team: 'team_b',
        document: 'doc_other',
        text: 'holiday salary laptop policy',
        dense: direction(0),
      }),
    ]);
  });
  afterAll(() => context.close());

  it('ranks documents by their terms in mode keyword, with stored fields', async () => {
    const { hits, total } = await keyword('holiday policy');
    expect(hits.map(({ document }) => document)).toEqual(['doc_holiday', 'doc_salary']);
    expect(total).toBe(2);
    const [hit] = hits;
    expect(hit!.passages.map(({ chunk }) => chunk)).toEqual([0, 1]);
    expect(hit!.passages[0]).toEqual({
      chunk: 0,
      heading: 'Time off › Holidays',
      text: 'holiday holiday policy',
      start: 40,
      end: 62,
      score: hit!.score,
    });
    expect(hit!.payload).toMatchObject({ title: 'Handbook', url: 'https://example.com/h', metadata: { level: 3 } });
    expect(hit!.scores).toEqual({ keyword: hit!.score });
  });

  it('ranks documents by cosine in mode semantic', async () => {
    const result = await semantic(25);
    expect(documentsOf(result)).toEqual(['doc_salary', 'doc_holiday', 'doc_laptop']);
    expect(result.hits[0]!.score).toBeCloseTo(Math.cos((5 * Math.PI) / 180), 5);
    expect(result.hits[0]!.scores).toEqual({ semantic: result.hits[0]!.score });
    expect(result.hits[1]!.passages.map(({ chunk }) => chunk)).toEqual([1, 0]);
  });

  it('fuses the rankings to scores up to 1 in mode hybrid, with the scores of each leg', async () => {
    const request = { team: 'team_a', ...PAGE, mode: 'hybrid' as const, sparse: terms('salary'), dense: direction(0) };
    const { hits } = await store.search('test', request);
    expect(hits.map(({ document }) => document).sort()).toEqual(['doc_holiday', 'doc_laptop', 'doc_salary']);
    const salary = hits.find(({ document }) => document === 'doc_salary')!;
    expect(salary.scores.keyword).toBeGreaterThan(0);
    expect(salary.scores.semantic).toBeCloseTo(Math.cos((30 * Math.PI) / 180), 5);
    expect(hits.find(({ document }) => document === 'doc_holiday')!.scores).toEqual({ semantic: expect.closeTo(1, 5) });
    expect(hits.every(({ score }) => score > 0 && score <= 1)).toBe(true);
  });

  it('scores 1 for the first document of both legs', async () => {
    const request = {
      team: 'team_a',
      ...PAGE,
      mode: 'hybrid' as const,
      sparse: terms('holiday policy'),
      dense: direction(0),
    };
    const weights = { keyword: 1, semantic: 0.2 };
    for (const settings of [{}, { weights }, { fusion: 'rank' as const }]) {
      const { hits } = await store.search('test', { ...request, ...settings });
      expect(hits[0]).toMatchObject({ document: 'doc_holiday', score: expect.closeTo(1, 5) });
    }
  });

  it('follows the leg with the larger weight', async () => {
    const request = { team: 'team_a', ...PAGE, mode: 'hybrid' as const, sparse: terms('laptop'), dense: direction(0) };
    const lexical = await store.search('test', { ...request, weights: { keyword: 1, semantic: 0.1 } });
    const meaning = await store.search('test', { ...request, weights: { keyword: 0.1, semantic: 1 } });
    expect(documentsOf(lexical)[0]).toBe('doc_laptop');
    expect(documentsOf(meaning)[0]).toBe('doc_holiday');
  });

  it('leaves out a leg without input', async () => {
    const nothing = { sparse: { indices: [], values: [] }, dense: new Float32Array(4) };
    const hybrid = { team: 'team_a', ...PAGE, mode: 'hybrid' as const };
    expect(documentsOf(await store.search('test', { ...hybrid, ...nothing, dense: direction(60) }))[0]).toBe(
      'doc_laptop',
    );
    expect(documentsOf(await store.search('test', { ...hybrid, ...nothing, sparse: terms('salary') }))).toEqual([
      'doc_salary',
    ]);
    expect(await store.search('test', { ...hybrid, ...nothing })).toEqual({
      hits: [],
      ranking: [],
      total: 0,
    });
  });

  it('never returns passages of another team', async () => {
    expect(documentsOf(await keyword('holiday salary laptop', { team: 'team_b' }))).toEqual(['doc_other']);
    expect(documentsOf(await semantic(0, { team: 'team_b' }))).toEqual(['doc_other']);
    expect(documentsOf(await keyword('holiday salary laptop'))).not.toContain('doc_other');
    expect(documentsOf(await keyword('holiday', { team: 'team_c' }))).toEqual([]);
    await expect(keyword('holiday', { team: '' })).rejects.toMatchObject({ code: 'internal_error' });
  });

  it('returns only collections of the scope, and none for an empty list', async () => {
    expect(documentsOf(await keyword('policy', { collections: ['col_2'] }))).toEqual(['doc_salary']);
    expect(documentsOf(await keyword('policy', { collections: ['col_1', 'col_2'] }))).toHaveLength(2);
    expect(documentsOf(await keyword('policy', { collections: [] }))).toEqual([]);
    expect(documentsOf(await keyword('policy', { collections: undefined }))).toHaveLength(2);
  });

  it('returns only passages that one of the principals can read', async () => {
    expect(documentsOf(await keyword('laptop', { principals: ['public'] }))).toEqual([]);
    expect(documentsOf(await keyword('laptop', { principals: ['public', 'group:github:7'] }))).toEqual(['doc_laptop']);
    expect(documentsOf(await keyword('laptop', { principals: [] }))).toEqual([]);
  });

  const filters: [string, Filter, string[]][] = [
    ['eq', { field: 'source', op: 'eq', value: 'github' }, ['doc_laptop']],
    ['ne', { field: 'source', op: 'ne', value: 'github' }, ['doc_holiday', 'doc_salary']],
    ['ne of a field that some lack', { field: 'author', op: 'ne', value: 'Ada' }, ['doc_holiday', 'doc_laptop']],
    ['in', { field: 'connector', op: 'in', value: ['con_1', 'con_2'] }, ['doc_laptop']],
    ['in of nothing', { field: 'source', op: 'in', value: [] }, []],
    ['nin of nothing', { field: 'source', op: 'nin', value: [] }, ['doc_holiday', 'doc_laptop', 'doc_salary']],
    ['exists', { field: 'author', op: 'exists', value: true }, ['doc_salary']],
    ['not exists', { field: 'author', op: 'exists', value: false }, ['doc_holiday', 'doc_laptop']],
    ['a date range', { field: 'updatedAt', op: 'gte', value: '2026-04-30T22:00:00+02:00' }, ['doc_salary']],
    ['a date', { field: 'updatedAt', op: 'eq', value: '2026-05-01' }, ['doc_salary']],
    ['a number range', { field: 'metadata.level', op: 'gt', value: 3 }, ['doc_salary']],
    ['a fraction', { field: 'metadata.level', op: 'eq', value: 7.5 }, ['doc_salary']],
    ['a truth value', { field: 'metadata.reviewed', op: 'eq', value: true }, ['doc_holiday']],
    ['an element of a list', { field: 'metadata.tags', op: 'eq', value: 'time off' }, ['doc_holiday']],
    ['a key with a space', { field: 'metadata.cost center', op: 'eq', value: 'A1' }, ['doc_holiday']],
    ['all of nothing', { all: [] }, ['doc_holiday', 'doc_laptop', 'doc_salary']],
    ['any of nothing', { any: [] }, []],
    [
      'all, any and not together',
      {
        all: [
          {
            any: [
              { field: 'source', op: 'eq', value: 'github' },
              { field: 'author', op: 'eq', value: 'Ada' },
            ],
          },
          { not: { field: 'collection', op: 'eq', value: 'col_1' } },
          { not: { field: 'metadata.level', op: 'lt', value: 8 } },
        ],
      },
      ['doc_laptop'],
    ],
  ];
  it.each(filters)('filters by %s', async (_name, filter, expected) => {
    expect(documentsOf(await semantic(0, { filter })).sort()).toEqual(expected);
    expect((await store.count('test', { team: 'team_a', filter })).documents).toBe(expected.length);
  });

  it('rejects an invalid date', async () => {
    const filter: Filter = { field: 'updatedAt', op: 'gt', value: 'yesterday' };
    await expect(semantic(0, { filter })).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'updatedAt is compared with "yesterday". Use a date in ISO 8601 format.',
    });
  });

  it('finds nothing for a model without passages', async () => {
    const request = { team: 'team_a', ...PAGE, mode: 'hybrid' as const, sparse: terms('holiday'), dense: direction(0) };
    expect(await store.search('unknown', request)).toEqual({
      hits: [],
      ranking: [],
      total: 0,
    });
  });
});
