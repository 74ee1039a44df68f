import { COLLECTION_MODELS, modelsOf } from '#collections/collection-models';
import type { Context } from '#context';
import { queueIndexing } from '#documents/create-document';
import { purge } from '#documents/delete-documents';

/**
 * A document without progress for this long has lost its message. Longer than it takes to redeliver
 * the message of an unresponsive worker.
 */
const LOST_AFTER_MS = 30_000;
const BATCH = 500;

/**
 * Queues documents that are not indexed and had no progress for a while: documents of the API, and
 * those of any origin whose passages must be rebuilt. A sync queues its own documents.
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
  // Oldest first: a round takes a limited number, the next round continues.
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

/** Deletes the passages of deleted documents that could not be deleted with them. */
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
