import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { BodySpec } from '@lectern/api-spec';
import type { Context } from '#context';
import type { Reservation, UploadOrigin } from '#http/body/buffered-uploads';
import { requireMediaType } from '#http/body/media-type';
import { hasBody, readFailure, tooLarge, withBodyDeadline } from '#http/body/read-bytes';
import { openSpool, type Spool } from '#http/body/spool';

/** The bytes of a body as received. Can be read once. */
export interface BodySource {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Readable;
  /** True if the whole body has arrived. */
  isComplete(): boolean;
}

/**
 * The body of a request: read while it arrives, or buffered first if it must be verified or read
 * twice.
 */
export interface RequestBody {
  /** Opens the bytes: repeatedly if they are buffered, otherwise once. */
  open(): BodySource;
  /**
   * Buffers the whole body: an upload in a temporary file, other bodies in memory. `onBytes`
   * receives each chunk. Throws `payload_too_large` and `invalid_request`; for an upload also
   * `rate_limited` and `unavailable` if there is no space.
   */
  buffer(origin: UploadOrigin, onBytes?: (bytes: Buffer) => void): Promise<void>;
  /** Releases the buffered body immediately, because its signature does not match. */
  reject(origin: UploadOrigin): Promise<void>;
  /** Releases the buffered body. */
  dispose(): Promise<void>;
}

async function readAll(message: IncomingMessage, limitBytes: number, store: (bytes: Buffer) => Promise<void> | void) {
  if (Number(message.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  let size = 0;
  try {
    // Keep the connection after an error, so that the client can read the response.
    for await (const bytes of message.iterator({ destroyOnReturn: false })) {
      size += bytes.length;
      if (size > limitBytes) throw tooLarge(limitBytes);
      await store(bytes);
    }
  } catch (error) {
    throw readFailure(error);
  }
}

/** Creates the body of a message. */
export function createRequestBody(
  message: IncomingMessage,
  kind: BodySpec,
  { config, bufferedUploads }: Pick<Context, 'config' | 'bufferedUploads'>,
): RequestBody {
  const { headers } = message;
  const isFiles = kind.mediaType === 'multipart/form-data';
  let buffered: Spool | Buffer | undefined;
  let reservation: Reservation | undefined;
  let size = 0;

  const bufferFiles = async (origin: UploadOrigin, onBytes: (bytes: Buffer) => void) => {
    requireMediaType(message, 'multipart/form-data');
    const limitBytes = config.MAX_HELD_UPLOAD_BYTES;
    const declared = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
    if (declared !== undefined && declared > limitBytes) throw tooLarge(limitBytes);
    const space = await bufferedUploads.reserve(origin, declared);
    reservation = space;
    const spool = await openSpool();
    buffered = spool;
    const read = readAll(message, limitBytes, async (bytes) => {
      onBytes(bytes);
      size += bytes.length;
      await space.grow(size);
      await spool.write(bytes);
    });
    await withBodyDeadline(read, config.UPLOAD_TIMEOUT_MS);
  };
  const bufferBytes = async (onBytes: (bytes: Buffer) => void) => {
    const chunks: Buffer[] = [];
    const limitBytes = config[kind.limit ?? 'MAX_SMALL_JSON_BYTES'];
    const read = readAll(message, limitBytes, (bytes) => {
      onBytes(bytes);
      chunks.push(bytes);
    });
    await withBodyDeadline(read, config.BODY_TIMEOUT_MS);
    buffered = Buffer.concat(chunks);
  };

  const dispose = async () => {
    const spool = Buffer.isBuffer(buffered) ? undefined : buffered;
    buffered = undefined;
    try {
      await spool?.close();
    } finally {
      reservation?.release();
    }
  };

  return {
    open: () => {
      if (buffered === undefined) return { headers, bytes: message, isComplete: () => message.complete };
      const bytes = Buffer.isBuffer(buffered) ? Readable.from([buffered], { objectMode: false }) : buffered.read();
      return { headers, bytes, isComplete: () => true };
    },
    buffer: async (origin, onBytes = () => undefined) => {
      if (buffered !== undefined || !hasBody(message)) return;
      await (isFiles ? bufferFiles(origin, onBytes) : bufferBytes(onBytes));
    },
    reject: async (origin) => {
      if (isFiles) bufferedUploads.noteRejected(origin, size);
      await dispose();
    },
    dispose,
  };
}
