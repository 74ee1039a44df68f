import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StoredPassage, VectorStore } from '#index';
import { buildPassage, direction, terms } from './build-passage.ts';
import { startTestStore } from './start-test-store.ts';

const DOCUMENTS = 150;
const team = 'team_a';

describe('passages of several spaces', () => {
  let context: Awaited<ReturnType<typeof startTestStore>>;
  let store: VectorStore;
  const outside = async (space?: string) => {
    const found: StoredPassage[] = [];
    for await (const page of store.scrollPassages('test', { team, outsideSpace: space })) found.push(...page);
    return found;
  };
  const nearest = async (dense: readonly { space: string; vector: Float32Array }[]) => {
    const page = { team, limit: 200, offset: 0, passagesPerDocument: 1, candidates: 500 };
    const { hits } = await store.search('test', { ...page, mode: 'semantic', dense });
    return hits.map(({ document }) => document);
  };

  beforeAll(async () => {
    context = await startTestStore();
    store = context.store;
    const passages = Array.from({ length: DOCUMENTS }, (_, at) =>
      buildPassage({
        document: `doc_${at}`,
        space: 'old',
        text: `holiday ${at}`,
        heading: 'H',
        dense: direction(at / 2),
      }),
    );
    await store.upsertPassages('test', [...passages, buildPassage({ document: 'doc_new', space: 'new' })]);
    await store.upsertPassages('test', [buildPassage({ document: 'doc_other', team: 'team_b', space: 'old' })]);
  });
  afterAll(() => context.close());

  it('are compared only with the query of their own space', async () => {
    expect(await nearest([{ space: 'new', vector: direction(0) }])).toEqual(['doc_new']);
    expect(await nearest([{ space: 'old', vector: direction(0) }])).toHaveLength(DOCUMENTS);
    const both = [
      { space: 'old', vector: direction(0) },
      { space: 'new', vector: direction(80) },
    ];
    const found = await nearest(both);
    expect(found).toHaveLength(DOCUMENTS + 1);
    expect(found[0]).toBe('doc_0');
    expect(found.at(-1)).toBe('doc_new');
  });

  it('are iterated page by page with the text of their embedding', async () => {
    const found = await outside('new');
    expect(new Set(found.map(({ id }) => id)).size).toBe(DOCUMENTS);
    expect(found).toHaveLength(DOCUMENTS);
    expect(found[0]).toMatchObject({ title: 'Handbook', heading: 'H', sparse: terms('holiday') });
    expect(await outside()).toHaveLength(DOCUMENTS + 1);
  });

  it('move to another space without any other change', async () => {
    const moved = (await outside('new')).slice(0, 40).map(({ id }) => ({ id, dense: direction(90) }));
    expect(await store.movePassages('test', { team, space: 'new', passages: moved })).toBe(true);
    expect(await outside('new')).toHaveLength(DOCUMENTS - 40);
    expect(await nearest([{ space: 'new', vector: direction(90) }])).toHaveLength(41);
    expect((await store.count('test', { team })).passages).toBe(DOCUMENTS + 1);
    const page = { team, limit: 200, offset: 0, passagesPerDocument: 1, candidates: 500 };
    const { hits } = await store.search('test', { ...page, mode: 'keyword', sparse: terms('holiday') });
    expect(hits).toHaveLength(DOCUMENTS + 1);
  });

  it('are not restored after deletion', async () => {
    const [remaining, deleted] = await outside('new');
    const passages = [deleted!, remaining!].map(({ id }) => ({ id, dense: direction(45) }));
    await store.deleteDocument('test', { team, document: await documentOf(deleted!) });
    const before = await store.count('test', { team });
    expect(await store.movePassages('test', { team, space: 'new', passages })).toBe(false);
    expect(await store.count('test', { team })).toEqual(before);
    expect(await store.movePassages('test', { team, space: 'new', passages: [] })).toBe(true);
  });
});

/** Texts are `holiday` and the document's number. */
const documentOf = async ({ text }: StoredPassage) => `doc_${text.split(' ')[1]}`;
