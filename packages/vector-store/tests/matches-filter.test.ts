import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Filter, FilterField, FilterScalar } from '@lectern/contracts';
import * as fc from 'fast-check';
import { matchesFilter, type VectorStore } from '#index';
import { buildPassage } from './build-passage.ts';
import { startTestStore } from './start-test-store.ts';

const DAYS = ['2026-01-01', '2026-01-02', '2026-02-01'];

/** Documents whose fields have few values, so that filters often match some of them. */
const DOCUMENTS = [
  { source: 'upload', metadata: { n: 1, tags: ['a', 'b'], author: 'Ada' } },
  { source: 'github', connector: 'con_1', metadata: { n: 2, tags: 'a', due: '2026-01-02' } },
  { source: 'github', connector: 'con_2', metadata: { n: '2', tags: [], owner: { team: 'x' } } },
  { source: 'upload', metadata: { n: [1, 5], flag: true, due: '2026-01-01T12:00:00Z' } },
  { source: 'api', metadata: { n: null, flag: false, tags: [null, 'b'], owner: { team: ['x', 'y'] } } },
  { source: 'api', metadata: { long: 'x'.repeat(600) } },
].map((fields, at) => ({
  collection: `col_${at % 2}`,
  type: at % 3 === 0 ? 'pdf' : 'markdown',
  title: `Document ${at}`,
  createdAt: `${DAYS[at % 3]}T00:00:00.000Z`,
  updatedAt: `${DAYS[(at + 1) % 3]}T10:30:00.000Z`,
  ...fields,
}));

let store: VectorStore;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ store, close } = await startTestStore());
  const passages = DOCUMENTS.map((fields, at) => {
    const { author } = fields.metadata;
    return buildPassage({ ...fields, document: `doc_${at}`, ...(author === undefined ? {} : { author }) });
  });
  await store.upsertPassages('test', passages);
});
afterAll(() => close());

const anyField = fc.constantFrom<FilterField>(
  'source',
  'connector',
  'collection',
  'type',
  'author',
  'metadata.n',
  'metadata.tags',
  'metadata.flag',
  'metadata.due',
  'metadata.owner.team',
  'metadata.long',
  'metadata.missing',
);
const anyValue = fc.constantFrom<FilterScalar>(
  1,
  2,
  '2',
  true,
  false,
  null,
  'a',
  'b',
  'x',
  'Ada',
  'upload',
  'github',
  'con_1',
  'col_1',
  'pdf',
  'x'.repeat(600),
);
const anyDate = fc.constantFrom(...DAYS, '2026-01-02T10:30:00.000Z', '2026-01-02T10:30:00', '2026-01-02T12:00+02:00');
const dateField = fc.constantFrom<FilterField>('createdAt', 'updatedAt');
const range = fc.constantFrom<'gt' | 'gte' | 'lt' | 'lte'>('gt', 'gte', 'lt', 'lte');

const comparison: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ field: anyField, op: fc.constantFrom<'eq' | 'ne'>('eq', 'ne'), value: anyValue }),
  fc.record({
    field: anyField,
    op: fc.constantFrom<'in' | 'nin'>('in', 'nin'),
    value: fc.array(anyValue, { maxLength: 3 }),
  }),
  fc.record({ field: anyField, op: fc.constant('exists' as const), value: fc.boolean() }),
  fc.record({ field: dateField, op: fc.constantFrom<'eq' | 'ne'>('eq', 'ne'), value: anyDate }),
  fc.record({ field: dateField, op: range, value: anyDate }),
  fc.record({ field: fc.constant<FilterField>('metadata.n'), op: range, value: fc.constantFrom(0, 1, 2, 5) }),
  fc.record({ field: fc.constant<FilterField>('metadata.due'), op: range, value: anyDate }),
);
const filter = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    comparison,
    fc.array(tie('filter'), { maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('filter'), { maxLength: 3 }).map((any) => ({ any })),
    tie('filter').map((not) => ({ not })),
  ),
})).filter;

describe('a filter', () => {
  it('matches a document at hand exactly if it matches the document in the index', async () => {
    await fc.assert(
      fc.asyncProperty(filter, async (required) => {
        const found = await store.listDocuments('test', { team: 'team_a', required });
        const matching = DOCUMENTS.flatMap((document, at) => (matchesFilter(required, document) ? [`doc_${at}`] : []));
        expect([...found].sort()).toEqual(matching);
      }),
      { numRuns: 500 },
    );
  });
});
