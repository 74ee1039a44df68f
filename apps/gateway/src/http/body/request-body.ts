import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { BodySpec } from '@lectern/api-spec';
import type { Context } from '#context';
import type { BodyHolder, HeldRoom } from '#http/body/held-uploads';
import { requireMediaType } from '#http/body/media-type';
import { hasBody, readFailure, tooLarge } from '#http/body/read-bytes';
import { openSpool, type Spool } from '#http/body/spool';
import { withDeadline } from '#http/body/with-deadline';

/** A body's bytes as they were received, to be read once. */
export interface BodySource {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Readable;
  /** True once all of it has come. */
  isComplete(): boolean;
}

/** The body of a request: read as it comes, or held first where all of it must be known before anything is done. */
export interface RequestBody {
  /** The bytes. Again and again where they are held, else once. */
  open(): BodySource;
  /**
   * Reads the whole body and keeps it: files in a temporary file, anything else in memory. `onBytes` is told what comes. Throws
   * `payload_too_large` and `invalid_request`; for files also `rate_limited` and `unavailable` where there is no room for them.
   */
  hold(holder: BodyHolder, onBytes?: (bytes: Buffer) => void): Promise<void>;
  /** Releases the stored body at once, because its signature does not match. */
  reject(holder: BodyHolder): Promise<void>;
  /** Lets go of what is held. */
  dispose(): Promise<void>;
}

async function readAll(message: IncomingMessage, limitBytes: number, keep: (bytes: Buffer) => Promise<void> | void) {
  if (Number(message.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  let size = 0;
  try {
    // The connection must outlive a refusal, or the client never reads it.
    for await (const bytes of message.iterator({ destroyOnReturn: false })) {
      size += bytes.length;
      if (size > limitBytes) throw tooLarge(limitBytes);
      await keep(bytes);
    }
  } catch (error) {
    throw readFailure(error);
  }
}

/** The body of `message`, of the kind that the operation takes. */
export function createRequestBody(
  message: IncomingMessage,
  kind: BodySpec,
  { config, heldUploads }: Pick<Context, 'config' | 'heldUploads'>,
): RequestBody {
  const { headers } = message;
  const isFiles = kind.mediaType === 'multipart/form-data';
  let held: Spool | Buffer | undefined;
  let room: HeldRoom | undefined;
  let size = 0;

  const holdFiles = async (holder: BodyHolder, onBytes: (bytes: Buffer) => void) => {
    requireMediaType(message, 'multipart/form-data');
    const limitBytes = config.MAX_HELD_UPLOAD_BYTES;
    const declared = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
    if (declared !== undefined && declared > limitBytes) throw tooLarge(limitBytes);
    const reserved = await heldUploads.open(holder, declared);
    room = reserved;
    const spool = await openSpool();
    held = spool;
    const read = readAll(message, limitBytes, async (bytes) => {
      onBytes(bytes);
      size += bytes.length;
      await reserved.grow(size);
      await spool.write(bytes);
    });
    await withDeadline(read, config.UPLOAD_TIMEOUT_MS);
  };
  const holdBytes = async (onBytes: (bytes: Buffer) => void) => {
    const chunks: Buffer[] = [];
    const limitBytes = config[kind.limit ?? 'MAX_SMALL_JSON_BYTES'];
    const read = readAll(message, limitBytes, (bytes) => {
      onBytes(bytes);
      chunks.push(bytes);
    });
    await withDeadline(read, config.BODY_TIMEOUT_MS);
    held = Buffer.concat(chunks);
  };

  const dispose = async () => {
    const spool = Buffer.isBuffer(held) ? undefined : held;
    held = undefined;
    try {
      await spool?.close();
    } finally {
      room?.release();
    }
  };

  return {
    open: () => {
      if (held === undefined) return { headers, bytes: message, isComplete: () => message.complete };
      const bytes = Buffer.isBuffer(held) ? Readable.from([held], { objectMode: false }) : held.read();
      return { headers, bytes, isComplete: () => true };
    },
    hold: async (holder, onBytes = () => undefined) => {
      if (held !== undefined || !hasBody(message)) return;
      await (isFiles ? holdFiles(holder, onBytes) : holdBytes(onBytes));
    },
    reject: async (holder) => {
      if (isFiles) heldUploads.noteRejected(holder, size);
      await dispose();
    },
    dispose,
  };
}
