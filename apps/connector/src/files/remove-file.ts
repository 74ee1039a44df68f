import type { File } from '#gen/prisma/client';
import { isCollectionGone } from '../clients/document-index.ts';
import type { Context } from '../context.ts';

/** True while a worker other than the one named holds an item for the file: it may yet make a document of it. */
async function isHeld(ctx: Context, file: File, ownHold: string | undefined): Promise<boolean> {
  const [row] = await ctx.db.$queryRaw<{ held: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM sync_items
      WHERE connector_id = ${file.connectorId} AND source_id = ${file.sourceId} AND lease_until > now()
        AND lease_token IS DISTINCT FROM ${ownHold ?? null}) AS held`;
  return row?.held ?? false;
}

/** A document that was made just before a crash is not in the row; the collection service finds it by the item. */
async function findDocument(ctx: Context, file: File, signal: AbortSignal): Promise<string | undefined> {
  const connector = await ctx.db.connector.findUniqueOrThrow({ where: { id: file.connectorId } });
  const [id] = await ctx.index.register(
    file.teamId,
    {
      connectorId: file.connectorId,
      collectionId: connector.collectionId,
      source: connector.type,
      items: [{ externalId: file.sourceId, title: file.path, url: undefined, metadata: undefined }],
    },
    signal,
  );
  return id;
}

/** Deletes the document; where its collection is gone, so is it. */
async function removeDocument(ctx: Context, file: File, held: boolean, signal: AbortSignal): Promise<void> {
  try {
    const id = file.documentId ?? (held ? undefined : await findDocument(ctx, file, signal));
    if (id !== undefined) await ctx.index.remove(file.teamId, id, signal);
  } catch (error) {
    if (!isCollectionGone(error)) throw error;
  }
}

/**
 * Removes the document of a file whose row is marked as removed, then the row. While a worker holds the file the row stays, and the sweeper
 * comes back to it: from the mark on, no worker begins with it anew.
 */
export async function removeFile(
  ctx: Context,
  file: File,
  { ownHold, signal }: { readonly ownHold?: string; readonly signal: AbortSignal },
): Promise<void> {
  const held = await isHeld(ctx, file, ownHold);
  await removeDocument(ctx, file, held, signal);
  // What the worker that holds it still makes is found by the item, not by this id.
  if (held) await ctx.db.file.updateMany({ where: { id: file.id }, data: { documentId: null } });
  else await ctx.db.file.deleteMany({ where: { id: file.id, removedAt: { not: null } } });
}
