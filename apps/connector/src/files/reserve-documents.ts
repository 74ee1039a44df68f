import { basename } from 'node:path/posix';
import { newId } from '@lectern/service-kit';
import type { Connector } from '#gen/prisma/client';
import type { Context } from '../context.ts';
import type { ReceivedFile } from './received-file.ts';
import { removeFile } from './remove-file.ts';

// A row that no upload takes over by then is cleared away, with the document that was made for it.
const RESERVED_MS = 3_600_000;
const BATCH = 100;

/** Files of these paths whose deletion is not through yet: a new file must not be taken for them. */
async function finishEarlierRemovals(ctx: Context, connectorId: string, paths: string[], signal: AbortSignal) {
  const removed = await ctx.db.file.findMany({
    where: { connectorId, sourceId: { in: paths }, removedAt: { lte: new Date() } },
  });
  for (const file of removed) await removeFile(ctx, file, { signal });
}

async function reserveRows(ctx: Context, connector: Connector, files: readonly ReceivedFile[]): Promise<void> {
  const removedAt = new Date(Date.now() + RESERVED_MS);
  await ctx.db.file.createMany({
    data: files.map(({ path, mimeType }) => ({
      id: newId('file'),
      teamId: connector.teamId,
      connectorId: connector.id,
      sourceId: path,
      path,
      mimeType,
      removedAt,
    })),
    skipDuplicates: true,
  });
}

/**
 * Makes documents for the files of an upload, so that their ids are known at once. A row stands behind each before it is made: should this
 * process die, the sweeper finds it. Answers ids by path.
 */
export async function reserveDocuments(
  ctx: Context,
  connector: Connector,
  files: readonly ReceivedFile[],
  metadata: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const paths = files.map((file) => file.path);
  await finishEarlierRemovals(ctx, connector.id, paths, signal);
  await reserveRows(ctx, connector, files);
  const ids = new Map<string, string>();
  for (let at = 0; at < files.length; at += BATCH) {
    const batch = files.slice(at, at + BATCH);
    const registered = await ctx.index.register(
      connector.teamId,
      {
        connectorId: connector.id,
        collectionId: connector.collectionId,
        source: connector.type,
        items: batch.map(({ path, mimeType, sizeBytes }) => ({
          externalId: path,
          title: basename(path),
          url: undefined,
          metadata: { mimeType, sizeBytes, fileName: basename(path), ...metadata },
        })),
      },
      signal,
    );
    for (const [n, file] of batch.entries()) {
      const id = registered[n];
      if (id !== undefined) ids.set(file.path, id);
    }
  }
  return ids;
}
