import type { Context } from '#context';
import { removeLooseBlobs } from '#files/blobs';
import { finishRemovals } from '#files/remove-file';
import { finishDeletions } from '#maintenance/delete-connector';
import { purgePushed } from '#push/snapshots';
import { reconcileJobs } from '#sync/scheduler/dispatcher';
import { enqueuePlans } from '#sync/scheduler/enqueue';
import { startPermissionRefreshes, startScheduledSyncs } from '#sync/scheduler/start-jobs';
import { failOverdueJobs, purgeItems } from '#sync/store/jobs';
import { dropOrphanedGroups } from '#sync/worker/groups';

/** The tasks of the sweeper. They are independent: one that fails does not stop the others. */
const TASKS: Readonly<Record<string, (ctx: Context, signal: AbortSignal) => Promise<void>>> = {
  plans: enqueuePlans,
  jobs: reconcileJobs,
  schedule: startScheduledSyncs,
  permissions: startPermissionRefreshes,
  overdue: failOverdueJobs,
  removals: finishRemovals,
  deletions: finishDeletions,
  groups: dropOrphanedGroups,
  blobs: removeLooseBlobs,
  items: purgeItems,
  pushed: purgePushed,
};

/**
 * Picks up work that a crash, a lost message or an outage interrupted. Replicas can run it in
 * parallel.
 */
export async function sweep(ctx: Context, signal: AbortSignal): Promise<void> {
  for (const [task, run] of Object.entries(TASKS)) {
    if (signal.aborted) return;
    try {
      await run(ctx, signal);
    } catch (err) {
      if (!signal.aborted) ctx.log.warn({ err, task }, 'could not finish a sweeper task; will retry');
    }
  }
}
