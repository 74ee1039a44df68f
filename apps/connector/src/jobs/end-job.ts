import type { Context } from '../context.ts';
import { OPEN_STAGES } from '../items/item-machine.ts';
import { closeJob, type Ending } from './close-job.ts';
import { lockJobWithConnector } from './lock-job.ts';
import type { ProgressOf } from './progress.ts';

interface Ended extends ProgressOf {
  readonly status: string;
}

/**
 * Ends a job whose plan is complete and whose items all have an end. Whoever finishes an item asks, and the sweeper does: the job's
 * row is locked before the items are looked at, so the last two workers cannot both see the other's item open, and a job ends once.
 */
export async function endJobIfDone(ctx: Context, jobId: string): Promise<boolean> {
  // Cheap and usually the answer; without the lock it may only err towards “not yet”.
  const [seen] = await ctx.db.$queryRaw<{ busy: boolean }[]>`
    SELECT EXISTS (SELECT FROM sync_items WHERE job_id = ${jobId} AND stage IN ('planned', 'collected', 'parsed')
        AND enqueued_at IS NOT NULL)
      OR EXISTS (SELECT FROM sync_items WHERE job_id = ${jobId} AND stage IN ('planned', 'collected', 'parsed')
        AND enqueued_at IS NULL)
      OR EXISTS (SELECT FROM sync_jobs WHERE id = ${jobId} AND planned_at IS NULL) AS busy`;
  if (seen?.busy !== false) return false;

  const ended = await ctx.db.$transaction(async (tx): Promise<Ended | undefined> => {
    const job = await lockJobWithConnector(tx, jobId);
    if (job === null || job.status !== 'running' || job.plannedAt === null) return undefined;
    if ((await tx.syncItem.count({ where: { jobId, stage: { in: OPEN_STAGES } } })) > 0) return undefined;
    const failed = await tx.syncItem.count({ where: { jobId, stage: 'failed' } });
    const ending: Ending = {
      job: failed > 0 || job.errorCode !== null ? 'completed_with_errors' : 'completed',
      connector: 'active',
    };
    if (!(await closeJob(tx, job, ending))) return undefined;
    return { teamId: job.teamId, connectorId: job.connectorId, jobId, status: ending.job };
  });
  if (ended === undefined) return false;
  const { status, ...job } = ended;
  ctx.progress.ended(job, status);
  ctx.log.info({ jobId, status }, 'sync job ended');
  return true;
}

/** Ends a job before its work is done. False where it has ended already. */
export async function endJobEarly(ctx: Context, jobId: string, ending: Ending): Promise<boolean> {
  const ended = await ctx.db.$transaction(async (tx): Promise<ProgressOf | undefined> => {
    const job = await lockJobWithConnector(tx, jobId);
    if (job === null || !(await closeJob(tx, job, ending))) return undefined;
    return { teamId: job.teamId, connectorId: job.connectorId, jobId };
  });
  if (ended === undefined) return false;
  ctx.progress.ended(ended, ending.job);
  ctx.log.info({ jobId, status: ending.job, code: ending.error?.code }, 'sync job ended early');
  return true;
}
