import { createHash } from 'node:crypto';
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SourceContent, SourceError } from '@lectern/connectors';

// Content is written to temporary files, so that memory never contains a whole file.

const PREFIX = 'lectern-item-';
/** Longer than processing any item takes. */
const ABANDONED_AFTER_MS = 6 * 3_600_000;

/** Runs `work` with a temporary folder, and removes the folder. */
export async function withSpoolFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
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

/** An item's complete content in a local file. */
export interface Spooled {
  readonly path: string;
  readonly sizeBytes: number;
  /** Hex SHA-256. */
  readonly sha256: string;
}

/** Writes an item's content to `path`. Throws `too_large` above `maxBytes`. */
export async function spoolContent(
  content: SourceContent,
  path: string,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Spooled> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of content.body) {
      signal.throwIfAborted();
      sizeBytes += chunk.byteLength;
      if (sizeBytes > maxBytes) {
        throw new SourceError('too_large', `The file is larger than the maximum of ${maxBytes} bytes.`);
      }
      hash.update(chunk);
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  return { path, sizeBytes, sha256: hash.digest('hex') };
}
