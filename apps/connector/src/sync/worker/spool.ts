import { createHash } from 'node:crypto';
import { type FileHandle, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SourceContent, SourceError } from '@lectern/connectors';

// Large content is written to temporary files, so that memory never contains a whole large file.

const PREFIX = 'lectern-item-';
/** Longer than processing any item takes. */
const ABANDONED_AFTER_MS = 6 * 3_600_000;
/** Larger content is written to a file. */
const IN_MEMORY_BYTES = 256 * 1024;

/** A temporary folder that is created when it is needed. */
export interface SpoolFolder {
  path(): Promise<string>;
}

/** Runs `work` with a temporary folder, and removes the folder. */
export async function withSpoolFolder<T>(work: (folder: SpoolFolder) => Promise<T>): Promise<T> {
  let created: Promise<string> | undefined;
  const path = () => {
    created ??= mkdtemp(join(tmpdir(), PREFIX));
    return created;
  };
  try {
    return await work({ path });
  } finally {
    const folder = await created?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the folders of processes on this machine that were killed. */
export async function removeAbandonedSpools(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(tmpdir(), name);
    const info = await stat(folder).catch(() => undefined);
    if (info !== undefined && Date.now() - info.mtimeMs > ABANDONED_AFTER_MS) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** An item's complete content: its bytes, or the path of a local file. */
export interface Spooled {
  readonly content: { readonly bytes: Uint8Array } | { readonly path: string };
  readonly sizeBytes: number;
  /** Hex SHA-256. */
  readonly sha256: string;
}

/** Reads an item's content, into a file of `folder` if it is large. Throws `too_large` above `maxBytes`. */
export async function spoolContent(
  content: SourceContent,
  folder: SpoolFolder,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Spooled> {
  const hash = createHash('sha256');
  const head: Uint8Array[] = [];
  let sizeBytes = 0;
  let file: FileHandle | undefined;
  let path: string | undefined;
  try {
    for await (const chunk of content.body) {
      signal.throwIfAborted();
      sizeBytes += chunk.byteLength;
      if (sizeBytes > maxBytes) {
        throw new SourceError('too_large', `The file is larger than the maximum of ${maxBytes} bytes.`);
      }
      hash.update(chunk);
      if (file !== undefined) await file.writeFile(chunk);
      else head.push(chunk);
      if (file === undefined && sizeBytes > IN_MEMORY_BYTES) {
        path = join(await folder.path(), 'content');
        file = await open(path, 'wx', 0o600);
        for (const part of head.splice(0)) await file.writeFile(part);
      }
    }
  } finally {
    await file?.close();
  }
  const sha256 = hash.digest('hex');
  return { content: path === undefined ? { bytes: Buffer.concat(head) } : { path }, sizeBytes, sha256 };
}
