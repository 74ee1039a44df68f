import type { Context } from '../context.ts';
import { cancelForDeletedCollection } from '../jobs/cancel-for-collection.ts';
import { endJobIfDone } from '../jobs/end-job.ts';
import { markRunning } from '../jobs/mark-running.ts';
import { holdLease, reasonOf } from '../leases/hold-lease.ts';
import { claimItem, giveBackItem, type HeldItem, postponeItem, renewItem } from './claim-item.ts';
import { deleteItem } from './delete-item.ts';
import { feedItems } from './feed-items.ts';
import { failItem, finishItem } from './finish-item.ts';
import { indexItem } from './index-item.ts';
import { type Failure, failureOf, MAX_ATTEMPTS, MAX_OUTAGES } from './item-failure.ts';
import { registerDocument } from './register-document.ts';

interface ItemError {
  readonly code: string;
  readonly message: string;
}

/** Failures to mark a document that stop its item from ending: everything else would keep the job from ending. */
const HOLDS_UP: ReadonlySet<Failure['kind']> = new Set(['lost', 'stop', 'collection_gone']);

/** Ends an item as failed, and its document with it. */
async function giveUp(ctx: Context, item: HeldItem, { code, message }: ItemError, signal: AbortSignal): Promise<void> {
  try {
    const id = item.action === 'delete' ? undefined : await registerDocument(ctx, item, signal);
    if (id !== undefined) await ctx.index.fail(item.teamId, id, { code, message }, signal);
  } catch (thrown) {
    const error = reasonOf(thrown, signal);
    const { kind } = failureOf(error, item);
    if (HOLDS_UP.has(kind) || (kind === 'outage' && item.outages < MAX_OUTAGES)) throw error;
    ctx.log.warn({ err: error, itemId: item.id }, 'document could not be marked as failed');
  }
  await failItem(ctx, item, { code, message });
}

async function settle(ctx: Context, item: HeldItem, error: unknown, signal: AbortSignal): Promise<void> {
  const failure = failureOf(error, item);
  switch (failure.kind) {
    case 'lost':
      return giveBackItem(ctx, item, { counts: 'nothing' });
    case 'stop':
      await giveBackItem(ctx, item, { counts: 'nothing' });
      throw error;
    case 'collection_gone':
      return cancelForDeletedCollection(ctx, item.teamId, item.collectionId);
    case 'document_gone':
      return finishItem(ctx, item, { stage: 'skipped' });
    case 'item_gone':
      return finishItem(ctx, item, await deleteItem(ctx, item, signal));
    case 'outage':
      if (item.outages >= MAX_OUTAGES) return giveUp(ctx, item, failure, signal);
      return giveBackItem(ctx, item, { waitMs: failure.waitMs, counts: 'outage' });
    case 'again':
      ctx.log.warn({ err: error, itemId: item.id, attempt: item.attempts }, 'item failed, will be tried again');
      if (item.attempts >= MAX_ATTEMPTS) return giveUp(ctx, item, failure, signal);
      return giveBackItem(ctx, item, { waitMs: failure.waitMs, counts: 'attempt' });
    case 'final':
      return giveUp(ctx, item, failure, signal);
  }
}

async function attempt(ctx: Context, item: HeldItem, signal: AbortSignal): Promise<void> {
  if (item.attempts > MAX_ATTEMPTS) {
    const message = `The worker stopped ${MAX_ATTEMPTS} times while it read this file. Check the file and the worker's memory.`;
    return giveUp(ctx, item, { code: 'worker_lost', message }, signal);
  }
  if (item.jobStatus === 'queued') await markRunning(ctx, item);
  if (item.action === 'delete') return finishItem(ctx, item, await deleteItem(ctx, item, signal));
  const { connectorId, sourceId } = item;
  await ctx.db.file.updateMany({ where: { connectorId, sourceId, removedAt: null }, data: { status: 'processing' } });
  return finishItem(ctx, item, await indexItem(ctx, item, signal));
}

/** Settling talks to the collection service too, and can fail as the work did. The item is then tried again as a whole. */
async function settleLater(ctx: Context, item: HeldItem, error: unknown): Promise<void> {
  const failure = failureOf(error, item);
  switch (failure.kind) {
    case 'collection_gone':
      return cancelForDeletedCollection(ctx, item.teamId, item.collectionId);
    case 'outage':
      return giveBackItem(ctx, item, { waitMs: failure.waitMs, counts: 'outage' });
    case 'lost':
      return giveBackItem(ctx, item, { counts: 'nothing' });
    case 'stop':
      await giveBackItem(ctx, item, { counts: 'nothing' });
      throw error;
    default:
      ctx.log.warn({ err: error, itemId: item.id }, 'failure could not be settled, the item will be tried again');
      return giveBackItem(ctx, item, { waitMs: 1_000, counts: 'attempt' });
  }
}

/** Tries; sorts what goes wrong; and what goes wrong in that. Throws where the message has to come again. */
async function work(ctx: Context, item: HeldItem, signal: AbortSignal): Promise<void> {
  try {
    await attempt(ctx, item, signal);
  } catch (thrown) {
    const error = reasonOf(thrown, signal);
    try {
      await settle(ctx, item, error, signal);
    } catch (again) {
      if (again === error) throw again;
      await settleLater(ctx, item, reasonOf(again, signal));
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
