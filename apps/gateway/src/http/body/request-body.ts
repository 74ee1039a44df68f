import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { BodySpec } from '@lectern/api-spec';
import type { Context } from '#context';
import type { BodyHolder, HeldRoom } from '#http/body/held-uploads';
import { requireMediaType } from '#http/body/media-type';
import { hasBody, readFailure, tooLarge } from '#http/body/read-bytes';
import { openSpool, type Spool } from '#http/body/spool';
import { withDeadline } from '#http/body/with-deadline';

/** The bytes of a body as received. Can be read once. */
export interface BodySource {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Readable;
  /** True if the whole body has arrived. */
  isComplete(): boolean;
}

/** The body of a request: read while it arrives, or stored first if it must be verified. */
export interface RequestBody {
  /** Opens the bytes: repeatedly if they are stored, otherwise once. */
  open(): BodySource;
  /**
   * Stores the whole body: files in a temporary file, other bodies in memory. `onBytes` receives
   * each chunk. Throws `payload_too_large` and `invalid_request`; for files also `rate_limited`
   * and `unavailable` if there is no space.
   */
  hold(holder: BodyHolder, onBytes?: (bytes: Buffer) => void): Promise<void>;
  /** Releases the stored body immediately, because its signature does not match. */
  reject(holder: BodyHolder): Promise<void>;
  /** Releases the stored body. */
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

/** Creates the body of a message. */
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
