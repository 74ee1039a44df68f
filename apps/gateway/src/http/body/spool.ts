import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

const CHUNK_BYTES = 64 * 1024;

/** Bytes in a temporary file. */
export interface Spool {
  write(bytes: Buffer): Promise<void>;
  /** All bytes from the beginning. */
  read(): Readable;
  close(): Promise<void>;
}

/** Opens a temporary file and unlinks it, so that a crash does not leave it behind. */
export async function openSpool(): Promise<Spool> {
  const path = join(tmpdir(), `lectern-upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  let size = 0;

  async function* bytesOf(): AsyncGenerator<Buffer> {
    for (let at = 0; at < size; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  return {
    write: async (bytes) => {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, done, bytes.length - done, size);
        done += bytesWritten;
        size += bytesWritten;
      }
    },
    read: () => Readable.from(bytesOf(), { objectMode: false }),
    close: () => file.close(),
  };
}
