import type { Readable } from 'node:stream';
import { s3Error } from './s3-error.ts';

// Of sending one file, whatever the line.
const SEND_TIMEOUT_MS = 15 * 60_000;

interface SendOptions {
  readonly abortSignal: AbortSignal;
  readonly requestTimeout: number;
}

/**
 * Sends an object whose bytes come from a stream. Where that fails, the request is broken off and its error is thrown as it is: the
 * client itself does not listen to it. Throws `SourceError` for what the server says.
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
