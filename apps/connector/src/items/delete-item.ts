import type { Context } from '../context.ts';
import { removeFile } from '../files/remove-file.ts';
import type { HeldItem } from './claim-item.ts';
import type { Outcome } from './index-item.ts';

/** Removes the document of an item that its source does not have any more, and what is known of it. */
export async function deleteItem(ctx: Context, item: HeldItem, signal: AbortSignal): Promise<Outcome> {
  const { connectorId, sourceId } = item;
  const file = await ctx.db.file.findUnique({ where: { connectorId_sourceId: { connectorId, sourceId } } });
  // A file that was sent anew after the plan was made is not gone.
  if (file !== null && file.blobKey !== null && file.removedAt === null) return { stage: 'skipped' };
  if (file !== null) {
    await ctx.db.file.update({ where: { id: file.id }, data: { removedAt: new Date() } });
    await removeFile(ctx, file, { ownHold: item.leaseToken, signal });
  }
  return { stage: 'deleted' };
}
