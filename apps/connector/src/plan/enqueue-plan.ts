import { syncPlan } from '@lectern/messaging';
import { inStoredTrace } from '@lectern/service-kit';
import type { Context } from '../context.ts';

interface Due {
  readonly teamId: string;
  readonly connectorId: string;
  readonly jobId: string;
  readonly enqueues: number;
  readonly traceParent: string | null;
}

/** Queues the planning of jobs that nobody plans: never sent, waited long enough after a failure, or sent and lost. */
export async function enqueuePlans(ctx: Context): Promise<void> {
  const overdueSeconds = (ctx.config.WORK_LEASE_MS * 1.5) / 1_000;
  const due = await ctx.db.$queryRaw<Due[]>`
    UPDATE sync_jobs SET plan_enqueued_at = now(), plan_enqueues = plan_enqueues + 1
    WHERE id IN (
      SELECT id FROM sync_jobs
      WHERE status IN ('queued', 'running') AND planned_at IS NULL AND (plan_lease_until IS NULL OR plan_lease_until < now())
        AND ((plan_enqueued_at IS NULL AND (plan_retry_at IS NULL OR plan_retry_at <= now()))
          OR plan_enqueued_at < now() - make_interval(secs => ${overdueSeconds}))
        AND NOT EXISTS (SELECT FROM sync_states
          WHERE sync_states.connector_id = sync_jobs.connector_id AND throttled_until > now())
      ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED)
    RETURNING team_id AS "teamId", connector_id AS "connectorId", id AS "jobId", plan_enqueues AS enqueues,
      trace_parent AS "traceParent"`;
  for (const { enqueues, traceParent, ...job } of due) {
    try {
      await inStoredTrace(traceParent, () => ctx.messaging.enqueue(syncPlan, job, `${job.jobId}:${enqueues}`));
    } catch (error) {
      ctx.log.warn({ err: error, jobId: job.jobId }, 'plan could not be queued, the sweeper will');
      await ctx.db.syncJob.updateMany({
        where: { id: job.jobId, planLeaseUntil: null },
        data: { planEnqueuedAt: null },
      });
    }
  }
}
