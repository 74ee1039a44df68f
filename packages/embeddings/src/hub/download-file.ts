import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { retry } from '@lectern/resilience';
import { AppError } from '@lectern/service-kit';
import type { HubClient, HubFile } from '#hub/hub-client';

/** The limit between two chunks of a response. */
const STALL_MS = 30_000;
const RETRY = { attempts: 5, minDelayMs: 500, maxDelayMs: 15_000, totalMs: 24 * 3_600_000 } as const;

export interface FileDownload {
  readonly hub: HubClient;
  readonly name: string;
  readonly file: HubFile;
  /** The path of the complete file. The incomplete one has the suffix `.part`. */
  readonly target: string;
  /** Called with the number of bytes that are stored so far. */
  readonly onBytes: (storedBytes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Downloads a file, continues an incomplete download, and verifies its checksum. Returns its
 * SHA-256. A lost connection is retried.
 */
export async function downloadFile(download: FileDownload): Promise<string> {
  const { file, target, onBytes, signal } = download;
  const complete = await stat(target).catch(() => undefined);
  if (complete === undefined) {
    await mkdir(dirname(target), { recursive: true });
    await retry(() => continueDownload(download), {
      ...RETRY,
      signal,
      shouldRetry: (error) => error instanceof AppError && error.code === 'upstream_error',
    });
  }
  onBytes(file.sizeBytes);
  const stored = complete === undefined ? `${target}.part` : target;
  const { sha256, matches } = await verify(stored, file);
  if (!matches) {
    await rm(stored);
    const message = `The download of ${download.name}/${file.path} is damaged, and was deleted. Download it again.`;
    throw new AppError('unavailable', message);
  }
  if (stored !== target) await rename(stored, target);
  return sha256;
}

async function continueDownload({ hub, name, file, target, onBytes, signal }: FileDownload): Promise<void> {
  await using part = await open(`${target}.part`, 'a');
  let { size } = await part.stat();
  if (size === file.sizeBytes) return;
  if (size > file.sizeBytes) {
    await part.truncate(0);
    size = 0;
  }
  const stalled = new AbortController();
  const either = AbortSignal.any([signal, stalled.signal]);
  const response = await hub.open(name, file, size, either);
  const range = response.headers.get('content-range') ?? '';
  if (size > 0 && !(response.status === 206 && range.startsWith(`bytes ${size}-`))) {
    // The server sends all of the file, or another part than requested.
    await part.truncate(0);
    size = 0;
    if (response.status !== 200) {
      await response.body?.cancel();
      throw lost(name, file, 'the server did not continue the download');
    }
  }
  onBytes(size);
  const stall = () => stalled.abort(new Error(`no data for ${STALL_MS / 1_000} s`));
  let timer = setTimeout(stall, STALL_MS);
  try {
    for await (const chunk of response.body ?? []) {
      clearTimeout(timer);
      timer = setTimeout(stall, STALL_MS);
      size += chunk.byteLength;
      if (size > file.sizeBytes) break;
      await part.write(chunk);
      onBytes(size);
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw isFileSystemError(cause) ? cause : lost(name, file, 'the connection was lost', cause);
  } finally {
    clearTimeout(timer);
  }
  if (size !== file.sizeBytes) throw lost(name, file, `${size} of ${file.sizeBytes} bytes arrived`);
}

const isFileSystemError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'write';

const lost = (name: string, { path }: HubFile, why: string, cause?: unknown) =>
  new AppError('upstream_error', `Could not download ${name}/${path}: ${why}. Try again to continue.`, { cause });

async function verify(path: string, { checksum, sizeBytes }: HubFile): Promise<{ sha256: string; matches: boolean }> {
  const sha256 = createHash('sha256');
  const git = createHash('sha1').update(`blob ${sizeBytes}\0`);
  for await (const chunk of createReadStream(path)) {
    sha256.update(chunk);
    git.update(chunk);
  }
  const hashes = { sha256: sha256.digest('hex'), git: git.digest('hex') };
  return { sha256: hashes.sha256, matches: hashes[checksum.kind] === checksum.value };
}
