import { basename } from 'node:path/posix';
import { BlobTooLargeError } from '@lectern/connectors';
import { detectMimeType } from '@lectern/documents';
import { AppError, invalidRequest } from '@lectern/service-kit';
import type { Context } from '../context.ts';
import { cleanPath, FilePathError } from './file-path.ts';
import { giveUpBlobs, reserveBlobs } from './loose-blobs.ts';
import type { ReceivedFile, ReceivedUpload, UploadPart } from './received-file.ts';

/** Bytes that tell a file's kind; office files that need more are told by their names until they are read. */
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

/** Reads parts one ahead, so that a file's end can be seen without taking the next file's beginning. */
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

  async *chunks(keep: HeadKeeper): AsyncGenerator<Uint8Array> {
    while (this.next?.kind === 'chunk') {
      keep.add(this.next.bytes);
      yield this.next.bytes;
      await this.advance();
    }
  }
}

function checkedPath(given: string, at: number, seen: ReadonlySet<string>): string {
  try {
    const path = cleanPath(given);
    if (!seen.has(path)) return path;
    throw new FilePathError(`${path} is there more than once; give each file a path of its own`);
  } catch (error) {
    if (!(error instanceof FilePathError)) throw error;
    throw invalidRequest([{ path: `files[${at}]`, message: error.message }]);
  }
}

async function receiveFile(
  ctx: Context,
  path: string,
  reader: PartReader,
  blobKey: string,
  signal: AbortSignal,
): Promise<ReceivedFile> {
  const head = new HeadKeeper();
  const maxBytes = ctx.config.MAX_FILE_BYTES;
  try {
    const { sizeBytes, sha256 } = await ctx.blobs.put(blobKey, reader.chunks(head), { maxBytes, signal });
    const mimeType = detectMimeType(head.bytes(), basename(path));
    return { path, blobKey, sizeBytes, checksum: `sha256:${sha256}`, mimeType };
  } catch (error) {
    if (!(error instanceof BlobTooLargeError)) throw error;
    throw new AppError('payload_too_large', `The file ${path} is larger than ${maxBytes} bytes.`, {
      details: { file: path, maxBytes },
    });
  }
}

/**
 * Stores the bytes of an upload's files as they come. All or nothing: when one file cannot be taken, or the stream breaks off, what was
 * stored is removed and the error thrown.
 */
export async function receiveUpload(
  ctx: Context,
  parts: AsyncIterable<UploadPart>,
  signal: AbortSignal,
): Promise<ReceivedUpload> {
  const reader = new PartReader(parts);
  const files: ReceivedFile[] = [];
  const keys = reserveBlobs(ctx);
  const seen = new Set<string>();
  let metadata: Readonly<Record<string, unknown>> = {};
  try {
    await reader.advance();
    for (let part = reader.next; part !== undefined; part = reader.next) {
      await reader.advance();
      if (part.kind === 'metadata') metadata = part.metadata;
      else if (part.kind === 'chunk')
        throw invalidRequest([{ path: 'files', message: 'bytes came before their file' }]);
      else {
        const most = ctx.config.MAX_FILES_PER_UPLOAD;
        const path = checkedPath(part.path, files.length, seen);
        if (files.length >= most) {
          throw new AppError('payload_too_large', `At most ${most} files may be sent at once; ${path} is one more.`, {
            details: { file: path, maxFiles: most },
          });
        }
        seen.add(path);
        files.push(await receiveFile(ctx, path, reader, await keys.next(), signal));
      }
    }
    if (files.length === 0) throw invalidRequest([{ path: 'files', message: 'must hold at least one file' }]);
    return { files, metadata, blobKeys: keys.noted };
  } catch (error) {
    await abandon(ctx, keys.noted);
    throw error;
  }
}

/** Has blobs removed that will not be needed. The sweeper does it where this fails. */
export async function abandon(ctx: Context, keys: readonly string[]): Promise<void> {
  await giveUpBlobs(ctx, keys).catch((err: unknown) => ctx.log.warn({ err }, 'blobs of a refused upload stay for now'));
}
