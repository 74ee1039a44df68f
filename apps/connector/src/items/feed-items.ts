import { syncItem } from '@lectern/messaging';
import { inStoredTrace } from '@lectern/service-kit';
import type { Context } from '../context.ts';
import type { ProgressOf } from '../jobs/progress.ts';

/**
 * Messages of one job that are under way at once, at the least and at the most. Few, so that a job whose items take long never fills the
 * queue before others, and a lost queue costs little; more for a job that gets through many, to keep every worker busy.
 */
export const WINDOW = { least: 8, most: 80 } as const;

interface Due {
  readonly id: string;
  readonly enqueues: number;
  readonly traceParent: string | null;
}

async function takeDue(ctx: Context, { jobId, connectorId }: ProgressOf, window: number): Promise<readonly Due[]> {
  // A message that nobody has taken up for half a lease was lost, and so was one whose worker let its lease run out. Where it only waits for
  // its turn, the process that has it turns the second one away.
  const overdueSeconds = ctx.config.WORK_LEASE_MS / 2_000;
  return ctx.db.$queryRaw<Due[]>`
    WITH queued AS (
      SELECT id, coalesce(lease_until < now(), enqueued_at < now() - make_interval(secs => ${overdueSeconds})) AS lost
      FROM sync_items
      WHERE job_id = ${jobId} AND stage IN ('planned', 'collected', 'parsed') AND enqueued_at IS NOT NULL
    ), due AS (
      (SELECT id FROM queued WHERE lost LIMIT ${window})
      UNION ALL
      (SELECT id FROM sync_items
       WHERE job_id = ${jobId} AND stage IN ('planned', 'collected', 'parsed') AND enqueued_at IS NULL
         AND (retry_at IS NULL OR retry_at <= now())
       ORDER BY id LIMIT greatest(0, ${window} - (SELECT count(*) FROM queued)))
    )
    UPDATE sync_items SET enqueued_at = now(), enqueues = enqueues + 1, lease_token = NULL, lease_until = NULL, updated_at = now()
    WHERE id IN (SELECT id FROM sync_items WHERE id IN (SELECT id FROM due) ORDER BY id FOR UPDATE SKIP LOCKED)
      AND (lease_until IS NULL OR lease_until < now())
      AND NOT EXISTS (SELECT FROM sync_states WHERE connector_id = ${connectorId} AND throttled_until > now())
    RETURNING id, enqueues, (SELECT trace_parent FROM sync_jobs WHERE sync_jobs.id = sync_items.job_id) AS "traceParent"`;
}

/**
 * Puts the next of a job's items into the queue: those never sent, those whose wait after a failure is over, and those whose message was
 * lost. The only way into the queue, so rows and messages cannot disagree for long. Safe to call from anywhere, any number of times.
 */
export async function feedItems(ctx: Context, job: ProgressOf, window: number = WINDOW.least): Promise<void> {
  const { teamId, connectorId, jobId } = job;
  const due = await takeDue(ctx, job, window);
  const sent = await Promise.allSettled(
    due.map(({ id, enqueues, traceParent }) =>
      inStoredTrace(traceParent, () =>
        ctx.messaging.enqueue(syncItem, { teamId, connectorId, jobId, itemId: id }, `${id}:${enqueues}`),
      ),
    ),
  );
  const unsent = due.filter((_, at) => sent[at]?.status === 'rejected').map(({ id }) => id);
  if (unsent.length === 0) return;
  ctx.log.warn({ jobId, items: unsent.length }, 'items could not be put into the queue, the sweeper will');
  await ctx.db.syncItem.updateMany({ where: { id: { in: unsent }, leaseUntil: null }, data: { enqueuedAt: null } });
}
