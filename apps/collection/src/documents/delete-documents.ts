import type { Precondition } from '@lectern/contracts';
import { requireRevision } from '@lectern/service-kit';
import { markLanguagesStale } from '#collections/collection-languages';
import { COLLECTION_MODELS, modelsOf } from '#collections/collection-models';
import type { Context } from '#context';
import { LIVE_STATES } from '#document-status';
import { documentRevision } from '#documents/document-record';
import { recordDeletions } from '#events/record-deletions';
import type { Prisma } from '#gen/prisma/client';

/** A deleted document whose passages may still be in the vector store. */
interface Tombstone {
  readonly id: string;
  readonly teamId: string;
  /** The models that can index its passages. */
  readonly models: readonly string[];
}

/** Documents to purge in one step. */
const PURGE_BATCH = 500;

/** Locks a live document. Throws `precondition_failed` if its revision is not an expected one. */
async function requireDocumentRevision(
  tx: Prisma.TransactionClient,
  { id, precondition }: { readonly id: string; readonly precondition: Precondition },
): Promise<void> {
  await tx.$queryRaw`SELECT FROM documents WHERE id = ${id} FOR UPDATE`;
  const row = await tx.document.findFirst({ where: { id, status: { in: LIVE_STATES } } });
  if (row !== null) requireRevision(precondition, documentRevision(row));
}

/**
 * Deletes a document if it has one of the expected revisions. Returns false if another request
 * deleted it first.
 */
export async function deleteOneDocument(
  context: Context,
  { id, teamId }: { readonly id: string; readonly teamId: string },
  precondition: Precondition | undefined,
): Promise<boolean> {
  const expected = precondition && { id, precondition };
  return (await deleteDocuments(context, { id, teamId }, expected)).length > 0;
}

/**
 * Deletes documents: first writes tombstones and deletes the texts, then deletes the passages.
 * Returns the deleted ids. If the vector store is unreachable (searches are too), the sweep deletes
 * the passages later.
 */
export async function deleteDocuments(
  context: Context,
  where: Prisma.DocumentWhereInput,
  expected?: { readonly id: string; readonly precondition: Precondition },
): Promise<string[]> {
  const { db, log } = context;
  const rows = await db.$transaction(async (tx) => {
    if (expected !== undefined) await requireDocumentRevision(tx, expected);
    const found = await tx.document.findMany({
      where: { AND: [where, { status: { in: LIVE_STATES } }] },
      select: { id: true },
    });
    const ids = found.map(({ id }) => id);
    const deleted = await tx.document.updateManyAndReturn({
      where: { id: { in: ids }, status: { in: LIVE_STATES } },
      data: { status: 'deleted', deletedAt: new Date(), chunkCount: 0, errorCode: null, errorMessage: null },
      select: {
        id: true,
        teamId: true,
        collectionId: true,
        connectorId: true,
        collection: { select: COLLECTION_MODELS },
      },
    });
    await recordDeletions(tx, deleted);
    const ofDeleted = { documentId: { in: deleted.map(({ id }) => id) } };
    await tx.documentContent.deleteMany({ where: ofDeleted });
    await tx.documentPage.deleteMany({ where: ofDeleted });
    return deleted;
  });
  await markLanguagesStale(
    db,
    rows.map(({ collectionId }) => collectionId),
  );
  const tombstones = rows.map(({ id, teamId, collection }) => ({ id, teamId, models: modelsOf(collection) }));
  try {
    await purge(context, tombstones);
  } catch (err) {
    log.warn(
      { err, documents: tombstones.length },
      'could not delete the passages of documents; the sweeper will retry',
    );
  }
  return tombstones.map(({ id }) => id);
}

/** Deletes the passages of deleted documents from the vector store. Idempotent. */
export async function purge({ db, store }: Context, tombstones: readonly Tombstone[]): Promise<void> {
  const groups = Map.groupBy(tombstones, ({ teamId, models }) => JSON.stringify([teamId, models]));
  for (const group of groups.values()) {
    for (let from = 0; from < group.length; from += PURGE_BATCH) {
      const batch = group.slice(from, from + PURGE_BATCH);
      const [first] = batch;
      if (first === undefined) continue;
      const ids = batch.map(({ id }) => id);
      for (const model of first.models) await store.deleteDocuments(model, { team: first.teamId, documents: ids });
      await db.document.updateMany({ where: { id: { in: ids } }, data: { purgedAt: new Date() } });
    }
  }
}
