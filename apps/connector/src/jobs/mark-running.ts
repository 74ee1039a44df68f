import type { Context } from '../context.ts';
import { moveJob } from './job-machine.ts';
import type { ProgressOf } from './progress.ts';

/** The first worker of a job says that it runs. */
export async function markRunning(ctx: Context, job: ProgressOf): Promise<void> {
  if (await moveJob(ctx.db, job.jobId, 'running')) ctx.progress.changed(job, 'running');
}
