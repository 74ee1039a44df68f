import type { Context } from '../context.ts';
import { cancelForDeletedCollection } from '../jobs/cancel-for-collection.ts';
import { endUnauthorised } from '../jobs/end-unauthorised.ts';
import { reasonOf } from '../leases/hold-lease.ts';
import { throttle } from '../schedule/throttle.ts';
import { giveBackItem, type HeldItem } from './claim-item.ts';
import { deleteItem } from './delete-item.ts';
import { failItem, finishItem } from './finish-item.ts';
import { type Failure, failureOf, MAX_ATTEMPTS, MAX_OUTAGES } from './item-failure.ts';
import type { Reached } from './note-stage.ts';
import { registerDocument } from './register-document.ts';

interface ItemError {
  readonly code: string;
  readonly message: string;
}

interface Settling {
  readonly signal: AbortSignal;
  /** How far the item had come. */
  readonly reached?: Reached;
}

/** Failures to mark a document that stop its item from ending: everything else would keep the job from ending. */
const HOLDS_UP: ReadonlySet<Failure['kind']> = new Set(['lost', 'stop', 'collection_gone']);

/** Ends an item as failed, and its document with it. */
export async function giveUp(
  ctx: Context,
  item: HeldItem,
  { code, message }: ItemError,
  { signal, reached }: Settling,
): Promise<void> {
  try {
    const id = item.action === 'delete' ? undefined : await registerDocument(ctx, item, signal);
    if (id !== undefined) await ctx.index.fail(item.teamId, id, { code, message }, signal);
  } catch (thrown) {
    const error = reasonOf(thrown, signal);
    const { kind } = failureOf(error, item);
    if (HOLDS_UP.has(kind) || (kind === 'outage' && item.outages < MAX_OUTAGES)) throw error;
    ctx.log.warn({ err: error, itemId: item.id }, 'document could not be marked as failed');
  }
  await failItem(ctx, item, { code, message }, reached);
}

async function stopForCollection(ctx: Context, item: HeldItem): Promise<void> {
  await cancelForDeletedCollection(ctx, item.teamId, item.collectionId);
  await giveBackItem(ctx, item, { counts: 'nothing' });
}

/** Does what a failed attempt at an item calls for. Throws the error itself where the message has to come again. */
export async function settleItem(ctx: Context, item: HeldItem, error: unknown, settling: Settling): Promise<void> {
  const failure = failureOf(error, item);
  switch (failure.kind) {
    case 'lost':
      return giveBackItem(ctx, item, { counts: 'nothing' });
    case 'stop':
      await giveBackItem(ctx, item, { counts: 'nothing' });
      throw error;
    case 'throttled':
      ctx.log.info(
        { itemId: item.id, connectorId: item.connectorId, retryAt: failure.error.retryAt },
        'source throttles',
      );
      await throttle(ctx, item, failure.error);
      return giveBackItem(ctx, item, { counts: 'nothing' });
    case 'unauthorised':
      await endUnauthorised(ctx, item, failure.message);
      return giveBackItem(ctx, item, { counts: 'nothing' });
    case 'collection_gone':
      return stopForCollection(ctx, item);
    case 'document_gone':
      return finishItem(ctx, item, { stage: 'skipped' });
    case 'item_gone':
      return finishItem(ctx, item, await deleteItem(ctx, item, settling.signal));
    case 'outage':
      if (item.outages >= MAX_OUTAGES) return giveUp(ctx, item, failure, settling);
      return giveBackItem(ctx, item, { waitMs: failure.waitMs, counts: 'outage' });
    case 'again':
      ctx.log.warn({ err: error, itemId: item.id, attempt: item.attempts }, 'item failed, will be tried again');
      if (item.attempts >= MAX_ATTEMPTS) return giveUp(ctx, item, failure, settling);
      return giveBackItem(ctx, item, { waitMs: failure.waitMs, counts: 'attempt' });
    case 'final':
      return giveUp(ctx, item, failure, settling);
  }
}

/** Settling talks to the collection service too, and can fail as the work did. The item is then tried again as a whole. */
export async function settleItemLater(ctx: Context, item: HeldItem, error: unknown): Promise<void> {
  const failure = failureOf(error, item);
  switch (failure.kind) {
    case 'collection_gone':
      return stopForCollection(ctx, item);
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
