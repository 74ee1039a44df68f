/** A blob after it was stored. */
export interface StoredBlob {
  readonly sizeBytes: number;
  /** Hex SHA-256 of the bytes. */
  readonly sha256: string;
}

export interface PutOptions {
  /** A larger body fails with `BlobTooLargeError`, and nothing is stored. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Stores the bytes of files under keys that the caller chooses: 8 to 128 letters, digits, `_` and
 * `-`.
 */
export interface BlobStore {
  /** Stores all bytes or none, durably once this resolves. Replaces a blob with the same key. */
  put(key: string, body: AsyncIterable<Uint8Array>, options: PutOptions): Promise<StoredBlob>;
  /** Opens a blob for reading. Throws `BlobNotFoundError`. */
  open(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Removes a blob if it exists. */
  remove(key: string): Promise<void>;
}

export class BlobNotFoundError extends Error {
  override readonly name = 'BlobNotFoundError';
}

export class BlobTooLargeError extends Error {
  override readonly name = 'BlobTooLargeError';
}
