import type { Connector } from '@lectern/connectors';
import { sourceFailure } from '../connectors/source-failure.ts';
import type { Context } from '../context.ts';
import { forEachAtOnce } from './for-each-at-once.ts';
import type { ReceivedFile, ReceivedUpload } from './received-file.ts';

async function send(
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
 * Writes an upload's files into the source, where it keeps files itself, and names them as the source does; else answers them as they are. What
 * is written when one fails stays at the source, and the next sync finds it. Throws `upstream_error` or `unavailable`.
 */
export async function sendToSource(
  ctx: Context,
  connectorId: string,
  upload: ReceivedUpload,
  signal: AbortSignal,
): Promise<ReceivedUpload> {
  const { files, metadata } = upload;
  const sent = new Map<ReceivedFile, ReceivedFile>();
  try {
    await ctx.sources.use(connectorId, async (source) => {
      const put = source.put?.bind(source);
      if (put === undefined) return;
      await forEachAtOnce(files, async (file) => {
        sent.set(file, await send(ctx, { put }, { file, metadata }, signal));
      });
    });
  } catch (error) {
    throw sourceFailure(error);
  }
  return { ...upload, files: files.map((file) => sent.get(file) ?? file) };
}
