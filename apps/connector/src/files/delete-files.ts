import type { File } from '#gen/prisma/client';
import { lockConnector } from '../connectors/lock-connector.ts';
import type { Context } from '../context.ts';
import { loosenBlobs, removeLooseBlobs } from './loose-blobs.ts';
import { removeAtSource } from './remove-at-source.ts';
import { removeFile } from './remove-file.ts';

export interface DeletedFiles {
  /** As they were named in the request. */
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

/** Marks files as removed, in one transaction. From here on the sweeper brings their deletion to its end. */
async function markRemoved(ctx: Context, connectorId: string, files: readonly File[]): Promise<void> {
  const where = { id: { in: files.map(({ id }) => id) }, removedAt: null };
  await ctx.db.$transaction(async (tx) => {
    await lockConnector(tx, connectorId);
    const found = await tx.file.findMany({ where, select: { blobKey: true } });
    await loosenBlobs(
      tx,
      found.flatMap((file) => file.blobKey ?? []),
    );
    await tx.file.updateMany({ where, data: { removedAt: new Date(), blobKey: null } });
  });
}

/**
 * Removes files, named by id or path, with their bytes and documents; at the source first where that keeps them. What is left when a
 * document cannot be removed now, the sweeper does. Where the source fails at one, the others are gone and it throws.
 */
export async function deleteFiles(
  ctx: Context,
  connectorId: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<DeletedFiles> {
  const wanted = [...new Set(names)];
  const { files, failure } = await removeAtSource(ctx, connectorId, await findNamed(ctx, connectorId, wanted), signal);
  await markRemoved(ctx, connectorId, files);
  for (const file of files) {
    await removeFile(ctx, file, { signal }).catch((err: unknown) =>
      ctx.log.warn({ err, fileId: file.id }, 'document of a deleted file stays for now'),
    );
  }
  await removeLooseBlobs(ctx).catch((err: unknown) => ctx.log.warn({ err }, 'bytes of deleted files stay for now'));
  if (failure !== undefined) throw failure;

  const known = new Set(files.flatMap((file) => [file.id, file.path]));
  const isKnown = (name: string) => known.has(name) || known.has(name.normalize('NFC'));
  return { deleted: wanted.filter(isKnown), notFound: wanted.filter((name) => !isKnown(name)) };
}
