import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DocumentStatus } from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';
import { callAs, createCaller, waitUntil } from '@lectern/testing';
import { reconcile } from '#reconcile/reconcile';
import { purgeTombstones } from '#reconcile/sweep';
import { startTestCollection, type TestCollection } from './start-collection.ts';

let service: TestCollection;

beforeEach(async () => {
  service = await startTestCollection();
});
afterEach(() => service.stop());

const newDocument = async () => {
  const caller = createCaller();
  const call = callAs(caller);
  const { id: collectionId, embeddingModel: model } = await service.collections.createCollection({ name: 'C' }, call);
  const { id } = await service.documents.createDocument({ collectionId, title: 'T', content: 'Some words.' }, call);
  const read = () => service.documents.getDocument({ id }, call);
  const isIndexed = async () => (await read()).status === DocumentStatus.INDEXED;
  return { caller, call, collectionId, model, id, isIndexed };
};
const wait = { what: 'the document to be indexed', timeoutMs: 20_000 };

describe('after a fault, the service', () => {
  it('indexes a document whose message was lost', async () => {
    const document = await newDocument();
    await waitUntil(document.isIndexed, wait);
    await service.context.db.$executeRaw`
      UPDATE documents SET status = 'pending', indexed_version = 0, indexed_at = NULL, updated_at = now() - interval '1 hour'
      WHERE id = ${document.id}`;
    await waitUntil(document.isIndexed, wait);
  });

  it('queues a document as soon as NATS is back', async () => {
    const { unqueued } = service.context;
    await service.nats.kill();
    const document = await newDocument();
    expect([...unqueued.keys()]).toEqual([document.id]);
    await service.nats.restart();
    const limits = { ...wait, timeoutMs: 60_000 };
    await waitUntil(() => unqueued.size === 0, limits);
    await waitUntil(document.isIndexed, limits);
  });

  it('purges the passages of a document that was deleted while the vector store was down', async () => {
    const { id, caller, model, call, isIndexed } = await newDocument();
    await waitUntil(isIndexed, wait);
    const { store, db } = service.context;
    const failingStore = {
      ...store,
      deleteDocuments: () => Promise.reject(new AppError('unavailable', 'The vector store is down.')),
    };
    const { deleteDocuments } = await import('#documents/delete-documents');
    await deleteDocuments({ ...service.context, store: failingStore }, { id, teamId: caller.teamId });
    await expect(service.documents.getDocument({ id }, call)).rejects.toMatchObject({ code: 'not_found' });
    await waitUntil(async () => (await purgeTombstones(service.context)) === 0, { ...wait, what: 'the purge' });
    expect(await store.count(model, { team: caller.teamId })).toEqual({ documents: 0, passages: 0 });
    expect((await db.document.findUniqueOrThrow({ where: { id } })).purgedAt).not.toBeNull();
  });

  it('deletes passages without a row, and re-indexes rows without passages', async () => {
    const { id, caller, model, isIndexed } = await newDocument();
    await waitUntil(isIndexed, wait);
    const { store, db } = service.context;
    expect(await reconcile(service.context)).toEqual({ orphans: 0, missing: 0 });

    await store.deleteDocument(model, { team: caller.teamId, document: id });
    expect(await reconcile(service.context)).toEqual({ orphans: 0, missing: 1 });
    await waitUntil(isIndexed, wait);
    expect((await store.count(model, { team: caller.teamId })).passages).toBe(1);

    await db.document.delete({ where: { id } });
    expect(await reconcile(service.context)).toEqual({ orphans: 1, missing: 0 });
    expect((await store.count(model, { team: caller.teamId })).passages).toBe(0);
  });
});
