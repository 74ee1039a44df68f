import { syncItem, syncPlan } from '@lectern/messaging';
import { inStoredTrace } from '@lectern/service-kit';
import type { Context } from '#context';
import { type DueItem, takeDueItems, unmarkEnqueuedItems } from '#sync/store/items';
import { type JobRef, takeDuePlans, unmarkEnqueuedPlan } from '#sync/store/jobs';

// The only code that puts work into the queues. Safe to call at any time, any number of times.

/**
 * Minimum and maximum number of queued items of one job. Small, so that a slow job does not fill the
 * queue and a lost queue costs little; larger for a fast job, to keep every worker busy.
 */
export const WINDOW = { min: 8, max: 160 } as const;

/** Queues the planning of jobs whose planning is due. */
export async function enqueuePlans(ctx: Context): Promise<void> {
  for (const { enqueues, traceParent, ...job } of await takeDuePlans(ctx)) {
    try {
      await inStoredTrace(traceParent, () => ctx.messaging.enqueue(syncPlan, job, `${job.jobId}:${enqueues}`));
    } catch (error) {
      ctx.log.warn({ err: error, jobId: job.jobId }, 'could not queue the plan; the sweeper will retry');
      await unmarkEnqueuedPlan(ctx, job.jobId);
    }
  }
}

/** Queues the next items of a job. */
export async function enqueueItems(ctx: Context, job: JobRef, window: number = WINDOW.min): Promise<void> {
  const { teamId, connectorId, jobId } = job;
  const due = await takeDueItems(ctx, job, window);
  const send = ({ id, enqueues, traceParent }: DueItem) => {
    const message = { teamId, connectorId, jobId, itemId: id };
    return inStoredTrace(traceParent, () => ctx.messaging.enqueue(syncItem, message, `${id}:${enqueues}`));
  };
  const sent = await Promise.allSettled(due.map(send));
  const unsent = due.filter((_, at) => sent[at]?.status === 'rejected').map(({ id }) => id);
  if (unsent.length === 0) return;
  ctx.log.warn({ jobId, items: unsent.length }, 'could not queue items; the sweeper will retry');
  await unmarkEnqueuedItems(ctx, unsent);
}
