import type { Precondition } from '@lectern/contracts';
import { requireRevision } from '@lectern/service-kit';
import { connectorRevision, lockConnector, moveConnector, WITH_SECRET } from '#connectors/connector';
import type { Context } from '#context';
import { discardBlobs, removeLooseBlobs } from '#files/blobs';
import type { Connector } from '#gen/prisma/client';
import { ACTIVE_JOB, closeJob, type JobRef } from '#sync/store/jobs';

export interface DeletionOptions {
  readonly keepDocuments: boolean;
  readonly precondition?: Precondition | undefined;
}

/**
 * Marks a connector as deleting and cancels its jobs. The sweeper then completes the deletion.
 * Throws `precondition_failed`.
 */
export async function markDeleting(
  ctx: Context,
  { id, teamId }: Connector,
  { keepDocuments, precondition }: DeletionOptions,
): Promise<void> {
  const cancelled = await ctx.db.$transaction(async (tx): Promise<JobRef[]> => {
    await lockConnector(tx, id);
    const locked = await tx.connector.findUniqueOrThrow({ where: { id }, include: WITH_SECRET });
    requireRevision(precondition, connectorRevision(locked));
    const jobs = await tx.syncJob.findMany({ where: { connectorId: id, status: { in: ACTIVE_JOB } } });
    for (const job of jobs) await closeJob(tx, job, { job: 'cancelled', connector: 'deleting' });
    await moveConnector(tx, id, 'deleting', { keepDocuments });
    return jobs.map((job) => ({ teamId, connectorId: id, jobId: job.id }));
  });
  for (const job of cancelled) ctx.progress.ended(job, 'cancelled');
}

/**
 * Deletes the documents, bytes and rows of a connector that is marked as deleting. A worker that
 * still processes an item can create a document, so the rows are left for the sweeper.
 */
export async function finishDeletion(ctx: Context, connector: Connector, signal: AbortSignal): Promise<void> {
  const { id, teamId } = connector;
  const [row] = await ctx.db.$queryRaw<{ leased: boolean }[]>`
    SELECT EXISTS (SELECT FROM sync_items WHERE connector_id = ${id} AND lease_until > now()) AS leased`;
  // These groups are never refreshed again, so they must no longer grant access.
  await ctx.index.dropGroups(teamId, { connectorId: id, deleted: true }, signal);
  if (!connector.keepDocuments) await ctx.index.removeOfConnector(teamId, id, signal);
  if (row?.leased ?? false) return;
  await ctx.db.$transaction(async (tx) => {
    const where = { connectorId: id, blobKey: { not: null } };
    await discardBlobs(tx, await tx.file.findMany({ where, select: { blobKey: true } }));
    await discardBlobs(tx, await tx.pushedItem.findMany({ where, select: { blobKey: true } }));
    await tx.connector.deleteMany({ where: { id, status: 'deleting' } });
  });
  await removeLooseBlobs(ctx);
}

/** Continues every deletion that was started. */
export async function finishDeletions(ctx: Context, signal: AbortSignal): Promise<void> {
  for (const connector of await ctx.db.connector.findMany({ where: { status: 'deleting' }, take: 100 })) {
    await finishDeletion(ctx, connector, signal).catch((err: unknown) =>
      ctx.log.warn({ err, connectorId: connector.id }, 'could not finish deleting a connector; the sweeper will retry'),
    );
  }
}
