import { finishDeletions } from '../connectors/delete-connector.ts';
import type { Context } from '../context.ts';
import { removeLooseBlobs } from '../files/loose-blobs.ts';
import { removeFile } from '../files/remove-file.ts';
import { feedItems } from '../items/feed-items.ts';
import { endJobEarly, endJobIfDone } from '../jobs/end-job.ts';
import { ACTIVE_JOB } from '../jobs/job-machine.ts';
import { dropOrphanedGroups } from '../permissions/drop-orphaned-groups.ts';
import { enqueuePlans } from '../plan/enqueue-plan.ts';
import { startPermissionRefreshes, startScheduled } from '../schedule/start-due.ts';
import { purgeItems } from './purge-items.ts';

async function moveJobsOn(ctx: Context): Promise<void> {
  const jobs = await ctx.db.syncJob.findMany({
    where: { status: { in: ACTIVE_JOB } },
    select: { id: true, teamId: true, connectorId: true, plannedAt: true },
    orderBy: { id: 'asc' },
  });
  for (const { id: jobId, teamId, connectorId, plannedAt } of jobs) {
    if (plannedAt !== null && (await endJobIfDone(ctx, jobId))) continue;
    await feedItems(ctx, { teamId, connectorId, jobId });
  }
}

async function endOverdueJobs(ctx: Context): Promise<void> {
  const hours = ctx.config.SYNC_MAX_HOURS;
  const message = `The sync did not end within ${hours} hours.`;
  const overdue = await ctx.db.syncJob.findMany({
    where: { status: { in: ACTIVE_JOB }, startedAt: { lt: new Date(Date.now() - hours * 3_600_000) } },
    select: { id: true },
  });
  for (const { id } of overdue) {
    await endJobEarly(ctx, id, {
      job: 'failed',
      error: { code: 'timeout', message },
      connector: 'error',
      reason: message,
    });
  }
}

async function finishRemovals(ctx: Context, signal: AbortSignal): Promise<void> {
  const removed = await ctx.db.file.findMany({
    where: { removedAt: { lt: new Date() }, connector: { status: { not: 'deleting' } } },
    orderBy: { removedAt: 'asc' },
    take: 100,
  });
  for (const file of removed) {
    await removeFile(ctx, file, { signal }).catch((err: unknown) =>
      ctx.log.warn({ err, fileId: file.id }, 'file stays for now'),
    );
  }
}

/** What the sweeper sees to, each by itself: a failure of one does not keep the others. */
const DUTIES: Readonly<Record<string, (ctx: Context, signal: AbortSignal) => Promise<void>>> = {
  plans: enqueuePlans,
  jobs: moveJobsOn,
  schedule: startScheduled,
  permissions: startPermissionRefreshes,
  overdue: endOverdueJobs,
  removals: finishRemovals,
  deletions: finishDeletions,
  groups: dropOrphanedGroups,
  blobs: removeLooseBlobs,
  items: purgeItems,
};

/** One round: whatever a crash, a lost message or an outage left lying is taken up. Replicas may run it at the same time. */
export async function sweep(ctx: Context, signal: AbortSignal): Promise<void> {
  for (const [duty, run] of Object.entries(DUTIES)) {
    if (signal.aborted) return;
    try {
      await run(ctx, signal);
    } catch (err) {
      if (!signal.aborted) ctx.log.warn({ err, duty }, 'sweeper could not finish, will try again');
    }
  }
}
