/** What is known of a blob once it is stored. */
export interface StoredBlob {
  readonly sizeBytes: number;
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string;
}

export interface PutOptions {
  /** More bytes than this are refused with `BlobTooLargeError`, and nothing is kept. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Keeps the bytes of files under keys that the caller chooses: letters, digits, `_` and `-`, at least 8 of them. */
export interface BlobStore {
  /** Stores the bytes whole or not at all; they survive a crash from the moment this returns. Replaces a blob of the same key. */
  put(key: string, body: AsyncIterable<Uint8Array>, options: PutOptions): Promise<StoredBlob>;
  /** Reads a blob from its beginning. Throws `BlobNotFoundError` where there is none. */
  open(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Removes a blob; one that is not there is no error. */
  remove(key: string): Promise<void>;
}

/** There is no blob of this key. */
export class BlobNotFoundError extends Error {
  override readonly name = 'BlobNotFoundError';
}

/** A blob has more bytes than it may have. */
export class BlobTooLargeError extends Error {
  override readonly name = 'BlobTooLargeError';
}
