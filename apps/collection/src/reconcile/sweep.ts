import { COLLECTION_MODELS, modelsOf } from '#collections/collection-models';
import type { Context } from '#context';
import { queueIndexing } from '#documents/create-document';
import { purge } from '#documents/delete-documents';

/** A document that has not moved for this long has lost its message. Longer than a message waits for a silent worker. */
const LOST_AFTER_MS = 30_000;
const BATCH = 500;

/**
 * Queues anew what is not indexed though nobody has worked on it for a while: documents that were made through the API, and those of any origin whose
 * passages are to be made anew. A sync queues its own.
 */
export async function requeueLostDocuments(context: Context): Promise<number> {
  const before = new Date(Date.now() - LOST_AFTER_MS);
  const select = { id: true, teamId: true, version: true } as const;
  const lost = await context.db.document.findMany({
    where: {
      connectorId: null,
      status: { in: ['pending', 'processing'] },
      updatedAt: { lt: before },
      OR: [{ indexedAt: null }, { indexedVersion: { gt: 0 } }],
    },
    select,
    take: BATCH,
  });
  // The longest untouched first: a round takes so many, and the next one those after them.
  const rebuilt = await context.db.document.findMany({
    where: { status: { in: ['pending', 'processing'] }, indexedVersion: 0, indexedAt: { lt: before } },
    select,
    orderBy: { indexedAt: 'asc' },
    take: BATCH,
  });
  const attempt = Math.floor(Date.now() / LOST_AFTER_MS);
  const all = [...lost, ...rebuilt];
  for (const document of all) await queueIndexing(context, document, attempt);
  return all.length;
}

/** Takes the passages of deleted documents out of the vector store, where that could not be done at the deletion. */
export async function purgeTombstones(context: Context): Promise<number> {
  const rows = await context.db.document.findMany({
    where: { status: 'deleted', purgedAt: null },
    select: { id: true, teamId: true, collection: { select: COLLECTION_MODELS } },
    orderBy: { deletedAt: 'asc' },
    take: BATCH,
  });
  await purge(
    context,
    rows.map(({ id, teamId, collection }) => ({ id, teamId, models: modelsOf(collection) })),
  );
  return rows.length;
}
