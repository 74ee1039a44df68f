import type { Context } from '../context.ts';

/**
 * Puts a plan back whose message the queue gives up: its worker died, or the database was away, at every delivery. What becomes of the job its
 * row says, which counts the times that a worker took it up.
 */
export async function requeuePlan(ctx: Context, jobId: string): Promise<void> {
  await ctx.db.$executeRaw`
    UPDATE sync_jobs SET plan_enqueued_at = NULL
    WHERE id = ${jobId} AND status IN ('queued', 'running') AND (plan_lease_until IS NULL OR plan_lease_until < now())`;
}
