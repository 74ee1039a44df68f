import { basename } from 'node:path/posix';
import { BlobTooLargeError, type SourceRef } from '@lectern/connectors';
import { detectMimeType } from '@lectern/documents';
import { AppError, invalidRequest } from '@lectern/service-kit';
import type { Context } from '#context';
import { releaseBlobs, reserveBlobs } from '#files/blobs';
import { cleanPath, FilePathError } from '#uploads/file-path';

/** A file of an upload whose bytes are stored. */
export interface ReceivedFile {
  readonly path: string;
  readonly blobKey: string;
  readonly sizeBytes: number;
  /** `sha256:` and the hex digest. */
  readonly checksum: string;
  readonly mimeType: string;
  /** The file's item at its source; absent for a file that Lectern stores itself. */
  readonly ref?: SourceRef;
}

export interface ReceivedUpload {
  readonly files: readonly ReceivedFile[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** All blob keys reserved for the upload, including unused ones. */
  readonly blobKeys: readonly string[];
}

/** A part of an upload's stream, in the order of the contract. */
export type UploadPart =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array }
  | { readonly kind: 'metadata'; readonly metadata: Readonly<Record<string, unknown>> };

/**
 * Bytes for the detection of a file's type. Office files that need more bytes are detected by name
 * until they are parsed.
 */
const HEAD_BYTES = 64 * 1024;

class HeadKeeper {
  readonly #parts: Uint8Array[] = [];
  #size = 0;

  add(chunk: Uint8Array): void {
    if (this.#size >= HEAD_BYTES) return;
    this.#parts.push(chunk.subarray(0, HEAD_BYTES - this.#size));
    this.#size += chunk.byteLength;
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

/** Reads one part ahead, to see a file's end without consuming the start of the next file. */
class PartReader {
  readonly #source: AsyncIterator<UploadPart>;
  next: UploadPart | undefined;

  constructor(parts: AsyncIterable<UploadPart>) {
    this.#source = parts[Symbol.asyncIterator]();
  }

  async advance(): Promise<void> {
    const step = await this.#source.next();
    this.next = step.done === true ? undefined : step.value;
  }

  /** Calls `onEnd` with the size of the file after its last chunk. */
  async *chunks(keep: HeadKeeper, onEnd: (sizeBytes: number) => void): AsyncGenerator<Uint8Array> {
    let sizeBytes = 0;
    while (this.next?.kind === 'chunk') {
      keep.add(this.next.bytes);
      sizeBytes += this.next.bytes.byteLength;
      yield this.next.bytes;
      await this.advance();
    }
    onEnd(sizeBytes);
  }
}

function checkedPath(clientPath: string, at: number, seen: ReadonlySet<string>): string {
  try {
    const path = cleanPath(clientPath);
    if (!seen.has(path)) return path;
    throw new FilePathError(`${path} appears more than once; each file needs its own path`);
  } catch (error) {
    if (!(error instanceof FilePathError)) throw error;
    throw invalidRequest([{ path: `files[${at}]`, message: error.message }]);
  }
}

interface Receipt {
  readonly path: string;
  readonly reader: PartReader;
  readonly blobKey: string;
  readonly signal: AbortSignal;
  /** Called when all bytes of the file have arrived. They are not durable yet. */
  readonly onEnd: (sizeBytes: number) => void;
}

async function receiveFile(ctx: Context, { path, reader, blobKey, signal, onEnd }: Receipt): Promise<ReceivedFile> {
  const head = new HeadKeeper();
  const maxBytes = ctx.config.MAX_FILE_BYTES;
  try {
    const { sizeBytes, sha256 } = await ctx.blobs.put(blobKey, reader.chunks(head, onEnd), { maxBytes, signal });
    const mimeType = detectMimeType(head.bytes(), basename(path));
    return { path, blobKey, sizeBytes, checksum: `sha256:${sha256}`, mimeType };
  } catch (error) {
    if (!(error instanceof BlobTooLargeError)) throw error;
    throw new AppError('payload_too_large', `The file ${path} is larger than ${maxBytes} bytes.`, {
      details: { file: path, maxBytes },
    });
  }
}

/** Files of an upload that are stored at the same time: the one that arrives, and those before it. */
const MAX_STORING = 16;

/** Bytes of files, over all uploads, that have arrived and are not durable yet. */
export const MAX_ARRIVED_BYTES = 64 * 1024 * 1024;

/** Waits until the bytes of a file that has arrived fit into the budget, which has them until they are durable. */
function waitForRoom(ctx: Context, sizeBytes: number, stored: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const untilDurable = () => {
    resolve();
    return stored;
  };
  ctx.arrivedFiles.within(sizeBytes, untilDurable, signal).catch(reject);
  return promise;
}

/**
 * Stores the bytes of an upload's files as they arrive. If one file is rejected or the stream is
 * interrupted, removes everything that was stored and throws.
 */
export async function receiveUpload(
  ctx: Context,
  parts: AsyncIterable<UploadPart>,
  signal: AbortSignal,
): Promise<ReceivedUpload> {
  const reader = new PartReader(parts);
  const files: Promise<ReceivedFile>[] = [];
  const keys = reserveBlobs(ctx);
  const seen = new Set<string>();
  let metadata: Readonly<Record<string, unknown>> = {};
  try {
    await reader.advance();
    for (let part = reader.next; part !== undefined; part = reader.next) {
      await reader.advance();
      if (part.kind === 'metadata') metadata = part.metadata;
      else if (part.kind === 'chunk')
        throw invalidRequest([{ path: 'files', message: 'has content before the first file' }]);
      else {
        const maxFiles = ctx.config.MAX_FILES_PER_UPLOAD;
        const path = checkedPath(part.path, files.length, seen);
        if (files.length >= maxFiles) {
          throw new AppError(
            'payload_too_large',
            `An upload can have at most ${maxFiles} files; ${path} is one too many.`,
            {
              details: { file: path, maxFiles },
            },
          );
        }
        seen.add(path);
        await files.at(-MAX_STORING);
        const blobKey = await keys.next();
        const { promise: arrived, resolve: onEnd } = Promise.withResolvers<number>();
        const stored = receiveFile(ctx, { path, reader, blobKey, signal, onEnd });
        files.push(stored);
        const sizeBytes = await Promise.race([arrived, stored.then((file) => file.sizeBytes)]);
        await waitForRoom(ctx, sizeBytes, stored, signal);
      }
    }
    if (files.length === 0) throw invalidRequest([{ path: 'files', message: 'must contain at least one file' }]);
    return { files: await Promise.all(files), metadata, blobKeys: keys.reserved };
  } catch (error) {
    // A blob that is stored after its release would never be removed.
    await Promise.allSettled(files);
    await releaseBlobs(ctx, keys.reserved);
    throw error;
  }
}
