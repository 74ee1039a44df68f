import type { BlobStore } from './blobs/blob-store.ts';
import type { FileCatalogue } from './upload/file-catalogue.ts';

/** What Lectern lends to the connector that it opens. Each type takes what it needs. */
export interface ConnectorHost {
  readonly blobs: BlobStore;
  /** The files that were sent to this connector. */
  readonly files: FileCatalogue;
}
