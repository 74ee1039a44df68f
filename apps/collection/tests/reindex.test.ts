import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DocumentStatus } from '@lectern/contracts';
import { callAs, createCaller, waitUntil } from '@lectern/testing';
import { QdrantClient } from '@qdrant/js-client-rest';
import { followRebuild } from '#cli/follow-rebuild';
import { markDocuments } from '#cli/mark-documents';
import { startTestCollection, type TestCollection } from './start-collection.ts';

let service: TestCollection;
const wait = { what: 'the documents to be indexed', timeoutMs: 20_000 };
const follow = { stallMs: 20_000, onProgress: () => undefined };

beforeEach(async () => {
  service = await startTestCollection();
});
afterEach(() => service.stop());

/** Creates indexed documents of a new team. */
async function createDocuments() {
  const caller = createCaller();
  const call = callAs(caller);
  const { id: collectionId, embeddingModel: model } = await service.collections.createCollection({ name: 'C' }, call);
  const ids: string[] = [];
  for (const word of ['apple', 'pear', 'plum'])
    ids.push((await service.documents.createDocument({ collectionId, title: word, content: `A ${word}.` }, call)).id);
  const all = () => Promise.all(ids.map((id) => service.documents.getDocument({ id }, call)));
  const isDone = async () => (await all()).every(({ status }) => status === DocumentStatus.INDEXED);
  await waitUntil(isDone, wait);
  const { db } = service.context;
  await db.$executeRaw`UPDATE documents SET indexed_at = now() - interval '1 hour'`;
  return { caller, model, ids, all };
}

/** Returns all points in the vector store, sorted. */
async function readPoints() {
  const { config } = service.context;
  const client = new QdrantClient({ url: config.QDRANT_URL, checkCompatibility: false });
  const { collections } = await client.getCollections();
  const pages = await Promise.all(
    collections.map(({ name }) => client.scroll(name, { limit: 100, with_payload: true, with_vector: true })),
  );
  return pages.flatMap(({ points }) => points).sort((a, b) => String(a.id).localeCompare(String(b.id)));
}

describe('reindexing', () => {
  it('restores every lost point without changing the records', async () => {
    const { all, ids } = await createDocuments();
    const before = { points: await readPoints(), documents: await all() };
    expect(before.points).toHaveLength(3);
    const client = new QdrantClient({ url: service.context.config.QDRANT_URL, checkCompatibility: false });
    for (const { name } of (await client.getCollections()).collections)
      await client.delete(name, { wait: true, points: before.points.map(({ id }) => id) });
    expect(await readPoints()).toEqual([]);

    expect(await markDocuments(service.context.db)).toBe(ids.length);
    expect(await followRebuild(service.context.db, follow)).toEqual({ remaining: 0, failed: 0 });
    expect(await readPoints()).toEqual(before.points);
    const withoutTime = (documents: Awaited<ReturnType<typeof all>>) =>
      documents.map((document) => ({ ...document, indexedAt: undefined }));
    expect(withoutTime(await all())).toEqual(withoutTime(before.documents));
  });

  it('indexes only documents written after a given transaction', async () => {
    const { ids } = await createDocuments();
    const { db } = service.context;
    let sinceTransaction = 0n;
    // Open transactions of other databases on the same server hold the snapshot back.
    const areOlder = async () => {
      const [snapshot] = await db.$queryRaw<{ xid: string; newest: string }[]>`
        SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xid, max(xmin::text::bigint)::text AS newest
        FROM documents`;
      sinceTransaction = BigInt(snapshot?.xid ?? '');
      return sinceTransaction > BigInt(snapshot?.newest ?? '');
    };
    await waitUntil(areOlder, { what: 'the documents to be older than the snapshot', timeoutMs: 10_000 });
    expect(await markDocuments(db, { sinceTransaction })).toBe(0);
    await db.$executeRaw`UPDATE documents SET principals = '{user:a@example.com}' WHERE id = ${ids[1]}`;
    expect(await markDocuments(db, { sinceTransaction })).toBe(1);
    await followRebuild(db, follow);
    expect((await readPoints()).flatMap(({ payload }) => payload?.principals)).toContain('user:a@example.com');
  });

  it('indexes documents of connectors whose sync has ended', async () => {
    const { ids } = await createDocuments();
    const { db } = service.context;
    await db.$executeRaw`UPDATE documents SET connector_id = 'con_x' WHERE id = ${ids[0]}`;
    await markDocuments(db);
    expect(await followRebuild(db, follow)).toEqual({ remaining: 0, failed: 0 });
    expect((await readPoints()).flatMap(({ payload }) => payload?.connector ?? [])).toEqual(['con_x']);
  });

  it('fails if no service does the work', async () => {
    const { ids } = await createDocuments();
    const { db } = service.context;
    await db.$executeRaw`UPDATE documents SET status = 'processing', indexed_version = 0, indexed_at = now() WHERE id = ${ids[2]}`;
    await expect(followRebuild(db, { ...follow, stallMs: 1_000 })).rejects.toThrow(/1 documents are not indexed yet/);
  });
});
