import type { Context } from '../context.ts';
import type { HeldItem } from './claim-item.ts';

/**
 * The id of the item's document, made where there is none. Undefined where the item was removed meanwhile; the removal then takes care of
 * what was made here.
 */
export async function registerDocument(ctx: Context, item: HeldItem, signal: AbortSignal): Promise<string | undefined> {
  const { teamId, connectorId, collectionId, sourceId, ref } = item;
  // Only for an item whose row is there: it is by the row that a removal finds the document.
  const where = { connectorId, sourceId, removedAt: null };
  if ((await ctx.db.file.count({ where })) === 0) return undefined;
  const [id] = await ctx.index.register(
    teamId,
    {
      connectorId,
      collectionId,
      source: item.type,
      items: [{ externalId: sourceId, title: ref.title, url: ref.url, metadata: undefined }],
    },
    signal,
  );
  if (id === undefined) throw new Error('The collection service registered no document.');
  const { count } = await ctx.db.file.updateMany({ where, data: { documentId: id } });
  return count === 0 ? undefined : id;
}
