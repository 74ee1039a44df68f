import type { File } from '#gen/prisma/client';
import { lockConnector } from '../connectors/lock-connector.ts';
import type { Context } from '../context.ts';
import { loosenBlobs, removeLooseBlobs } from './loose-blobs.ts';
import { removeFile } from './remove-file.ts';

export interface DeletedFiles {
  /** As they were named in the request. */
  readonly deleted: readonly string[];
  readonly notFound: readonly string[];
}

/**
 * Removes files, named by id or path, with their bytes and documents. The mark comes first, in one transaction; what is left when a
 * document cannot be removed now, the sweeper does.
 */
export async function deleteFiles(
  ctx: Context,
  connectorId: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<DeletedFiles> {
  const wanted = [...new Set(names)];
  const paths = wanted.map((name) => name.normalize('NFC'));
  const files = await ctx.db.$transaction(async (tx): Promise<File[]> => {
    await lockConnector(tx, connectorId);
    const found = await tx.file.findMany({
      where: { connectorId, removedAt: null, OR: [{ id: { in: wanted } }, { path: { in: paths } }] },
    });
    const ids = found.map((file) => file.id);
    await loosenBlobs(
      tx,
      found.flatMap((file) => file.blobKey ?? []),
    );
    await tx.file.updateMany({ where: { id: { in: ids } }, data: { removedAt: new Date(), blobKey: null } });
    return found;
  });
  for (const file of files) {
    await removeFile(ctx, file, { signal }).catch((err: unknown) =>
      ctx.log.warn({ err, fileId: file.id }, 'document of a deleted file stays for now'),
    );
  }
  await removeLooseBlobs(ctx).catch((err: unknown) => ctx.log.warn({ err }, 'bytes of deleted files stay for now'));

  const known = new Set(files.flatMap((file) => [file.id, file.path]));
  const isKnown = (name: string) => known.has(name) || known.has(name.normalize('NFC'));
  return { deleted: wanted.filter(isKnown), notFound: wanted.filter((name) => !isKnown(name)) };
}
