import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocumentStatus } from '@lectern/contracts';
import { callAs, createCaller } from '@lectern/testing';
import type { VectorStore } from '@lectern/vector-store';
import { startTestCollection, type TestCollection } from './start-collection.ts';

const ada = 'user:ada@example.com';
const caller = createCaller();
const as = () => callAs(caller);

let service: TestCollection;
let collectionId: string;
let connectorId: string;
/** Runs once, after the passages of the next document are stored and before its row is updated. */
let afterUpsert: (() => Promise<unknown>) | undefined;

beforeAll(async () => {
  service = await startTestCollection();
  const { store } = service.context;
  const upsert: VectorStore['upsertPassages'] = store.upsertPassages.bind(store);
  store.upsertPassages = async (...args) => {
    await upsert(...args);
    const run = afterUpsert;
    afterUpsert = undefined;
    await run?.();
  };
  collectionId = (await service.collections.createCollection({ name: 'Items' }, as())).id;
  connectorId = `con_${crypto.randomUUID()}`;
});
afterAll(() => service.stop());

const index = (externalId: string, content: string, principals = ['public']) =>
  service.documents.indexItem(
    {
      ...{ connectorId, collectionId, source: 's3', externalId, title: externalId, content, type: 'text' },
      ...{ url: undefined, metadata: { pages: 2 }, principals },
    },
    as(),
  );
const setPermissions = (externalId: string, principals: string[]) =>
  service.documents.setPermissions({ connectorId, items: [{ externalId, principals }] }, as());
/** Returns 1 if the principal can find the document, otherwise 0. */
const countFor = async (document: string, principal: string): Promise<number> => {
  const { context } = service;
  const { embeddingModel } = await context.db.collection.findUniqueOrThrow({ where: { id: collectionId } });
  return context.store.countDocuments(embeddingModel, {
    team: caller.teamId,
    only: [document],
    principals: [principal],
  });
};

describe('an item of a connector', () => {
  it('has one document, which is replaced by new content', async () => {
    const first = await index('a.txt', 'First text.');
    expect(first).toMatchObject({ status: DocumentStatus.INDEXED, source: 's3', externalId: 'a.txt', chunkCount: 1 });
    const both = await Promise.all([index('a.txt', 'Second text.'), index('a.txt', 'Third text.')]);
    expect(both.map(({ id }) => id)).toEqual([first.id, first.id]);
    const { content } = await service.documents.getDocumentContent({ id: first.id }, as());
    expect(content).toMatch(/^(Second|Third) text\.$/);
    expect(await countFor(first.id, 'public')).toBe(1);
  });

  it('gets a new document after the first was deleted', async () => {
    const { id } = await index('b.txt', 'Text.');
    await service.documents.deleteDocument({ id }, as());
    expect((await index('b.txt', 'Text.')).id).not.toBe(id);
  });

  it('is rejected for an unknown collection or one of another team', async () => {
    const other = createCaller();
    const request = {
      connectorId,
      collectionId,
      source: 's3',
      externalId: 'c',
      title: 'c',
      content: 'c',
      type: 'text',
    };
    await expect(
      service.documents.indexItem({ ...request, url: undefined, metadata: {}, principals: [] }, callAs(other)),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('can be read by new principals immediately, without being indexed again', async () => {
    const { id, indexedAt } = await index('d.txt', 'Text of d.');
    expect(await setPermissions('d.txt', [ada])).toEqual({ documents: 1 });
    expect(await countFor(id, ada)).toBe(1);
    expect(await countFor(id, 'public')).toBe(0);
    expect(await service.documents.getDocument({ id }, as())).toMatchObject({ indexedAt });
    expect(await setPermissions('unknown', [ada])).toEqual({ documents: 0 });
  });

  it('keeps its new principals if an indexing that started before finishes later', async () => {
    const { id } = await index('e.txt', 'Text of e.');
    afterUpsert = () => setPermissions('e.txt', [ada]);
    await index('e.txt', 'New text of e.');
    expect(await countFor(id, ada)).toBe(1);
    expect(await countFor(id, 'public')).toBe(0);
  });

  it('is not found by readers that a new version leaves out, also before that version is complete', async () => {
    const { id } = await index('f.txt', 'Text of f.', ['public', ada]);
    let canFind: readonly boolean[] = [];
    afterUpsert = async () => {
      const counts = await Promise.all(['public', ada].map((principal) => countFor(id, principal)));
      canFind = counts.map((count) => count > 0);
      throw new Error('The process ends here.');
    };
    await expect(index('f.txt', 'New text of f.', [ada])).rejects.toBeDefined();
    expect(canFind).toEqual([false, true]);
    expect(await countFor(id, 'public')).toBe(0);
  });
});
