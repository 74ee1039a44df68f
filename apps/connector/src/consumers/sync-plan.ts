import { type Consumption, syncPlan } from '@lectern/messaging';
import type { Context } from '../context.ts';
import { planJob } from '../plan/plan-job.ts';
import { requeuePlan } from '../plan/requeue-plan.ts';

// Listing waits for its source most of the time, and holds one page.
const CONCURRENCY = 8;

/** Works the queue of plans. */
export function consumePlans(ctx: Context): Consumption {
  return ctx.messaging.consume(syncPlan, ({ jobId }, { signal }) => planJob(ctx, jobId, signal), {
    concurrency: CONCURRENCY,
    onDead: ({ jobId }) => requeuePlan(ctx, jobId),
  });
}
