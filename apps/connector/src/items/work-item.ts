import type { Context } from '../context.ts';
import { markRunning } from '../jobs/mark-running.ts';
import { holdLease, reasonOf } from '../leases/hold-lease.ts';
import { claimItem, type HeldItem, postponeItem, renewItem } from './claim-item.ts';
import { deleteItem } from './delete-item.ts';
import { finishItem } from './finish-item.ts';
import { indexItem } from './index-item.ts';
import { MAX_ATTEMPTS } from './item-failure.ts';
import { createStageNotes, type StageNotes } from './note-stage.ts';
import { giveUp, settleItem, settleItemLater } from './settle-item.ts';

async function attempt(ctx: Context, item: HeldItem, notes: StageNotes, signal: AbortSignal): Promise<void> {
  if (item.jobStatus === 'queued') await markRunning(ctx, item);
  if (item.attempts > MAX_ATTEMPTS) {
    const message = `The worker stopped ${MAX_ATTEMPTS} times while it read this file. Check the file and the worker's memory.`;
    return giveUp(ctx, item, { code: 'worker_lost', message }, { signal });
  }
  const outcome =
    item.action === 'delete' ? await deleteItem(ctx, item, signal) : await indexItem(ctx, item, notes, signal);
  await notes.close();
  return finishItem(ctx, item, outcome);
}

/** Tries; sorts what goes wrong; and what goes wrong in that. Throws where the message has to come again. */
async function work(ctx: Context, item: HeldItem, signal: AbortSignal): Promise<void> {
  const notes = createStageNotes(ctx, item);
  try {
    await attempt(ctx, item, notes, signal);
  } catch (thrown) {
    const error = reasonOf(thrown, signal);
    await notes.close();
    try {
      await settleItem(ctx, item, error, { signal, reached: notes.reached });
    } catch (again) {
      if (again === error) throw again;
      await settleItemLater(ctx, item, reasonOf(again, signal));
    }
  }
}

/** Works one item of a job as far as it goes now, and has its job moved on. Idempotent: what is finished or held is left alone. */
export async function workItem(ctx: Context, itemId: string, stop: AbortSignal): Promise<void> {
  const item = await claimItem(ctx, itemId);
  if (item === undefined) return postponeItem(ctx, itemId);
  const { WORK_LEASE_MS: leaseMs, SYNC_ITEM_TIMEOUT_MS: timeoutMs } = ctx.config;
  const lease = holdLease(() => renewItem(ctx, item), { leaseMs, timeoutMs, stop, log: ctx.log });
  try {
    await work(ctx, item, lease.signal);
  } finally {
    lease.letGo();
  }
  ctx.progress.changed(item, 'running');
  ctx.mover.poke(item);
}
