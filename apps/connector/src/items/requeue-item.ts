import type { Context } from '../context.ts';

/**
 * Puts an item back that waits for its message: the process ends before its turn, or the queue gives the message up because its worker died, or
 * the database was away, at every delivery. What becomes of the item its row says, which counts the times that a worker took it up.
 */
export async function requeueItem(ctx: Context, itemId: string): Promise<void> {
  await ctx.db.$executeRaw`
    UPDATE sync_items SET enqueued_at = NULL, updated_at = now()
    WHERE id = ${itemId} AND stage IN ('planned', 'collected', 'parsed') AND (lease_until IS NULL OR lease_until < now())`;
}
