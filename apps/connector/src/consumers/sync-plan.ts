import { type Consumption, syncPlan } from '@lectern/messaging';
import type { Context } from '../context.ts';
import { endJobEarly } from '../jobs/end-job.ts';
import { planJob } from '../plan/plan-job.ts';

// Listing waits for its source most of the time, and holds one page.
const CONCURRENCY = 8;
const MESSAGE = 'The source could not be listed: every try failed. See the service log.';

/** Works the queue of plans. */
export function consumePlans(ctx: Context): Consumption {
  return ctx.messaging.consume(syncPlan, ({ jobId }, { signal }) => planJob(ctx, jobId, signal), {
    concurrency: CONCURRENCY,
    onDead: async ({ jobId }) => {
      const error = { code: 'internal_error', message: MESSAGE };
      await endJobEarly(ctx, jobId, { job: 'failed', error, connector: 'error', reason: MESSAGE });
    },
  });
}
