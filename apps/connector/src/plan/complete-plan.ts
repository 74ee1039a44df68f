import { newId } from '@lectern/service-kit';
import type { Prisma } from '#gen/prisma/client';
import type { Context } from '../context.ts';
import type { HeldPlan } from './claim-plan.ts';
import { lockPlan } from './store-page.ts';

/** A full listing that would delete more than this many documents, and more than half of them, is not trusted unasked. */
const HOLD_ABOVE = 20;

/** Files of the connector that this job has no item for: its source does not have them any more. */
async function findVanished(tx: Prisma.TransactionClient, plan: HeldPlan) {
  return tx.$queryRaw<{ sourceId: string; path: string }[]>`
    SELECT source_id AS "sourceId", path FROM files
    WHERE connector_id = ${plan.connectorId} AND removed_at IS NULL
      AND NOT EXISTS (SELECT FROM sync_items WHERE job_id = ${plan.jobId} AND sync_items.source_id = files.source_id)`;
}

async function planDeletions(tx: Prisma.TransactionClient, plan: HeldPlan): Promise<Prisma.SyncJobUpdateInput> {
  const { teamId, connectorId, jobId } = plan;
  const vanished = await findVanished(tx, plan);
  const known = await tx.file.count({ where: { connectorId, removedAt: null } });
  if (vanished.length > HOLD_ABOVE && vanished.length > known / 2 && !plan.confirmDeletions) {
    return {
      errorCode: 'deletion_held',
      errorMessage: `The source lists ${vanished.length} of ${known} known items no more. Nothing was deleted; check the source, then sync with confirm_deletions.`,
    };
  }
  await tx.syncItem.createMany({
    data: vanished.map(({ sourceId, path }) => ({
      id: newId('item'),
      teamId,
      connectorId,
      jobId,
      sourceId,
      path,
      action: 'delete' as const,
      ref: { id: sourceId, path, title: path },
    })),
    skipDuplicates: true,
  });
  return {};
}

/**
 * Says that every item of the job has a row. Only a full listing that its source calls complete makes deletions of what it did not
 * name.
 */
export async function completePlan(
  ctx: Context,
  plan: HeldPlan,
  { sweep }: { readonly sweep: boolean },
): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await lockPlan(tx, plan);
    const findings = sweep ? await planDeletions(tx, plan) : {};
    await tx.syncJob.update({
      where: { id: plan.jobId },
      data: { ...findings, plannedAt: new Date(), planLeaseToken: null, planLeaseUntil: null },
    });
  });
}
