import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { type SourceContent, SourceError } from '@lectern/connectors';

/** An item's bytes, complete, in a file of this machine. */
export interface Spooled {
  readonly path: string;
  readonly sizeBytes: number;
  /** Hex SHA-256. */
  readonly sha256: string;
}

/** Writes an item's body to `path`, so that no file is ever whole in memory. Throws `too_large` beyond `maxBytes`. */
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
        throw new SourceError('too_large', `The file is larger than ${maxBytes} bytes, the most that is read.`);
      }
      hash.update(chunk);
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  return { path, sizeBytes, sha256: hash.digest('hex') };
}
