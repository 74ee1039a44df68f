import type { Context } from '../context.ts';
import { endJobIfDone } from '../jobs/end-job.ts';
import { markRunning } from '../jobs/mark-running.ts';
import { holdLease, reasonOf } from '../leases/hold-lease.ts';
import { claimItem, type HeldItem, postponeItem, renewItem } from './claim-item.ts';
import { deleteItem } from './delete-item.ts';
import { feedItems } from './feed-items.ts';
import { finishItem } from './finish-item.ts';
import { indexItem } from './index-item.ts';
import { MAX_ATTEMPTS } from './item-failure.ts';
import { giveUp, settleItem, settleItemLater } from './settle-item.ts';

async function attempt(ctx: Context, item: HeldItem, signal: AbortSignal): Promise<void> {
  if (item.jobStatus === 'queued') await markRunning(ctx, item);
  if (item.attempts > MAX_ATTEMPTS) {
    const message = `The worker stopped ${MAX_ATTEMPTS} times while it read this file. Check the file and the worker's memory.`;
    return giveUp(ctx, item, { code: 'worker_lost', message }, signal);
  }
  if (item.action === 'delete') return finishItem(ctx, item, await deleteItem(ctx, item, signal));
  const { connectorId, sourceId } = item;
  await ctx.db.file.updateMany({ where: { connectorId, sourceId, removedAt: null }, data: { status: 'processing' } });
  return finishItem(ctx, item, await indexItem(ctx, item, signal));
}

/** Tries; sorts what goes wrong; and what goes wrong in that. Throws where the message has to come again. */
async function work(ctx: Context, item: HeldItem, signal: AbortSignal): Promise<void> {
  try {
    await attempt(ctx, item, signal);
  } catch (thrown) {
    const error = reasonOf(thrown, signal);
    try {
      await settleItem(ctx, item, error, signal);
    } catch (again) {
      if (again === error) throw again;
      await settleItemLater(ctx, item, reasonOf(again, signal));
    }
  }
}

/** Works one item of a job as far as it goes now, and moves its job on. Idempotent: what is finished or held is left alone. */
export async function workItem(ctx: Context, itemId: string, stop: AbortSignal): Promise<void> {
  const item = await claimItem(ctx, itemId);
  if (item === undefined) return postponeItem(ctx, itemId);
  const lease = holdLease(() => renewItem(ctx, item), { leaseMs: ctx.config.WORK_LEASE_MS, stop, log: ctx.log });
  try {
    await work(ctx, item, lease.signal);
  } finally {
    lease.letGo();
  }
  ctx.progress.changed(item, 'running');
  if (!(await endJobIfDone(ctx, item.jobId))) await feedItems(ctx, item);
}
