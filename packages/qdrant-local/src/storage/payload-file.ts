import { closeSync, openSync, readSync } from 'node:fs';

// Payloads that are read one after the other, in the order of the file, are read in pieces of this size.
const windowBytes = 256 * 1024;
// A read that starts at most this far behind the last one continues it.
const maxGapBytes = 16 * 1024;
// After this many of them, pieces are read: a search also reads some neighbors.
const minContinued = 8;

/** A file whose content does not change, with payloads that are read when they are needed. */
export class PayloadFile {
  readonly #fd: number;
  #window: Buffer = Buffer.alloc(0);
  #windowStart = 0;
  #lastEnd = -1;
  #continued = 0;

  /** Opens a file. It can be deleted in the meantime. */
  constructor(path: string) {
    this.#fd = openSync(path, 'r');
  }

  /**
   * Returns bytes of the file. They are valid until the next call.
   *
   * @throws Error if the disk fails
   */
  read(position: number, length: number): Buffer {
    const from = position - this.#windowStart;
    const continues = position >= this.#lastEnd && position <= this.#lastEnd + maxGapBytes;
    this.#continued = continues ? this.#continued + 1 : 0;
    this.#lastEnd = position + length;
    if (from >= 0 && from + length <= this.#window.length) return this.#window.subarray(from, from + length);
    const bytes = this.#readAt(position, this.#continued > minContinued ? Math.max(length, windowBytes) : length);
    if (bytes.length < length) throw new Error(`The snapshot ends before the byte ${position + length}.`);
    this.#window = bytes;
    this.#windowStart = position;
    return bytes.subarray(0, length);
  }

  close(): void {
    closeSync(this.#fd);
  }

  #readAt(position: number, length: number): Buffer {
    const { buffer } = this.#window;
    const bytes = buffer.byteLength >= length ? Buffer.from(buffer, 0, length) : Buffer.allocUnsafeSlow(length);
    let done = 0;
    while (done < length) {
      const count = readSync(this.#fd, bytes, done, length - done, position + done);
      if (count === 0) break;
      done += count;
    }
    return bytes.subarray(0, done);
  }
}
