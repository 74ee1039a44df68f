/** A file that was sent to Lectern itself. */
export interface UploadedFile {
  /** Unique within the connector; `/` between its parts. */
  readonly path: string;
  /** Where its bytes are; a new one each time the file is sent. */
  readonly blobKey: string;
  readonly sizeBytes: number;
  readonly mimeType: string;
  readonly updatedAt: Date;
  /** As the person who sent it gave it. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The files of one connector, kept by whoever opens it. */
export interface FileCatalogue {
  /** Up to `limit` files in the order of their paths' bytes, after the given path. */
  page(after: string | undefined, limit: number): Promise<readonly UploadedFile[]>;
  find(path: string): Promise<UploadedFile | undefined>;
}
