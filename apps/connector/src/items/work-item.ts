import type { Context } from '../context.ts';
import { cancelForDeletedCollection } from '../jobs/cancel-for-collection.ts';
import { endJobIfDone } from '../jobs/end-job.ts';
import { markRunning } from '../jobs/mark-running.ts';
import { holdLease, LeaseLost, reasonOf } from '../leases/hold-lease.ts';
import { claimItem, giveBackItem, type HeldItem, renewItem } from './claim-item.ts';
import { deleteItem } from './delete-item.ts';
import { feedItems } from './feed-items.ts';
import { failItem, finishItem } from './finish-item.ts';
import { indexItem } from './index-item.ts';
import { type Failure, failureOf, MAX_ATTEMPTS, MAX_OUTAGES } from './item-failure.ts';
import { registerDocument } from './register-document.ts';

/** Takes the failed item's document along. A service that is away must not keep the job from ending. */
async function failDocument(
  ctx: Context,
  item: HeldItem,
  error: { readonly code: string; readonly message: string },
  signal: AbortSignal,
): Promise<void> {
  if (item.action === 'delete') return;
  const id = await registerDocument(ctx, item, signal);
  if (id !== undefined) await ctx.index.fail(item.teamId, id, error, signal);
}

async function giveUp(
  ctx: Context,
  item: HeldItem,
  failure: Failure & { code: string; message: string },
  signal: AbortSignal,
) {
  const { code, message } = failure;
  if (failure.kind === 'outage') {
    await failDocument(ctx, item, { code, message }, signal).catch((err: unknown) =>
      ctx.log.warn({ err, itemId: item.id }, 'document could not be marked as failed'),
    );
  } else await failDocument(ctx, item, { code, message }, signal);
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
    return giveUp(ctx, item, { kind: 'final', code: 'worker_lost', message }, signal);
  }
  await markRunning(ctx, item);
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
      await settle(ctx, item, error, signal);
    } catch (again) {
      if (again === error) throw again;
      // Settling talks to the collection service too, and may fail as the work did; it never recurses a second time.
      const failure = failureOf(reasonOf(again, signal), item);
      if (failure.kind === 'collection_gone') return cancelForDeletedCollection(ctx, item.teamId, item.collectionId);
      const counts = failure.kind === 'again' || failure.kind === 'final' ? 'attempt' : 'nothing';
      await giveBackItem(ctx, item, { waitMs: 'waitMs' in failure ? failure.waitMs : 0, counts });
      if (!(again instanceof LeaseLost)) ctx.log.warn({ err: again, itemId: item.id }, 'failure could not be recorded');
    }
  }
}

/** Works one item of a job as far as it goes now, and moves its job on. Idempotent: what is finished or held is left alone. */
export async function workItem(ctx: Context, itemId: string, stop: AbortSignal): Promise<void> {
  const item = await claimItem(ctx, itemId);
  if (item === undefined) return;
  const lease = holdLease(() => renewItem(ctx, item), stop, ctx.log);
  try {
    await work(ctx, item, lease.signal);
  } finally {
    lease.letGo();
  }
  ctx.progress.changed(item, 'running');
  if (!(await endJobIfDone(ctx, item.jobId))) await feedItems(ctx, item);
}
