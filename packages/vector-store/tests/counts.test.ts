import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { VectorStore } from '#index';
import { buildPassage } from './build-passage.ts';
import { startTestStore } from './start-test-store.ts';

describe('counts and facets', () => {
  let context: Awaited<ReturnType<typeof startTestStore>>;
  let store: VectorStore;

  beforeAll(async () => {
    context = await startTestStore();
    store = context.store;
    const documents = [
      { document: 'doc_1', source: 'github', passages: 5 },
      { document: 'doc_2', source: 'github', passages: 1 },
      { document: 'doc_3', source: 'upload', passages: 2, collection: 'col_2' },
      { document: 'doc_4', source: 'slack', passages: 3, principals: ['user:ada@example.com'] },
      { document: 'doc_5', source: 'github', passages: 4, team: 'team_b' },
    ];
    const passages = documents.flatMap(({ passages, ...fields }) =>
      Array.from({ length: passages }, (_, chunk) => buildPassage({ ...fields, chunk })),
    );
    await store.upsertPassages('test', passages);
  });
  afterAll(() => context.close());

  it('count documents, not passages, within the scope', async () => {
    expect(await store.count('test', { team: 'team_a' })).toEqual({ documents: 4, passages: 11 });
    expect(await store.count('test', { team: 'team_a', collections: ['col_2'] })).toEqual({
      documents: 1,
      passages: 2,
    });
    expect(await store.count('test', { team: 'team_a', principals: ['public'] })).toEqual({
      documents: 3,
      passages: 8,
    });
    expect(await store.count('test', { team: 'team_a', collections: [] })).toEqual({ documents: 0, passages: 0 });
  });

  it('return each value of a field with its documents, the most frequent first', async () => {
    expect(await store.facet('test', { team: 'team_a', field: 'source', limit: 10 })).toEqual([
      { value: 'github', count: 2 },
      { value: 'slack', count: 1 },
      { value: 'upload', count: 1 },
    ]);
    expect(await store.facet('test', { team: 'team_a', field: 'source', limit: 1 })).toEqual([
      { value: 'github', count: 2 },
    ]);
    expect(await store.facet('test', { team: 'team_a', field: 'source', limit: 10, collections: [] })).toEqual([]);
  });

  it('count the passages of named documents', async () => {
    const counts = await store.countByDocument('test', {
      team: 'team_a',
      documents: ['doc_1', 'doc_3', 'doc_5', 'doc_9'],
    });
    expect(Object.fromEntries(counts)).toEqual({ doc_1: 5, doc_3: 2, doc_5: 0, doc_9: 0 });
  });

  it('find nothing for a model without passages', async () => {
    expect(await store.count('unknown', { team: 'team_a' })).toEqual({ documents: 0, passages: 0 });
    expect(await store.facet('unknown', { team: 'team_a', field: 'type', limit: 10 })).toEqual([]);
    for await (const version of store.scrollDocuments('unknown', { team: 'team_a' })) expect(version).toBeUndefined();
    await store.deleteDocument('unknown', { team: 'team_a', document: 'doc_1' });
  });
});
