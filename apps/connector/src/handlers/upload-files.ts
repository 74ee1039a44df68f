import type { UploadFilesRequest, UploadFilesResponse } from '@lectern/contracts';
import { AppError, invalidRequest, type ServiceCall } from '@lectern/service-kit';
import { findConnector } from '#connectors/connector';
import { requireWritable } from '#connectors/settings';
import type { Context } from '#context';
import { releaseBlobs } from '#files/blobs';
import { toFileMessage } from '#files/files';
import { continueJob } from '#sync/scheduler/continue-job';
import { requireCollection } from '#sync/scheduler/deleted-collections';
import { commitUpload, reserveDocuments } from '#uploads/commit-upload';
import { receiveUpload, type UploadPart } from '#uploads/receive-upload';
import { sendToSource } from '#uploads/source-files';

async function readOpen(stream: AsyncIterator<UploadFilesRequest>) {
  const first = await stream.next();
  const part = first.done === true ? undefined : first.value.part;
  if (part?.$case !== 'open') throw invalidRequest([{ path: 'open', message: 'must be the first message' }]);
  return part.value;
}

async function* readParts(
  stream: AsyncIterator<UploadFilesRequest>,
  metadata: Readonly<Record<string, unknown>> | undefined,
): AsyncGenerator<UploadPart> {
  if (metadata !== undefined) yield { kind: 'metadata', metadata };
  for (;;) {
    const { done, value } = await stream.next();
    // A cancelled stream ends like a complete one, but without the `end` message.
    if (done === true) throw new AppError('cancelled', 'The upload ended before it was complete.');
    const { part } = value;
    if (part?.$case === 'end') return;
    if (part?.$case === 'file') yield { kind: 'file', path: part.value.path };
    else if (part?.$case === 'chunk') yield { kind: 'chunk', bytes: part.value };
    else if (part?.$case === 'metadata') yield { kind: 'metadata', metadata: part.value ?? {} };
    else throw invalidRequest([{ path: 'files', message: 'contains a part of an unknown kind' }]);
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
      const documents = await reserveDocuments(ctx, connector, upload, call.signal);
      const { files, jobId } = await commitUpload(ctx, connector, upload, documents);
      await continueJob(ctx, connector, jobId);
      return { files: files.map(toFileMessage), jobId };
    } finally {
      // Blobs that files refer to were taken over and are kept.
      await releaseBlobs(ctx, received.blobKeys);
    }
  };
