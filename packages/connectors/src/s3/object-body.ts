import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { s3Error } from '#s3/s3-error';
import { SourceError } from '#source-error';

/** Yields the body of an object. Throws `transient` if it is interrupted or too short. */
export async function* readObjectBody(
  body: AsyncIterable<Uint8Array>,
  expectedBytes: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const piece of body) {
      signal.throwIfAborted();
      bytes += piece.byteLength;
      yield piece;
    }
  } catch (error) {
    signal.throwIfAborted();
    const failure = s3Error(error);
    throw failure.kind === 'transient'
      ? new SourceError('transient', 'The download from S3 was interrupted.', { cause: error })
      : failure;
  }
  if (expectedBytes !== undefined && bytes < expectedBytes) {
    throw new SourceError(
      'transient',
      `The download from S3 is incomplete: expected ${expectedBytes} bytes, received ${bytes}.`,
    );
  }
}

/** Decompresses an object with `Content-Encoding: gzip`. */
export async function* inflate(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(body, { objectMode: false });
  // An error arrives through the iteration.
  const inflated = pipeline(source, createGunzip(), () => undefined);
  try {
    yield* inflated;
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(
      'invalid',
      'The object has Content-Encoding gzip, but its data is not valid gzip. Upload it again.',
      {
        cause: error,
      },
    );
  }
}

/** Verifies that a body is exactly `sizeBytes` long. */
export async function* ofLength(body: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > sizeBytes) break;
    yield piece;
  }
  if (bytes !== sizeBytes) throw new SourceError('transient', 'The file does not have the declared size.');
}
