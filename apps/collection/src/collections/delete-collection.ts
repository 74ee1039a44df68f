import type { Precondition } from '@lectern/contracts';
import { isNeeded } from '@lectern/events';
import { collectionDeleted } from '@lectern/messaging';
import { requireRevision } from '@lectern/service-kit';
import { modelsOf } from '#collections/collection-models';
import { collectionRevision } from '#collections/collection-record';
import { lockCollection } from '#collections/lock-collection';
import type { Context } from '#context';
import { LIVE_STATES } from '#document-status';
import { recordDeletions } from '#events/record-deletions';
import type { Collection, Prisma } from '#gen/prisma/client';
import { forgetGroups } from '#groups/drop-groups';
import { deleteCollectionRules } from '#search-rules/change-search-rules';
import { deleteCollectionSynonyms } from '#synonyms/change-synonyms';

/** Milliseconds allowed for writing the tombstones of a large collection. */
const TOMBSTONES_MS = 120_000;

/**
 * Deletes a collection: first writes tombstones for it and its documents in one transaction, then
 * deletes its passages, then publishes the event. Throws `not_found` if another request deleted it
 * first, and `precondition_failed`.
 */
export async function deleteCollection(
  context: Context,
  collection: Collection,
  precondition?: Precondition,
): Promise<void> {
  const { db, store, messaging, log } = context;
  const { id, teamId } = collection;
  const deletedAt = new Date();
  const deleteRows = async (tx: Prisma.TransactionClient) => {
    requireRevision(precondition, collectionRevision(await lockCollection(tx, id)));
    await tx.collection.update({ where: { id }, data: { deletedAt } });
    await tx.documentContent.deleteMany({ where: { document: { collectionId: id } } });
    await tx.documentPage.deleteMany({ where: { document: { collectionId: id } } });
    // Its connectors can no longer sync, so members of their groups would never be removed.
    const connectors = await tx.document.findMany({
      where: { collectionId: id, connectorId: { not: null } },
      distinct: ['connectorId'],
      select: { connectorId: true },
    });
    await forgetGroups(
      tx,
      teamId,
      connectors.flatMap(({ connectorId }) => connectorId ?? []),
    );
    const where = { collectionId: id, status: { in: LIVE_STATES } };
    const data = { status: 'deleted', deletedAt, chunkCount: 0 } as const;
    // The collection is locked, so that no document is added meanwhile.
    if (await isNeeded(tx, teamId, 'document.deleted')) {
      const select = { id: true, teamId: true, collectionId: true, connectorId: true };
      await recordDeletions(tx, await tx.document.updateManyAndReturn({ where, data, select }));
    } else await tx.document.updateMany({ where, data });
    // Last, because they lock the synonyms and rules of the whole team.
    await deleteCollectionSynonyms(tx, teamId, id);
    await deleteCollectionRules(tx, teamId, id);
  };
  await db.$transaction(deleteRows, { timeout: TOMBSTONES_MS });
  try {
    for (const model of modelsOf(collection)) await store.deleteCollection(model, { team: teamId, collection: id });
    await db.document.updateMany({ where: { collectionId: id, deletedAt }, data: { purgedAt: new Date() } });
  } catch (err) {
    log.warn({ err, collectionId: id }, 'could not delete the passages of a collection; the sweeper will retry');
  }
  messaging.announce(collectionDeleted, { teamId, collectionId: id });
}
