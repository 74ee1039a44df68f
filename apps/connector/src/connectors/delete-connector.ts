import type { Precondition } from '@lectern/contracts';
import { requireRevision } from '@lectern/service-kit';
import type { Connector } from '#gen/prisma/client';
import type { Context } from '../context.ts';
import { loosenBlobs, removeLooseBlobs } from '../files/loose-blobs.ts';
import { closeJob } from '../jobs/close-job.ts';
import { ACTIVE_JOB } from '../jobs/job-machine.ts';
import type { ProgressOf } from '../jobs/progress.ts';
import { moveConnector } from './connector-machine.ts';
import { lockConnector } from './lock-connector.ts';
import { connectorRevision, WITH_SECRET } from './to-message.ts';

/** Options for deleting a connector. */
export interface Deletion {
  readonly keepDocuments: boolean;
  readonly precondition?: Precondition | undefined;
}

/**
 * Marks a connector as deleting and cancels its work. The sweeper then completes the deletion.
 * Throws `precondition_failed`.
 */
export async function markDeleting(
  ctx: Context,
  { id, teamId }: Connector,
  { keepDocuments, precondition }: Deletion,
): Promise<void> {
  const cancelled = await ctx.db.$transaction(async (tx): Promise<ProgressOf[]> => {
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
 * Removes the documents, the bytes and the rows of a connector that is going. While a worker still holds an item it may make a document:
 * then the rows stay, and the sweeper comes back.
 */
export async function finishDeletion(ctx: Context, connector: Connector, signal: AbortSignal): Promise<void> {
  const { id, teamId } = connector;
  const [row] = await ctx.db.$queryRaw<{ held: boolean }[]>`
    SELECT EXISTS (SELECT FROM sync_items WHERE connector_id = ${id} AND lease_until > now()) AS held`;
  // Nothing reads these groups again, so they must not grant access any more.
  await ctx.index.dropGroups(teamId, { connectorId: id, deleted: true }, signal);
  if (!connector.keepDocuments) await ctx.index.removeOfConnector(teamId, id, signal);
  if (row?.held ?? false) return;
  await ctx.db.$transaction(async (tx) => {
    const files = await tx.file.findMany({
      where: { connectorId: id, blobKey: { not: null } },
      select: { blobKey: true },
    });
    await loosenBlobs(
      tx,
      files.flatMap((file) => file.blobKey ?? []),
    );
    await tx.connector.deleteMany({ where: { id, status: 'deleting' } });
  });
  await removeLooseBlobs(ctx);
}

/** Takes up every deletion that was begun. */
export async function finishDeletions(ctx: Context, signal: AbortSignal): Promise<void> {
  for (const connector of await ctx.db.connector.findMany({ where: { status: 'deleting' }, take: 100 })) {
    await finishDeletion(ctx, connector, signal).catch((err: unknown) =>
      ctx.log.warn({ err, connectorId: connector.id }, 'connector is not deleted yet'),
    );
  }
}
