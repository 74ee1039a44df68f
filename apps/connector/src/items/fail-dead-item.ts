import type { Context } from '../context.ts';
import { endJobIfDone } from '../jobs/end-job.ts';
import { markRunning } from '../jobs/mark-running.ts';
import { claimItem } from './claim-item.ts';
import { failItem } from './finish-item.ts';

const ERROR = { code: 'worker_lost', message: 'This file could not be worked: every try broke off. Sync it again.' };

/** Fails the item of a message that the queue gives up. One that is finished, or in the hands of another worker, is left alone. */
export async function failDeadItem(ctx: Context, itemId: string): Promise<void> {
  const item = await claimItem(ctx, itemId);
  if (item === undefined) return;
  if (item.jobStatus === 'queued') await markRunning(ctx, item);
  await failItem(ctx, item, ERROR);
  await endJobIfDone(ctx, item.jobId);
}
