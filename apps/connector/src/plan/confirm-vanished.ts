import type { Connector } from '@lectern/connectors';
import type { Context } from '../context.ts';
import { orAborted } from '../leases/hold-lease.ts';
import type { HeldPlan } from './claim-plan.ts';
import { findVanished, insertDeletions, type Vanished } from './complete-plan.ts';
import { resolveOne } from './list-items.ts';
import { lockPlan } from './lock-plan.ts';
import { storePage } from './store-page.ts';
import type { ItemEvent } from './to-item.ts';

/** Asked about and stored in one step; what a crash repeats. */
const BATCH = 50;

/**
 * Asks the source for each item that its listing did not name: what is there all the same becomes an item like any other, and only what the
 * source confirms to be gone is planned to be deleted. One that the source refuses to show fails and stays in the index.
 */
export async function confirmVanished(
  ctx: Context,
  plan: HeldPlan,
  source: Connector,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const batch = await findVanished(ctx.db, plan, BATCH);
    if (batch.length === 0) return;
    const found: ItemEvent[] = [];
    const gone: Vanished[] = [];
    for (const vanished of batch) {
      const event = await orAborted(resolveOne(source, { signal }, vanished.sourceId), signal);
      if (event.type === 'failed') found.push({ ...event, id: vanished.sourceId, path: vanished.path });
      if (event.type === 'item') found.push(event);
      // Known by another id now: the old one is gone.
      const isGone = event.type === 'gone' || (event.type === 'item' && event.ref.id !== vanished.sourceId);
      if (isGone) gone.push(vanished);
    }
    await ctx.db.$transaction(async (tx) => {
      await lockPlan(tx, plan);
      await insertDeletions(tx, plan, gone);
    });
    await storePage(ctx, plan, found, undefined);
  }
}
