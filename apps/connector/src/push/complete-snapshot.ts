import { AppError, newId } from '@lectern/service-kit';
import { lockConnector } from '#connectors/connector';
import type { Context } from '#context';
import type { Connector, Prisma, PushSnapshot } from '#gen/prisma/client';
import { stateOf } from '#push/item-rows';
import { removeUnnamed } from '#push/item-state';
import { countNamed, findSnapshot, requireOpen } from '#push/snapshots';
import { storeItems } from '#push/store-items';
import { needConfirmation } from '#sync/store/deletions';
import { createPlannedJob } from '#sync/store/jobs';
import { lockActiveJob } from '#sync/store/new-items';

const BATCH = 1_000;
const COMPLETE_TIMEOUT_MS = 60_000;

const missingOf = ({ id, connectorId }: PushSnapshot): Prisma.PushedItemWhereInput => ({
  connectorId,
  contentRevision: { not: null },
  OR: [{ snapshotId: null }, { snapshotId: { not: id } }],
});

/** Deletes the items that a snapshot did not name. Returns the id of the job that deletes them. */
async function deleteMissing(
  tx: Prisma.TransactionClient,
  connector: Pick<Connector, 'id' | 'teamId'>,
  snapshot: PushSnapshot,
): Promise<string | undefined> {
  let jobId: string | undefined;
  let last: string | undefined;
  for (;;) {
    const rows = await tx.pushedItem.findMany({
      // The index is by id: from the start, each batch would read the deleted ones again.
      where: { ...missingOf(snapshot), ...(last === undefined ? {} : { itemId: { gt: last } }) },
      orderBy: { itemId: 'asc' },
      take: BATCH,
    });
    last = rows.at(-1)?.itemId;
    if (last === undefined) return jobId;
    const before = new Map(rows.map((row) => [row.itemId, stateOf(row)]));
    const after = new Map([...before].map(([id, state]) => [id, removeUnnamed(state)]));
    jobId = (await storeItems(tx, connector, before, after)) ?? jobId;
  }
}

/** Shows in the connector's active job, or in a new one, that deletions are held. */
async function reportHeld(
  tx: Prisma.TransactionClient,
  connector: Pick<Connector, 'id' | 'teamId'>,
  { missing, known }: { readonly missing: number; readonly known: number },
): Promise<string> {
  const jobId =
    (await lockActiveJob(tx, connector.id))?.id ??
    (await createPlannedJob(tx, newId('job'), connector, { mode: 'auto', status: 'running' }));
  const errorMessage = `The snapshot does not name ${missing} of ${known} items. Nothing was deleted. Check the snapshot, then complete it with confirmDeletions.`;
  await tx.syncJob.update({ where: { id: jobId }, data: { errorCode: 'snapshot_held', errorMessage } });
  return jobId;
}

function requireValidIds({ hasInvalidId }: PushSnapshot): void {
  if (!hasInvalidId) return;
  throw new AppError(
    'conflict',
    'The snapshot contains an item without a valid id, so it is unknown which items exist. Nothing was deleted. Start a new snapshot with valid ids.',
  );
}

/**
 * Completes a snapshot: deletes the items that it did not name, or holds the deletions if they need
 * a confirmation. A repeated call returns the completed snapshot.
 */
export async function completeSnapshot(
  ctx: Context,
  connector: Pick<Connector, 'id' | 'teamId'>,
  { id, confirmDeletions }: { readonly id: string; readonly confirmDeletions: boolean },
): Promise<PushSnapshot> {
  return ctx.db.$transaction(
    async (tx) => {
      await lockConnector(tx, connector.id);
      const found = await findSnapshot(tx, connector.id, id);
      if (found.status === 'completed') return found;
      const snapshot = requireOpen(found);
      requireValidIds(snapshot);
      const named = await countNamed(tx, snapshot);
      const missing = await tx.pushedItem.count({ where: missingOf(snapshot) });
      const known = named + missing;
      const isHeld = !confirmDeletions && needConfirmation(missing, known);
      const jobId = isHeld
        ? await reportHeld(tx, connector, { missing, known })
        : await deleteMissing(tx, connector, snapshot);
      const status = isHeld ? 'held' : 'completed';
      return tx.pushSnapshot.update({ where: { id }, data: { status, named, missing, jobId: jobId ?? null } });
    },
    { timeout: COMPLETE_TIMEOUT_MS },
  );
}
