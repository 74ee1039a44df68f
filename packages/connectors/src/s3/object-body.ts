import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { SourceError } from '../source-error.ts';
import { s3Error } from './s3-error.ts';

/** The pieces of an object. Ends with `transient` where the server breaks off, and `too_large` beyond what it said. */
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
    const said = s3Error(error);
    throw said.kind === 'transient'
      ? new SourceError('transient', 'S3 broke off in the middle of an object.', { cause: error })
      : said;
  }
  if (expectedBytes !== undefined && bytes < expectedBytes) {
    throw new SourceError('transient', 'S3 broke off in the middle of an object.');
  }
}

/** What was stored in compressed form (`Content-Encoding: gzip`), as it was before. */
export async function* inflate(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(body, { objectMode: false });
  // The error comes through the iteration.
  const inflated = pipeline(source, createGunzip(), () => undefined);
  try {
    yield* inflated;
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError('invalid', 'The object says that it is compressed, but cannot be inflated.', {
      cause: error,
    });
  }
}

/** The pieces, which must be as many bytes as were told beforehand. */
export async function* ofLength(body: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > sizeBytes) break;
    yield piece;
  }
  if (bytes !== sizeBytes) throw new SourceError('transient', 'The file is not as long as was said.');
}
