import type { UploadFilesRequest, UploadFilesResponse } from '@lectern/contracts';
import { AppError, invalidRequest, type ServiceCall } from '@lectern/service-kit';
import { findConnector } from '../connectors/find-connector.ts';
import { requireCollection } from '../connectors/require-collection.ts';
import { requireWritable } from '../connectors/require-writable.ts';
import type { Context } from '../context.ts';
import { commitUpload } from '../files/commit-upload.ts';
import { abandon, receiveUpload } from '../files/receive-upload.ts';
import type { UploadPart } from '../files/received-file.ts';
import { reserveDocuments } from '../files/reserve-documents.ts';
import { sendToSource } from '../files/send-to-source.ts';
import { toFileMessage } from '../files/to-message.ts';
import { feedItems } from '../items/feed-items.ts';

async function readOpen(stream: AsyncIterator<UploadFilesRequest>) {
  const first = await stream.next();
  const part = first.done === true ? undefined : first.value.part;
  if (part?.$case !== 'open') throw invalidRequest([{ path: 'open', message: 'must come first' }]);
  return part.value;
}

async function* readParts(
  stream: AsyncIterator<UploadFilesRequest>,
  metadata: Readonly<Record<string, unknown>> | undefined,
): AsyncGenerator<UploadPart> {
  if (metadata !== undefined) yield { kind: 'metadata', metadata };
  for (;;) {
    const { done, value } = await stream.next();
    // A cancelled stream ends like a whole one; only its last message tells them apart.
    if (done === true) throw new AppError('cancelled', 'The upload was broken off.');
    const { part } = value;
    if (part?.$case === 'end') return;
    if (part?.$case === 'file') yield { kind: 'file', path: part.value.path };
    else if (part?.$case === 'chunk') yield { kind: 'chunk', bytes: part.value };
    else if (part?.$case === 'metadata') yield { kind: 'metadata', metadata: part.value ?? {} };
    else throw invalidRequest([{ path: 'files', message: 'holds a part of an unknown kind' }]);
  }
}

export const uploadFiles =
  (ctx: Context) =>
  async (request: AsyncIterable<UploadFilesRequest>, call: ServiceCall): Promise<UploadFilesResponse> => {
    const stream = request[Symbol.asyncIterator]();
    const { connectorId, metadata } = await readOpen(stream);
    const connector = await findConnector(ctx, call.caller, connectorId);
    requireWritable(ctx, connector);
    await requireCollection(ctx, connector, call.signal);

    const received = await receiveUpload(ctx, readParts(stream, metadata), call.signal);
    try {
      const upload = await sendToSource(ctx, connector.id, received, call.signal);
      const documents = await reserveDocuments(ctx, connector, upload.files, upload.metadata, call.signal);
      const { files, jobId } = await commitUpload(ctx, connector, upload, documents);
      await feedItems(ctx, { teamId: connector.teamId, connectorId, jobId }).catch((err: unknown) =>
        call.log.warn({ err, jobId }, 'items are queued by the sweeper'),
      );
      return { files: files.map(toFileMessage), jobId };
    } finally {
      // What files refer to was taken over and stays.
      await abandon(ctx, received.blobKeys);
    }
  };
