import type { Context } from '../context.ts';

const BATCH = 5_000;

/**
 * Clears away the item rows of jobs that ended long ago, but for those that say what failed. The jobs stay, with their counters. A bounded
 * part in each round.
 */
export async function purgeItems(ctx: Context): Promise<void> {
  const [job] = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT id FROM sync_jobs
    WHERE purged_at IS NULL AND completed_at < now() - make_interval(secs => ${ctx.config.SYNC_ITEM_DAYS * 86_400})
    ORDER BY completed_at LIMIT 1`;
  if (job === undefined) return;
  const purged = await ctx.db.$executeRaw`
    DELETE FROM sync_items WHERE id IN (
      SELECT id FROM sync_items WHERE job_id = ${job.id} AND stage <> 'failed' AND (lease_until IS NULL OR lease_until < now())
      LIMIT ${BATCH})`;
  if (purged < BATCH) await ctx.db.syncJob.update({ where: { id: job.id }, data: { purgedAt: new Date() } });
}
