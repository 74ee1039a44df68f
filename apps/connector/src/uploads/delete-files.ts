import { lockConnector } from '#connectors/connector';
import type { Context } from '#context';
import { discardBlobs, removeLooseBlobs } from '#files/blobs';
import { removeFile } from '#files/remove-file';
import type { File } from '#gen/prisma/client';
import { removeAtSource } from '#uploads/source-files';

export interface DeletedFiles {
  /** As named in the request. */
  readonly deleted: readonly string[];
  readonly notFound: readonly string[];
}

async function findNamed(ctx: Context, connectorId: string, names: readonly string[]): Promise<File[]> {
  const paths = names.map((name) => name.normalize('NFC'));
  return ctx.db.file.findMany({
    where: {
      connectorId,
      removedAt: null,
      OR: [{ id: { in: [...names] } }, { path: { in: [...new Set([...names, ...paths])] } }],
    },
  });
}

/** Marks files as removed. From then on the sweeper finishes their removal. */
async function markRemoved(ctx: Context, connectorId: string, files: readonly File[]): Promise<void> {
  const ids = files.map(({ id }) => id);
  const where = { id: { in: ids }, removedAt: null };
  await ctx.db.$transaction(async (tx) => {
    await lockConnector(tx, connectorId);
    // In the order of every statement that locks several files.
    await tx.$executeRaw`SELECT FROM files WHERE id = ANY(${ids}) ORDER BY source_id FOR NO KEY UPDATE`;
    await discardBlobs(tx, await tx.file.findMany({ where, select: { blobKey: true } }));
    await tx.file.updateMany({ where, data: { removedAt: new Date(), blobKey: null } });
  });
}

/**
 * Deletes files, named by id or path, with their bytes and documents; first at the source if it
 * stores them. The sweeper deletes documents that cannot be deleted now. If the source fails at one
 * file, the files before it are deleted and the error is thrown.
 */
export async function deleteFiles(
  ctx: Context,
  connectorId: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<DeletedFiles> {
  const requested = [...new Set(names)];
  const { files, failure } = await removeAtSource(
    ctx,
    connectorId,
    await findNamed(ctx, connectorId, requested),
    signal,
  );
  await markRemoved(ctx, connectorId, files);
  for (const file of files) {
    await removeFile(ctx, file, { signal }).catch((err: unknown) =>
      ctx.log.warn({ err, fileId: file.id }, 'could not delete the document of a deleted file; the sweeper will retry'),
    );
  }
  await removeLooseBlobs(ctx).catch((err: unknown) =>
    ctx.log.warn({ err }, 'could not remove the bytes of deleted files; the sweeper will retry'),
  );
  if (failure !== undefined) throw failure;

  const known = new Set(files.flatMap((file) => [file.id, file.path]));
  const isKnown = (name: string) => known.has(name) || known.has(name.normalize('NFC'));
  return { deleted: requested.filter(isKnown), notFound: requested.filter((name) => !isKnown(name)) };
}
