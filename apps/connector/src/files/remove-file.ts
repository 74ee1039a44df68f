import { isCollectionGone } from '#clients/document-index';
import type { Context } from '#context';
import type { File } from '#gen/prisma/client';

/**
 * Returns true while a worker with another lease processes an item of the file. It can still create
 * a document.
 */
async function isLeased(ctx: Context, file: File, ownLease: string | undefined): Promise<boolean> {
  const [row] = await ctx.db.$queryRaw<{ leased: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM sync_items
      WHERE connector_id = ${file.connectorId} AND source_id = ${file.sourceId} AND lease_until > now()
        AND lease_token IS DISTINCT FROM ${ownLease ?? null}) AS leased`;
  return row?.leased ?? false;
}

/** Finds a document that was created just before a crash and is not in the file's row. */
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

/** Deletes the file's document. A deleted collection has no documents. */
async function removeDocument(ctx: Context, file: File, leased: boolean, signal: AbortSignal): Promise<void> {
  try {
    const id = file.documentId ?? (leased ? undefined : await findDocument(ctx, file, signal));
    if (id !== undefined) await ctx.index.remove(file.teamId, id, signal);
  } catch (error) {
    if (!isCollectionGone(error)) throw error;
  }
}

/**
 * Deletes the document and then the row of a file that is marked as removed. While another worker
 * processes the file, the row is left for the sweeper. No worker starts to process a marked file.
 */
export async function removeFile(
  ctx: Context,
  file: File,
  { ownLease, signal }: { readonly ownLease?: string; readonly signal: AbortSignal },
): Promise<void> {
  const leased = await isLeased(ctx, file, ownLease);
  await removeDocument(ctx, file, leased, signal);
  // The worker can still create a document. The sweeper finds it by its item, not by this id.
  if (leased) await ctx.db.file.updateMany({ where: { id: file.id }, data: { documentId: null } });
  else await ctx.db.file.deleteMany({ where: { id: file.id, removedAt: { not: null } } });
}

/** Removes the files whose removal was started but not finished. */
export async function finishRemovals(ctx: Context, signal: AbortSignal): Promise<void> {
  const removed = await ctx.db.file.findMany({
    where: { removedAt: { lt: new Date() }, connector: { status: { not: 'deleting' } } },
    orderBy: { removedAt: 'asc' },
    take: 100,
  });
  for (const file of removed) {
    await removeFile(ctx, file, { signal }).catch((err: unknown) =>
      ctx.log.warn({ err, fileId: file.id }, 'could not remove a file; the sweeper will retry'),
    );
  }
}
