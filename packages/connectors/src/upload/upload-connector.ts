import { basename } from 'node:path/posix';
import { BlobNotFoundError } from '#blobs/blob-store';
import type { Connector } from '#connector';
import type { ConnectorHost } from '#host';
import type { SourceEvent, SourceRef } from '#source';
import { SourceError } from '#source-error';
import type { UploadedFile } from '#upload/file-catalog';

const PAGE = 200;

/**
 * Converts an uploaded file to an item. The version is the key of its bytes, which changes with
 * each upload.
 */
export function refOfUpload(file: UploadedFile): SourceRef {
  return {
    id: file.path,
    path: file.path,
    version: file.blobKey,
    title: basename(file.path),
    url: typeof file.metadata.url === 'string' ? file.metadata.url : undefined,
    sizeBytes: file.sizeBytes,
    mimeType: file.mimeType,
    updatedAt: file.updatedAt.toISOString(),
  };
}

const gone = (path: string, cause?: unknown) =>
  new SourceError('gone', `The file ${path} no longer exists.`, { cause });

/**
 * Opens the source of uploaded files. The connector service adds and removes files, because it
 * stores bytes and catalog entries together, so this connector has no `put` and `remove`.
 */
export function openUpload(host: Pick<ConnectorHost, 'blobs' | 'files'>): Connector {
  return {
    test: async () => [{ name: 'storage', ok: true, message: 'Lectern stores the files.' }],
    async *list(call, from): AsyncGenerator<SourceEvent, void, void> {
      let after = from;
      for (;;) {
        call.signal.throwIfAborted();
        const files = await host.files.page(after, PAGE);
        for (const file of files) yield { type: 'item', ref: refOfUpload(file) };
        after = files.at(-1)?.path;
        if (after === undefined) break;
        yield { type: 'checkpoint', at: after };
      }
      yield { type: 'complete', authoritative: true };
    },
    resolve: async (_call, id) => {
      const file = await host.files.find(id);
      return file === undefined ? null : refOfUpload(file);
    },
    fetch: async (call, ref) => {
      const file = await host.files.find(ref.id);
      if (file === undefined) throw gone(ref.path);
      try {
        const body = await host.blobs.open(file.blobKey, call.signal);
        return { body, version: file.blobKey, fileName: basename(file.path), metadata: file.metadata };
      } catch (error) {
        // Replaced or deleted between the two reads.
        if (error instanceof BlobNotFoundError) {
          const now = await host.files.find(ref.id);
          if (now === undefined) throw gone(ref.path, error);
          if (now.blobKey !== file.blobKey) {
            throw new SourceError('transient', `The file ${ref.path} was replaced while it was read. Try again.`, {
              cause: error,
            });
          }
          throw new SourceError('invalid', `The stored bytes of ${ref.path} are missing. Upload the file again.`, {
            cause: error,
          });
        }
        throw error;
      }
    },
  };
}
