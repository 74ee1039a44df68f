import { syncItem } from '@lectern/messaging';
import type { Context } from '../context.ts';
import type { ProgressOf } from '../jobs/progress.ts';
import { OPEN_STAGES } from './item-machine.ts';

/**
 * Messages of one job that may be under way at once: enough to keep every worker busy, few enough that a small job never waits behind the
 * whole of a large one, and that a lost queue costs little.
 */
const WINDOW = 100;

interface Due {
  readonly id: string;
  readonly enqueues: number;
}

async function takeDue(ctx: Context, jobId: string): Promise<readonly Due[]> {
  // A message that has led to nothing for one and a half leases, up to six while that goes on, was lost.
  const overdue = `enqueued_at < now() - make_interval(secs => ${(ctx.config.WORK_LEASE_MS * 1.5) / 1_000} * least(enqueues, 4))`;
  const stages = OPEN_STAGES.map((stage) => `'${stage}'`).join(', ');
  return ctx.db.$queryRawUnsafe<Due[]>(
    `UPDATE sync_items SET enqueued_at = now(), enqueues = enqueues + 1, updated_at = now()
     WHERE id IN (
       SELECT id FROM sync_items
       WHERE job_id = $1 AND stage IN (${stages}) AND (lease_until IS NULL OR lease_until < now())
         AND ((enqueued_at IS NULL AND (retry_at IS NULL OR retry_at <= now())) OR ${overdue})
       ORDER BY id
       LIMIT greatest(0, ${WINDOW} - (
         SELECT count(*) FROM sync_items
         WHERE job_id = $1 AND stage IN (${stages}) AND enqueued_at IS NOT NULL AND NOT (${overdue})))
       FOR UPDATE SKIP LOCKED)
     RETURNING id, enqueues`,
    jobId,
  );
}

/**
 * Puts the next of a job's items into the queue: those never sent, those whose wait after a failure is over, and those whose message was
 * lost. The only way into the queue, so rows and messages cannot disagree for long. Safe to call from anywhere, any number of times.
 */
export async function feedItems(ctx: Context, { teamId, connectorId, jobId }: ProgressOf): Promise<void> {
  const due = await takeDue(ctx, jobId);
  const sent = await Promise.allSettled(
    due.map(({ id, enqueues }) =>
      ctx.messaging.enqueue(syncItem, { teamId, connectorId, jobId, itemId: id }, `${id}:${enqueues}`),
    ),
  );
  const unsent = due.filter((_, at) => sent[at]?.status === 'rejected').map(({ id }) => id);
  if (unsent.length === 0) return;
  ctx.log.warn({ jobId, items: unsent.length }, 'items could not be put into the queue, the sweeper will');
  await ctx.db.syncItem.updateMany({ where: { id: { in: unsent }, leaseUntil: null }, data: { enqueuedAt: null } });
}
