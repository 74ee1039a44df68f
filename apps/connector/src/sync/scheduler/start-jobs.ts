import { AppError } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Connector, SyncJob } from '#gen/prisma/client';
import { enqueuePlans } from '#sync/scheduler/enqueue';
import { createJob, type JobOptions } from '#sync/store/jobs';
import { findDuePermissionRefreshes, takeScheduled } from '#sync/store/sync-state';

/** A job that refreshes who can read each document. */
export const PERMISSION_REFRESH: JobOptions = {
  kind: 'permissions',
  mode: 'auto',
  fileFilter: [],
  confirmDeletions: false,
};

const SCHEDULED_SYNC: JobOptions = { mode: 'auto', fileFilter: [], confirmDeletions: false, scheduled: true };

/** Creates a job and queues its planning. Throws `conflict` as `createJob` does. */
export async function startJob(ctx: Context, connector: Connector, options: JobOptions): Promise<SyncJob> {
  const job = await createJob(ctx, connector, options);
  await enqueuePlans(ctx);
  return job;
}

async function startUnattended(ctx: Context, connectorId: string, options: JobOptions): Promise<void> {
  const connector = await ctx.db.connector.findUnique({ where: { id: connectorId } });
  if (connector === null) return;
  try {
    const { id: jobId } = await startJob(ctx, connector, options);
    ctx.log.info({ connectorId, jobId, kind: options.kind ?? 'sync' }, 'started a scheduled job');
  } catch (err) {
    // Another job is active; the next round starts this one.
    if (!(err instanceof AppError) || err.code !== 'conflict') throw err;
  }
}

/** Starts the syncs that are due by their connectors' schedules. */
export async function startScheduledSyncs(ctx: Context): Promise<void> {
  for (const id of await takeScheduled(ctx)) await startUnattended(ctx, id, SCHEDULED_SYNC);
}

/** Starts the permission refreshes that were requested and can run now. */
export async function startPermissionRefreshes(ctx: Context): Promise<void> {
  for (const id of await findDuePermissionRefreshes(ctx)) {
    await startUnattended(ctx, id, { ...PERMISSION_REFRESH, scheduled: true });
  }
}
