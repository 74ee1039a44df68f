import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Passage, VectorStore } from '#index';
import { buildPassage } from './build-passage.ts';
import { startTestStore } from './start-test-store.ts';

/** Returns the chunks 0, 1, … of one version of a document. */
function chunks(amount: number, fields: Partial<Passage> = {}): Passage[] {
  return Array.from({ length: amount }, (_, chunk) => buildPassage({ ...fields, chunk }));
}

describe('passages', () => {
  let context: Awaited<ReturnType<typeof startTestStore>>;
  let store: VectorStore;
  const versions = async (team: string) => {
    const found: string[] = [];
    for await (const { document, version } of store.scrollDocuments('test', { team }))
      found.push(`${document}@${version}`);
    return found.sort();
  };

  beforeAll(async () => {
    context = await startTestStore();
    store = context.store;
  });
  beforeEach(async () => {
    for (const team of ['team_a', 'team_b']) {
      for (const collection of ['col_1', 'col_2']) await store.deleteCollection('test', { team, collection });
    }
  });
  afterAll(() => context.close());

  it('are stored once when indexed repeatedly', async () => {
    await store.upsertPassages('test', chunks(3));
    await store.upsertPassages('test', chunks(3, { text: 'The new holiday policy' }));
    expect(await store.count('test', { team: 'team_a' })).toEqual({ documents: 1, passages: 3 });
  });

  it('are complete after an upsert of many batches', async () => {
    const text = 'policy '.repeat(2_000);
    await store.upsertPassages('test', chunks(700, { text }));
    expect(await store.count('test', { team: 'team_a' })).toEqual({ documents: 1, passages: 700 });
  });

  it('can be an empty list', async () => {
    await store.upsertPassages('test', []);
    expect(await versions('team_a')).toEqual([]);
  });

  it('are deleted for older versions by deleteDocument with beforeVersion', async () => {
    await store.upsertPassages('test', [...chunks(3), ...chunks(2, { version: 2 }), ...chunks(1, { version: 3 })]);
    await store.deleteDocument('test', { team: 'team_a', document: 'doc_1', beforeVersion: 3 });
    expect(await versions('team_a')).toEqual(['doc_1@3']);
    expect(await store.count('test', { team: 'team_a' })).toEqual({ documents: 1, passages: 1 });
  });

  it('are readable only by the principals of setPrincipals', async () => {
    await store.upsertPassages('test', [...chunks(2), ...chunks(1, { document: 'doc_2' })]);
    await store.setPrincipals('test', { team: 'team_a', documents: ['doc_1'], principals: ['user:a@b.test'] });
    await store.setPrincipals('test', { team: 'team_b', documents: ['doc_2'], principals: ['user:a@b.test'] });
    const countFor = async (principal: string) =>
      (await store.count('test', { team: 'team_a', principals: [principal] })).passages;
    expect(await countFor('user:a@b.test')).toBe(2);
    expect(await countFor('public')).toBe(1);
    await store.setPrincipals('test', { team: 'team_a', documents: ['doc_1', 'doc_2'], principals: [] });
    expect(await countFor('public')).toBe(0);
  });

  it('of older versions lose readers by narrowPrincipals, and gain none', async () => {
    const readers = ['user:ada@a.test', 'user:bob@a.test', 'group:x:crew', 'public'];
    const some = fc.subarray(readers);
    await fc.assert(
      fc.asyncProperty(
        fc.array(some, { minLength: 1, maxLength: 4 }),
        fc.nat({ max: 4 }),
        some,
        async (of, at, kept) => {
          await store.deleteDocument('test', { team: 'team_a', document: 'doc_1' });
          const passages = of.flatMap((principals, version) => chunks(2, { version: version + 1, principals }));
          const others = [buildPassage({ team: 'team_b', document: 'doc_3' }), buildPassage({ document: 'doc_2' })];
          await store.upsertPassages('test', [...passages, ...others]);
          const beforeVersion = at + 1;
          await store.narrowPrincipals('test', { team: 'team_a', document: 'doc_1', beforeVersion, principals: kept });
          for (const reader of readers) {
            const readable = of.filter(
              (names, version) => names.includes(reader) && (version + 1 >= beforeVersion || kept.includes(reader)),
            );
            const { passages: count } = await store.count('test', { team: 'team_a', principals: [reader] });
            expect(count).toBe(readable.length * 2 + (reader === 'public' ? 1 : 0));
          }
          expect((await store.count('test', { team: 'team_b', principals: ['public'] })).passages).toBe(1);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('are deleted for one version by deleteVersion', async () => {
    await store.upsertPassages('test', [...chunks(2), ...chunks(2, { version: 2 })]);
    await store.deleteVersion('test', { team: 'team_a', document: 'doc_1', version: 2 });
    expect(await versions('team_a')).toEqual(['doc_1@1']);
  });

  it('are deleted for many documents by deleteDocuments', async () => {
    const documents = Array.from({ length: 1_200 }, (_, at) => `doc_${at}`);
    await store.upsertPassages(
      'test',
      documents.map((document) => buildPassage({ document })),
    );
    await store.deleteDocuments('test', { team: 'team_a', documents: documents.slice(1) });
    expect(await versions('team_a')).toEqual(['doc_0@1']);
  });

  it('are deleted for one collection by deleteCollection', async () => {
    await store.upsertPassages('test', [...chunks(2), ...chunks(2, { document: 'doc_2', collection: 'col_2' })]);
    await store.deleteCollection('test', { team: 'team_a', collection: 'col_1' });
    expect(await versions('team_a')).toEqual(['doc_2@1']);
  });

  it('are kept when another team deletes the same ids', async () => {
    const otherTeam = { team: 'team_b', document: 'doc_b' };
    await store.upsertPassages('test', [...chunks(2), ...chunks(2, otherTeam)]);
    await store.deleteDocument('test', { team: 'team_a', document: 'doc_b' });
    await store.deleteDocuments('test', { team: 'team_a', documents: ['doc_b'] });
    await store.deleteVersion('test', { team: 'team_a', document: 'doc_b', version: 1 });
    await store.deleteCollection('test', { team: 'team_a', collection: 'col_1' });
    expect(await versions('team_a')).toEqual([]);
    expect(await versions('team_b')).toEqual(['doc_b@1']);
  });

  it('are iterated page by page, each document and version once', async () => {
    const documents = Array.from({ length: 1_100 }, (_, at) => `doc_${at}`);
    await store.upsertPassages(
      'test',
      documents.flatMap((document) => chunks(2, { document })),
    );
    const found = await versions('team_a');
    expect(found).toHaveLength(1_100);
    expect(new Set(found).size).toBe(1_100);
  });
});
