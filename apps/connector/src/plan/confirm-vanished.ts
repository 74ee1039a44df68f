import type { Connector, ConnectorCall, SourceRef } from '@lectern/connectors';
import type { Context } from '../context.ts';
import { orAborted } from '../leases/hold-lease.ts';
import type { HeldPlan } from './claim-plan.ts';
import { findVanished, insertDeletions, type Vanished } from './complete-plan.ts';
import { lockPlan } from './lock-plan.ts';
import { storePage } from './store-page.ts';
import type { ItemEvent } from './to-item.ts';
import { isUnreadable, unreadableError } from './unreadable.ts';

/** Asked about and stored in one step; what a crash repeats. */
const BATCH = 50;

/** What the source says of one item. An answer that cannot be read fails the item, which is kept. */
async function resolveOne(
  source: Connector,
  call: ConnectorCall,
  { sourceId: id, path }: Vanished,
): Promise<{ readonly ref: SourceRef | null; readonly failed?: undefined } | { readonly failed: ItemEvent }> {
  try {
    return { ref: await orAborted(source.resolve(call, id), call.signal) };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { failed: { type: 'failed', id, path, error: unreadableError(error) } };
  }
}

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
      const answer = await resolveOne(source, { signal }, vanished);
      if (answer.failed !== undefined) {
        found.push(answer.failed);
        continue;
      }
      const { ref } = answer;
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
