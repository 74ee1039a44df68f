import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkBlobKey } from '#blobs/blob-key';
import { BlobNotFoundError, type BlobStore, type StoredBlob } from '#blobs/blob-store';
import { writeBody } from '#blobs/write-body';

const READ_CHUNK_BYTES = 256 * 1024;
/** Most files are smaller, and a large buffer costs more than reading them. */
const FIRST_CHUNK_BYTES = 16 * 1024;
// A running upload keeps writing to its temporary file; an older file was abandoned.
const ABANDONED_AFTER_MS = 24 * 3_600_000;

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';

// Keys are ids that sort by time, so only their ends spread evenly over folders.
function relativePath(key: string): string {
  checkBlobKey(key);
  return join(key.slice(-2), key.slice(-4, -2), key);
}

// A rename is durable only after the folder is synced.
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function* readAll(file: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for (let size = FIRST_CHUNK_BYTES; ; size = READ_CHUNK_BYTES) {
      signal.throwIfAborted();
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(size), 0, size);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const info = await stat(path).catch(() => undefined);
    if (info !== undefined && Date.now() - info.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
  }
}

/**
 * Creates a blob store in a folder. Replicas can share it on a network file system with atomic
 * rename. Bytes are written to a temporary file, synced and renamed, so a blob is never visible in
 * part. Creates the folder, and removes temporary files of abandoned uploads.
 */
export async function createFolderBlobStore(folder: string): Promise<BlobStore> {
  const temporary = join(folder, 'tmp');
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  await removeAbandoned(temporary);

  return {
    put: async (key, body, options) => {
      const target = join(folder, relativePath(key));
      const draft = join(temporary, randomUUID());
      const file = await open(draft, 'wx', 0o600);
      try {
        let stored: StoredBlob;
        try {
          stored = await writeBody(file, body, options);
          await file.sync();
        } finally {
          await file.close();
        }
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        await rename(draft, target);
        await syncFolder(dirname(target));
        return stored;
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    open: async (key, signal) => {
      try {
        return readAll(await open(join(folder, relativePath(key)), 'r'), signal);
      } catch (error) {
        if (isMissing(error)) throw new BlobNotFoundError('The stored file is missing.', { cause: error });
        throw error;
      }
    },
    remove: async (key) => {
      await rm(join(folder, relativePath(key)), { force: true });
    },
  };
}
