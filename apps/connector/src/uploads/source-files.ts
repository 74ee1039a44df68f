import type { Connector } from '@lectern/connectors';
import type { Context } from '#context';
import type { File } from '#gen/prisma/client';
import { toApiError } from '#sources/sources';
import type { ReceivedFile, ReceivedUpload } from '#uploads/receive-upload';

// Writes and deletes files at sources that store them themselves.

/** Few enough not to be throttled. */
const CONCURRENCY = 4;

/** Runs `work` for each item, some in parallel. After a failure, starts no more. */
async function forEachConcurrently<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      try {
        await work(item);
      } catch (error) {
        rest.length = 0;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: CONCURRENCY }, worker));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

async function sendFile(
  ctx: Context,
  source: Required<Pick<Connector, 'put'>>,
  { file, metadata }: { readonly file: ReceivedFile; readonly metadata: ReceivedUpload['metadata'] },
  signal: AbortSignal,
): Promise<ReceivedFile> {
  const { path, blobKey, sizeBytes, mimeType } = file;
  const body = await ctx.blobs.open(blobKey, signal);
  const ref = await source.put({ signal }, { path, body, sizeBytes, mimeType, metadata });
  return { ...file, path: ref.id, ref };
}

/**
 * Writes an upload's files to the source if it stores files itself, and returns them with the
 * source's ids. After a failure, files that were written stay; the next sync finds them. Throws
 * `upstream_error` or `unavailable`.
 */
export async function sendToSource(
  ctx: Context,
  connectorId: string,
  upload: ReceivedUpload,
  signal: AbortSignal,
): Promise<ReceivedUpload> {
  const { files, metadata } = upload;
  const sent = new Map<ReceivedFile, ReceivedFile>();
  const sendAll = async (source: Connector) => {
    const put = source.put?.bind(source);
    if (put === undefined) return;
    await forEachConcurrently(files, async (file) => {
      sent.set(file, await sendFile(ctx, { put }, { file, metadata }, signal));
    });
  };
  try {
    await ctx.sources.use(connectorId, sendAll);
  } catch (error) {
    throw toApiError(error);
  }
  return { ...upload, files: files.map((file) => sent.get(file) ?? file) };
}

/** The files that were removed, and the error that stopped the removal. */
export interface RemovedAtSource {
  readonly files: readonly File[];
  readonly failure: unknown;
}

/** Removes files from the source if it stores files itself. */
export async function removeAtSource(
  ctx: Context,
  connectorId: string,
  files: readonly File[],
  signal: AbortSignal,
): Promise<RemovedAtSource> {
  const removed: File[] = [];
  const removeAll = (source: Connector) =>
    forEachConcurrently(files, async (file) => {
      await source.remove?.({ signal }, file.sourceId);
      removed.push(file);
    });
  try {
    await ctx.sources.use(connectorId, removeAll);
    return { files: removed, failure: undefined };
  } catch (error) {
    return { files: removed, failure: toApiError(error) };
  }
}
