import type { Connector } from '@lectern/connectors';
import type { Context } from '../context.ts';
import { orAborted } from '../leases/hold-lease.ts';
import type { HeldPlan } from './claim-plan.ts';
import { findVanished, insertDeletions, type Vanished } from './complete-plan.ts';
import { lockPlan } from './lock-plan.ts';
import { storePage } from './store-page.ts';
import type { ItemEvent } from './to-item.ts';

/** Asked about and stored in one step; what a crash repeats. */
const BATCH = 50;

/**
 * Asks the source for each item that its listing did not name: what is there all the same becomes an item like any other, and only what the
 * source confirms to be gone is planned to be deleted.
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
      const ref = await orAborted(source.resolve({ signal }, vanished.sourceId), signal);
      // Known by another id now: the old one is gone.
      if (ref === null || ref.id !== vanished.sourceId) gone.push(vanished);
      if (ref !== null) found.push({ type: 'item', ref });
    }
    await ctx.db.$transaction(async (tx) => {
      await lockPlan(tx, plan);
      await insertDeletions(tx, plan, gone);
    });
    await storePage(ctx, plan, found, undefined);
  }
}
