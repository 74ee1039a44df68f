import { UNREADABLE_ENTRY } from '@lectern/connectors';
import { newId } from '@lectern/service-kit';
import type { Prisma } from '#gen/prisma/client';
import type { Context } from '../context.ts';
import type { HeldPlan } from './claim-plan.ts';
import { lockPlan } from './lock-plan.ts';

/** A full listing that would delete more than this many documents, and more than half of them, is not trusted unasked. */
const HOLD_ABOVE = 20;
const BATCH = 1_000;
const TIMEOUT_MS = 60_000;

/** Deletions that are planned but not yet decided on wait until then. */
export const UNDECIDED = new Date('9999-01-01T00:00:00Z');

const undecidedOf = (jobId: string) => ({ jobId, action: 'delete' as const, retryAt: UNDECIDED });

export interface Vanished {
  readonly sourceId: string;
  readonly path: string;
}

/** Files of the connector that this job has no item for, a batch at a time: its listing did not name them. */
export function findVanished(
  tx: Prisma.TransactionClient,
  { connectorId, jobId }: Pick<HeldPlan, 'connectorId' | 'jobId'>,
  limit: number = BATCH,
): Promise<Vanished[]> {
  return tx.$queryRaw<Vanished[]>`
    SELECT source_id AS "sourceId", path FROM files
    WHERE connector_id = ${connectorId} AND removed_at IS NULL
      AND NOT EXISTS (SELECT FROM sync_items WHERE job_id = ${jobId} AND sync_items.source_id = files.source_id)
    ORDER BY source_id LIMIT ${limit}`;
}

/** Plans the deletion of items, to be decided on when all are known. */
export async function insertDeletions(
  tx: Prisma.TransactionClient,
  { teamId, connectorId, jobId }: HeldPlan,
  vanished: readonly Vanished[],
): Promise<void> {
  await tx.syncItem.createMany({
    data: vanished.map(({ sourceId, path }) => ({
      id: newId('item'),
      teamId,
      connectorId,
      jobId,
      sourceId,
      path,
      action: 'delete' as const,
      retryAt: UNDECIDED,
      ref: { id: sourceId, path, title: path },
    })),
    skipDuplicates: true,
  });
}

async function decideDeletions(tx: Prisma.TransactionClient, plan: HeldPlan): Promise<Prisma.SyncJobUpdateInput> {
  const { connectorId, jobId } = plan;
  for (;;) {
    const vanished = await findVanished(tx, plan);
    if (vanished.length === 0) break;
    await insertDeletions(tx, plan, vanished);
  }
  const undecided = undecidedOf(jobId);
  const gone = await tx.syncItem.count({ where: undecided });
  const known = await tx.file.count({ where: { connectorId, removedAt: null } });
  if (gone <= HOLD_ABOVE || gone <= known / 2 || plan.confirmDeletions) {
    await tx.syncItem.updateMany({ where: undecided, data: { retryAt: null } });
    return {};
  }
  await tx.syncItem.deleteMany({ where: undecided });
  return {
    errorCode: 'deletion_held',
    errorMessage: `The source lists ${gone} of ${known} known items no more. Nothing was deleted; check the source, then sync with confirm_deletions.`,
  };
}

/**
 * Says that every item of the job has a row. Only a full listing that its source calls complete, and of which every entry could be read, makes
 * deletions of what it did not name.
 */
export async function completePlan(
  ctx: Context,
  plan: HeldPlan,
  { sweep }: { readonly sweep: boolean },
): Promise<void> {
  await ctx.db.$transaction(
    async (tx) => {
      await lockPlan(tx, plan);
      const isWhole = (await tx.syncItem.count({ where: { jobId: plan.jobId, errorCode: UNREADABLE_ENTRY } })) === 0;
      // An item that the source reports as gone may exist under another id, in an entry that could
      // not be read.
      if (!isWhole) await tx.syncItem.deleteMany({ where: undecidedOf(plan.jobId) });
      const findings = sweep && isWhole ? await decideDeletions(tx, plan) : {};
      await tx.syncJob.update({
        where: { id: plan.jobId },
        data: { ...findings, plannedAt: new Date(), planLeaseToken: null, planLeaseUntil: null },
      });
    },
    { timeout: TIMEOUT_MS },
  );
}
