import type { Client } from '../client.ts';
import type { CallOptions, Query } from '../types.ts';
import { type UploadFile, type UploadOptions, uploadFiles } from '../upload.ts';

/** Files of connectors that store files. */
export const createFiles = (client: Client) => ({
  list: (connectorId: string, query: Query<'listFiles'> = {}, options?: CallOptions) =>
    client.list('listFiles', { path: { id: connectorId }, query }, options),
  /** Uploads files and starts the job that indexes them. Follow it with `sync.watch`. */
  upload: (connectorId: string, files: readonly UploadFile[], options?: UploadOptions) =>
    uploadFiles(client, connectorId, files, options),
  /** Deletes files, by id or path, and their documents. */
  delete: (connectorId: string, files: string[], options?: CallOptions) =>
    client.call('deleteFiles', { path: { id: connectorId }, body: { files } }, options),
});
