import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Filter } from '@lectern/contracts';
import { type DocumentsRequest, documentKey, type FacetField, pointId, type VectorStore } from '#index';
import { buildPassage } from './build-passage.ts';
import { startTestStore } from './start-test-store.ts';

const first = (...documents: readonly string[]) => documents.map((document) => pointId(document, 1, 0));
const WORD = { leave: 4_000_000_001, policy: 7, laptop: 9 };

describe('whole documents', () => {
  let context: Awaited<ReturnType<typeof startTestStore>>;
  let store: VectorStore;
  const within = { team: 'team_a' };
  const idsOf = async (request: Partial<DocumentsRequest>) =>
    (await store.listDocuments('test', { ...within, ...request })).toSorted();
  const facetOf = async (field: FacetField, request: Partial<DocumentsRequest> = {}) =>
    (await store.facet('test', { ...within, ...request, field })).map(({ value, count }) => [value, count]);

  beforeAll(async () => {
    context = await startTestStore();
    store = context.store;
    await store.upsertPassages('test', [
      buildPassage({
        document: 'doc_1',
        title: 'Été at work',
        terms: [WORD.leave, WORD.policy],
        metadata: { topic: 'leave', pages: 3, tags: ['hr', 'time off', 'hr'], owner: { team: 'people' }, 'a.b"c=': 1 },
        updatedAt: '2026-03-01T08:00:00.000Z',
        text: 'first',
        end: 5,
      }),
      buildPassage({ document: 'doc_1', chunk: 1, text: 'second', start: 6, end: 12 }),
      buildPassage({
        document: 'doc_2',
        terms: [WORD.policy],
        metadata: { topic: 'leave', pages: '3', draft: false, author: ['Ada', 'Bob'] },
        updatedAt: '2026-03-01T20:00:00.000Z',
      }),
      buildPassage({
        document: 'doc_3',
        terms: [WORD.laptop],
        metadata: { topic: null, pages: 2.5, tags: [], author: 'Ada' },
        updatedAt: '2026-01-01T00:00:00.000Z',
      }),
      buildPassage({ team: 'team_b', document: 'doc_4', terms: [WORD.policy], metadata: { topic: 'leave' } }),
    ]);
  });
  afterAll(() => context.close());

  it('are found by groups of words, with at least one word of each group', async () => {
    expect(await idsOf({ words: [[WORD.policy, WORD.laptop]] })).toEqual(['doc_1', 'doc_2', 'doc_3']);
    expect(await idsOf({ words: [[WORD.policy], [WORD.leave, WORD.laptop]] })).toEqual(['doc_1']);
    expect(await idsOf({ words: [[]] })).toEqual([]);
    expect(await idsOf({ words: [] })).toHaveLength(3);
  });

  it('are found by several words that must all occur, or by their first passages without any word', async () => {
    expect(await idsOf({ words: [[[WORD.policy, WORD.leave]]] })).toEqual(['doc_1']);
    expect(await idsOf({ words: [[WORD.laptop, [WORD.policy, WORD.leave]]] })).toEqual(['doc_1', 'doc_3']);
    expect(await idsOf({ words: [[WORD.laptop]], orFirst: first('doc_2', 'doc_4') })).toEqual(['doc_2', 'doc_3']);
    expect(await idsOf({ words: [[]], orFirst: first('doc_2') })).toEqual(['doc_2']);
    expect(await idsOf({ words: [[]], orFirst: [] })).toEqual([]);
  });

  it('can be limited by their first passages', async () => {
    expect(await idsOf({ onlyFirst: first('doc_1', 'doc_3', 'doc_4'), exceptFirst: first('doc_3') })).toEqual([
      'doc_1',
    ]);
    expect(await idsOf({ onlyFirst: [] })).toEqual([]);
  });

  it('can be limited to some, or to all except some', async () => {
    expect(await idsOf({ only: ['doc_1', 'doc_3', 'doc_4'], except: ['doc_3'] })).toEqual(['doc_1']);
    expect(await idsOf({ only: [] })).toEqual([]);
    expect(await store.countDocuments('test', { ...within, except: ['doc_3'] })).toBe(2);
    const page = { limit: 10, offset: 0, passagesPerDocument: 1, candidates: 10 };
    const search = { ...within, ...page, mode: 'semantic' as const, dense: Float32Array.of(1, 0, 0, 0) };
    const { hits } = await store.search('test', { ...search, except: ['doc_2', 'doc_3'] });
    expect(hits.map(({ document }) => document)).toEqual(['doc_1']);
    expect(hits[0]?.payload).not.toHaveProperty('terms');
  });

  it('have traits within a scope', async () => {
    const inScope = { team: 'team_c', first: [pointId('doc_5', 2, 0), ...first('doc_6', 'doc_7', 'doc_1')] };
    const passage = { team: 'team_c', document: 'doc_5', sketch: 'old', updatedAt: '2026-01-01T00:00:00.000Z' };
    await store.upsertPassages('test', [
      buildPassage(passage),
      buildPassage({ ...passage, version: 2, sketch: 'new', updatedAt: '2026-02-01T00:00:00.000Z' }),
      buildPassage({ team: 'team_c', document: 'doc_6', principals: ['group:1'] }),
      buildPassage({ team: 'team_c', document: 'doc_7', collection: 'col_2' }),
    ]);
    const limited = { ...inScope, collections: ['col_1'], principals: ['public'] };
    expect(await store.readTraits('test', limited)).toEqual(
      new Map([[documentKey('doc_5'), { document: 'doc_5', updatedAt: Date.UTC(2026, 1, 1), sketch: 'new' }]]),
    );
    expect([...(await store.readTraits('test', inScope)).keys()].toSorted()).toEqual(
      ['doc_5', 'doc_6', 'doc_7'].map(documentKey).toSorted(),
    );
    expect(await store.readTraits('test', { ...inScope, first: [] })).toEqual(new Map());
  });

  it('are found by a prefix of a title word', async () => {
    expect(await idsOf({ titlePrefix: 'ET' })).toEqual(['doc_1']);
    expect(await idsOf({ titlePrefix: 'wor' })).toEqual(['doc_1']);
    expect(await idsOf({ titlePrefix: 'ork' })).toEqual([]);
  });

  it('are counted by any value of their metadata, each element of a list once', async () => {
    expect(await facetOf('metadata.topic')).toEqual([['leave', 2]]);
    expect(await facetOf('metadata.pages')).toEqual([
      [2.5, 1],
      [3, 1],
      ['3', 1],
    ]);
    expect(await facetOf('metadata.tags')).toEqual([
      ['hr', 1],
      ['time off', 1],
    ]);
    expect(await facetOf('metadata.owner.team')).toEqual([['people', 1]]);
    expect(await facetOf('metadata.a.b"c=')).toEqual([[1, 1]]);
    expect(await facetOf('metadata.draft')).toEqual([[false, 1]]);
    expect(await facetOf('author')).toEqual([
      ['Ada', 2],
      ['Bob', 1],
    ]);
    expect(await facetOf('updatedAt')).toEqual([
      ['2026-03-01', 2],
      ['2026-01-01', 1],
    ]);
    expect(await facetOf('metadata.topic', { words: [[WORD.laptop]] })).toEqual([]);
    expect(await store.facet('test', { ...within, field: 'author', limit: 1 })).toEqual([{ value: 'Ada', count: 2 }]);
  });

  const filters: [string, Filter, string[]][] = [
    ['a number, not its text', { field: 'metadata.pages', op: 'eq', value: 3 }, ['doc_1']],
    ['a text, not its number', { field: 'metadata.pages', op: 'eq', value: '3' }, ['doc_2']],
    ['null', { field: 'metadata.topic', op: 'eq', value: null }, ['doc_3']],
    ['not null', { field: 'metadata.tags', op: 'ne', value: null }, ['doc_1']],
    ['null among others', { field: 'metadata.topic', op: 'in', value: [null, 'leave'] }, ['doc_1', 'doc_2', 'doc_3']],
    ['one of several authors', { field: 'author', op: 'eq', value: 'Bob' }, ['doc_2']],
    ['a value of another type', { field: 'source', op: 'eq', value: 5 }, []],
    ['a whole day', { field: 'updatedAt', op: 'eq', value: '2026-03-01' }, ['doc_1', 'doc_2']],
    ['a moment', { field: 'updatedAt', op: 'eq', value: '2026-03-01T08:00:00Z' }, ['doc_1']],
    ['a name with dots, quotes and signs', { field: 'metadata.a.b"c=', op: 'exists', value: true }, ['doc_1']],
  ];
  it.each(filters)('are filtered by %s', async (_name, filter, expected) => {
    expect(await idsOf({ filter })).toEqual(expected);
    const others = ['doc_1', 'doc_2', 'doc_3'].filter((id) => !expected.includes(id));
    expect(await idsOf({ filter: { not: filter } })).toEqual(others);
  });

  it('are listed by date from either end, without fields used only by filters', async () => {
    const newest = await store.browse('test', { ...within, offset: 0, limit: 2 });
    expect(newest.map(({ document }) => document)).toEqual(['doc_2', 'doc_1']);
    expect(newest[0]).not.toHaveProperty('terms');
    expect(newest[0]).not.toHaveProperty('facts');
    const oldest = await store.listByDate('test', { ...within, offset: 0, limit: 1, order: 'oldest' });
    expect(oldest).toEqual([{ document: 'doc_3', date: Date.UTC(2026, 0, 1) }]);
    expect(await store.browse('test', { ...within, offset: 3, limit: 5 })).toEqual([]);
    expect(await store.browse('unknown', { ...within, offset: 0, limit: 5 })).toEqual([]);
  });

  it('are read with all their passages', async () => {
    const texts = [];
    for await (const batch of store.readTexts('test', { ...within, documents: ['doc_1', 'doc_4'] }))
      texts.push(...batch);
    expect(texts.map(({ document, chunk, text }) => [document, chunk, text]).toSorted()).toEqual([
      ['doc_1', 0, 'first'],
      ['doc_1', 1, 'second'],
    ]);
  });
});
