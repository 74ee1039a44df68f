/** A file uploaded to Lectern. */
export interface UploadedFile {
  /** Unique within the connector, with `/` as separator. */
  readonly path: string;
  /** The key of its bytes; new for each upload. */
  readonly blobKey: string;
  readonly sizeBytes: number;
  readonly mimeType: string;
  readonly updatedAt: Date;
  /** The metadata from the upload. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The uploaded files of one connector. */
export interface FileCatalog {
  /** Returns up to `limit` files after a path, in byte order of their paths. */
  page(after: string | undefined, limit: number): Promise<readonly UploadedFile[]>;
  find(path: string): Promise<UploadedFile | undefined>;
}
