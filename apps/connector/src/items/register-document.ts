import type { Context } from '../context.ts';
import type { HeldItem } from './claim-item.ts';

/**
 * The id of the document of an item that cannot be indexed, made where there is none. Undefined where the item was removed meanwhile; the
 * removal then takes care of what was made here.
 */
export async function registerDocument(ctx: Context, item: HeldItem, signal: AbortSignal): Promise<string | undefined> {
  const { teamId, connectorId, collectionId, sourceId, ref } = item;
  // Only for an item whose row is there: it is by the row that a removal finds the document.
  const where = { connectorId, sourceId, removedAt: null };
  const file = await ctx.db.file.findFirst({ where, select: { documentId: true } });
  if (file === null) return undefined;
  // An upload reserves the documents of its files before it makes their items.
  if (item.mode === 'incremental' && file.documentId !== null) return file.documentId;
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
