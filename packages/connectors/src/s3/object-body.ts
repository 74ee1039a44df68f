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
