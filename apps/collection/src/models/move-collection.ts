import { createByteBudget } from '@lectern/resilience';
import type { Context } from '#context';
import { WITH_COLLECTION } from '#documents/document-record';
import type { Collection } from '#gen/prisma/client';
import { moveDocument } from '#models/move-document';

/** Bytes of text to process at the same time. */
const MAX_TEXT_BYTES = 32 * 1024 * 1024;
/** Documents per batch. */
const BATCH = 16;

/**
 * Moves the documents of a collection to its current model, then releases the earlier models that
 * none of them uses. A document whose newest content could not be indexed remains under the model
 * of its last indexed version, which is searched as long as needed.
 */
export async function moveCollection(context: Context, collection: Collection, signal: AbortSignal): Promise<void> {
  for (const model of collection.previousModels) await deleteLeftovers(context, collection, model);
  await moveDocuments(context, collection, signal);
  for (const model of collection.previousModels) await releaseModels(context, collection, model);
}

async function moveDocuments(
  context: Context,
  { id: collectionId, embeddingModel }: Collection,
  signal: AbortSignal,
): Promise<void> {
  const { db, writes } = context;
  const budget = createByteBudget(MAX_TEXT_BYTES);
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const rows = await db.document.findMany({
      where: {
        collectionId,
        id: { gt: after },
        status: { in: ['indexed', 'failed'] },
        indexedVersion: { gt: 0, equals: db.document.fields.version },
        indexedModel: { not: embeddingModel },
      },
      include: WITH_COLLECTION,
      orderBy: { id: 'asc' },
      take: BATCH,
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    const moves = rows.map((row) =>
      budget.within(row.sizeBytes, async () => {
        const content = await writes.readContent(row);
        if (content !== undefined) await moveDocument(context, row, content, signal);
      }),
    );
    const failed = (await Promise.allSettled(moves)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }
}

/**
 * Deletes old passages that a killed move left behind after it wrote the row. Otherwise searches
 * would find documents twice.
 */
async function deleteLeftovers({ db, store }: Context, { id, teamId: team }: Collection, model: string): Promise<void> {
  const stored = new Set<string>();
  for await (const { document } of store.scrollDocuments(model, { team, collections: [id] })) stored.add(document);
  const here = await db.document.findMany({
    where: { collectionId: id, indexedModel: model, status: { not: 'deleted' } },
    select: { id: true },
  });
  for (const row of here) stored.delete(row.id);
  if (stored.size > 0) await store.deleteDocuments(model, { team, documents: [...stored] });
}

/**
 * Removes earlier models that no document uses. While the row is locked, no request can set such a
 * model again and nothing can be indexed under it.
 */
async function releaseModels(
  { db, store, log }: Context,
  { id, teamId: team }: Collection,
  model: string,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const [locked] = await tx.$queryRaw<{ readonly isCurrent: boolean }[]>`
      SELECT embedding_model = ${model} AS "isCurrent" FROM collections WHERE id = ${id} FOR UPDATE`;
    if (locked === undefined || locked.isCurrent) return;
    const remainingDocuments = await tx.document.count({
      where: { collectionId: id, indexedModel: model, status: { not: 'deleted' } },
    });
    if (remainingDocuments > 0) return;
    await store.deleteCollection(model, { team, collection: id });
    await tx.$executeRaw`UPDATE collections SET previous_models = array_remove(previous_models, ${model}) WHERE id = ${id}`;
    log.info({ collectionId: id, model }, 'no document uses an earlier embedding model any more');
  });
}
