import type { Readable } from 'node:stream';
import { s3Error } from '#s3/s3-error';

// The timeout for uploading one file.
const SEND_TIMEOUT_MS = 15 * 60_000;

interface SendOptions {
  readonly abortSignal: AbortSignal;
  readonly requestTimeout: number;
}

/**
 * Uploads an object from a stream. If the stream fails, cancels the request and throws the stream's
 * error, which the client ignores. Throws `SourceError` for S3 errors.
 */
export async function sendStream(
  stream: Readable,
  signal: AbortSignal,
  send: (options: SendOptions) => Promise<unknown>,
): Promise<void> {
  const failed = new AbortController();
  stream.on('error', (error) => failed.abort(error));
  try {
    await send({ abortSignal: AbortSignal.any([signal, failed.signal]), requestTimeout: SEND_TIMEOUT_MS });
  } catch (error) {
    signal.throwIfAborted();
    failed.signal.throwIfAborted();
    throw s3Error(error);
  } finally {
    stream.destroy();
  }
}
