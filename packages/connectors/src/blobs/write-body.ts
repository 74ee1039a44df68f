import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { BlobTooLargeError, type PutOptions, type StoredBlob } from '#blobs/blob-store';

/** Writes a body to a file. Throws `BlobTooLargeError` as soon as the body exceeds its limit. */
export async function writeBody(
  file: FileHandle,
  body: AsyncIterable<Uint8Array>,
  { maxBytes, signal }: PutOptions,
): Promise<StoredBlob> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of body) {
    signal.throwIfAborted();
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw new BlobTooLargeError(`The blob is larger than ${maxBytes} bytes.`);
    hash.update(chunk);
    await file.writeFile(chunk);
  }
  signal.throwIfAborted();
  return { sizeBytes, sha256: hash.digest('hex') };
}
