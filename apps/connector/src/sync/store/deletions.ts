import { UNREADABLE_ENTRY } from '@lectern/connectors';
import { newId } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';
import { type ClaimedPlan, completePlan, lockPlan } from '#sync/store/jobs';

// Documents whose items a full listing no longer contains. Their deletions are planned first and
// released only when all of them are known.

/**
 * A full listing that would delete more documents than this, and more than half of them, needs a
 * confirmation.
 */
const MAX_UNCONFIRMED = 20;
const BATCH = 1_000;
const TIMEOUT_MS = 60_000;

/** The retry time of planned deletions that are not released yet. */
const UNRELEASED = new Date('9999-01-01T00:00:00Z');

const unreleasedOf = (jobId: string) => ({ jobId, action: 'delete' as const, retryAt: UNRELEASED });

/** Returns true if so many deletions of the known items need a confirmation. */
export const needConfirmation = (deleted: number, known: number): boolean =>
  deleted > MAX_UNCONFIRMED && deleted > known / 2;

export interface MissingFile {
  readonly sourceId: string;
  readonly path: string;
}

/**
 * Returns a batch of the connector's files for which the job has no item: the listing did not
 * contain them.
 */
export function findMissing(
  tx: Prisma.TransactionClient,
  { connectorId, jobId }: Pick<ClaimedPlan, 'connectorId' | 'jobId'>,
  limit: number = BATCH,
): Promise<MissingFile[]> {
  return tx.$queryRaw<MissingFile[]>`
    SELECT source_id AS "sourceId", path FROM files
    WHERE connector_id = ${connectorId} AND removed_at IS NULL
      AND NOT EXISTS (SELECT FROM sync_items WHERE job_id = ${jobId} AND sync_items.source_id = files.source_id)
    ORDER BY source_id LIMIT ${limit}`;
}

/** Plans deletions, which wait until they are released. */
export async function planDeletions(
  tx: Prisma.TransactionClient,
  { teamId, connectorId, jobId }: ClaimedPlan,
  missing: readonly MissingFile[],
): Promise<void> {
  await tx.syncItem.createMany({
    data: missing.map(({ sourceId, path }) => ({
      ...{ id: newId('item'), teamId, connectorId, jobId, sourceId, path },
      action: 'delete' as const,
      retryAt: UNRELEASED,
      ref: { id: sourceId, path, title: path },
    })),
    skipDuplicates: true,
  });
}

/**
 * Releases the planned deletions, or drops them and returns the job's error if they need a
 * confirmation.
 */
async function releaseDeletions(tx: Prisma.TransactionClient, plan: ClaimedPlan): Promise<Prisma.SyncJobUpdateInput> {
  const { connectorId, jobId } = plan;
  for (;;) {
    const missing = await findMissing(tx, plan);
    if (missing.length === 0) break;
    await planDeletions(tx, plan, missing);
  }
  const unreleased = unreleasedOf(jobId);
  const deleted = await tx.syncItem.count({ where: unreleased });
  const known = await tx.file.count({ where: { connectorId, removedAt: null } });
  if (plan.confirmDeletions || !needConfirmation(deleted, known)) {
    await tx.syncItem.updateMany({ where: unreleased, data: { retryAt: null } });
    return {};
  }
  await tx.syncItem.deleteMany({ where: unreleased });
  return {
    errorCode: 'deletion_held',
    errorMessage: `The source no longer lists ${deleted} of ${known} known items. Nothing was deleted. Check the source, then sync with confirm_deletions.`,
  };
}

/**
 * Completes a plan: every item has a row. With `sweep`, the listing was full and its source reported
 * it as complete: files that it did not contain are deleted, unless an entry could not be read.
 */
export async function completeListing(
  ctx: Context,
  plan: ClaimedPlan,
  { sweep }: { readonly sweep: boolean },
): Promise<void> {
  await ctx.db.$transaction(
    async (tx) => {
      await lockPlan(tx, plan);
      const isComplete = (await tx.syncItem.count({ where: { jobId: plan.jobId, errorCode: UNREADABLE_ENTRY } })) === 0;
      // An item that the source reports as gone can still exist under another id, in an entry that
      // could not be read.
      if (!isComplete) await tx.syncItem.deleteMany({ where: unreleasedOf(plan.jobId) });
      await completePlan(tx, plan, sweep && isComplete ? await releaseDeletions(tx, plan) : {});
    },
    { timeout: TIMEOUT_MS },
  );
}
