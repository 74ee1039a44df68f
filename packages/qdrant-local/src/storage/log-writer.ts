import { type FileHandle, open } from 'node:fs/promises';
import { serviceError } from '../errors.ts';
import { frameOf } from './frame-file.ts';
import { syncFolder } from './sync-folder.ts';

interface Waiting {
  readonly buffers: readonly Uint8Array[];
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Appends frames to a log. Frames that arrive during a write are written and synced together (group
 * commit). After a failed write it rejects all others, because memory would otherwise differ from
 * the disk unnoticed.
 */
export class LogWriter {
  readonly #folder: string;
  #file: FileHandle;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #failure: Error | undefined;
  /** Bytes in the current file. */
  bytes: number;

  private constructor(folder: string, file: FileHandle, bytes: number) {
    this.#folder = folder;
    this.#file = file;
    this.bytes = bytes;
  }

  /** Opens a log for appending. Creates it if it does not exist. */
  static async open(folder: string, path: string): Promise<LogWriter> {
    const file = await open(path, 'a');
    await syncFolder(folder);
    return new LogWriter(folder, file, (await file.stat()).size);
  }

  /** Checks that no write has failed. @throws QdrantError 500 */
  assertHealthy(): void {
    if (this.#failure) throw serviceError(`the log cannot be written: ${this.#failure.message}`, this.#failure);
  }

  /** Appends a body, given as parts. Resolves when it is on disk. Bodies are written in the order of the calls. */
  append(body: readonly Uint8Array[]): Promise<void> {
    this.assertHealthy();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ buffers: frameOf(body), resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Switches to another file once everything appended so far is on disk. */
  async rotate(path: string): Promise<void> {
    await this.flush();
    const next = await open(path, 'a');
    await syncFolder(this.#folder);
    // Bodies appended while the file was created belong to the old one, so they are written first.
    await this.flush();
    const previous = this.#file;
    this.#file = next;
    this.bytes = 0;
    await previous.close();
  }

  /** Resolves when no write is pending. */
  async flush(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#file.close();
  }

  async #drain(): Promise<void> {
    // Waits one turn of the event loop, so that requests that are already parsed join the batch.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const buffers = batch.flatMap((entry) => entry.buffers);
        const expected = buffers.reduce((sum, buffer) => sum + buffer.byteLength, 0);
        const { bytesWritten } = await this.#file.writev(buffers);
        if (bytesWritten !== expected) throw new Error(`only ${bytesWritten} of ${expected} bytes could be written`);
        await this.#file.datasync();
        this.bytes += bytesWritten;
        for (const entry of batch) entry.resolve();
      } catch (error) {
        this.#failure = error instanceof Error ? error : new Error(String(error));
        for (const entry of [...batch, ...this.#waiting.splice(0)])
          entry.reject(serviceError(`the log cannot be written: ${this.#failure.message}`, this.#failure));
      }
    }
    this.#running = undefined;
  }
}
