import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError, invalidRequest } from '@lectern/service-kit';
import { withDeadline } from '#deadline';
import type { BodySource } from '#http/body/request-body';

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

const BROKEN_CONNECTION: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];

export interface ReadLimits {
  /** Bytes after content decoding. */
  readonly limitBytes: number;
  readonly timeoutMs: number;
  /** Receives each chunk as it arrives. An error it throws stops the read. */
  readonly onBytes?: (bytes: Buffer) => void;
}

/** Creates a `payload_too_large` error with the limit. */
export function tooLarge(limitBytes: number): AppError {
  return new AppError('payload_too_large', `The body is too large. It can have at most ${limitBytes} bytes.`, {
    details: { limitBytes },
  });
}

/** Decodes the content encoding. */
function decoded(source: BodySource): AsyncIterable<Buffer> {
  // Keep the connection after an error, so that the client can read the response.
  const bytes = source.bytes.iterator({ destroyOnReturn: false });
  const encoding = (source.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return bytes;
  const decoder = DECODERS.get(encoding)?.();
  if (decoder === undefined) {
    throw new AppError(
      'unsupported_media_type',
      'Content-Encoding must be gzip, deflate or br. Omit it for an uncompressed body.',
    );
  }
  // The reader of the stream handles failures of the pipeline.
  return pipeline(bytes, decoder, () => undefined);
}

/** Converts a failure to read a body. */
export function readFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (BROKEN_CONNECTION.includes(code)) {
    return new AppError('cancelled', 'The connection closed before the whole body arrived.', { cause: error });
  }
  return invalidRequest([{ path: 'body', message: 'must match its Content-Encoding' }]);
}

/** Limits the time for a body. Throws `invalid_request` if it is late. */
export function withBodyDeadline<T>(body: Promise<T>, timeoutMs: number): Promise<T> {
  const late = () => invalidRequest([{ path: 'body', message: `must arrive within ${timeoutMs / 1000} s` }]);
  return withDeadline(body, timeoutMs, late);
}

/** True if the headers announce a body. */
export function hasBody({ headers }: { readonly headers: IncomingHttpHeaders }): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Reads a complete body. Throws `payload_too_large` as soon as it exceeds the limit after
 * decoding, `unsupported_media_type`, and `invalid_request` if it is late or malformed.
 */
export async function readBytes(source: BodySource, { limitBytes, timeoutMs, onBytes }: ReadLimits): Promise<Buffer> {
  if (Number(source.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const read = async () => {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of decoded(source)) {
        size += chunk.length;
        if (size > limitBytes) throw tooLarge(limitBytes);
        onBytes?.(chunk);
        chunks.push(chunk);
      }
    } catch (error) {
      throw readFailure(error);
    }
    return Buffer.concat(chunks, size);
  };
  return withBodyDeadline(read(), timeoutMs);
}
