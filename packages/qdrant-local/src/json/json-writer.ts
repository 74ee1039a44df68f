const initialBytes = 16 * 1024;
const largestKept = 4 * 1024 * 1024;
// Up to here a loop is faster than a call into the runtime.
const shortBytes = 48;

/** Puts together JSON text as UTF-8 bytes, from text and from bytes that are JSON already. */
export class JsonWriter {
  #bytes: Buffer = Buffer.allocUnsafeSlow(initialBytes);
  #length = 0;

  /** Text that is JSON, or a part of it. */
  text(text: string): void {
    // At most three bytes for each of a string's 16-bit units.
    this.#reserve(text.length * 3);
    if (text.length > shortBytes) {
      this.#length += this.#bytes.write(text, this.#length);
      return;
    }
    const start = this.#length;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) {
        this.#length = start + this.#bytes.write(text, start);
        return;
      }
      this.#bytes[start + i] = code;
    }
    this.#length = start + text.length;
  }

  /** JSON from other bytes. */
  copy(from: Buffer, start: number, end: number): void {
    this.#reserve(end - start);
    const bytes = this.#bytes;
    let at = this.#length;
    if (end - start > shortBytes) from.copy(bytes, at, start, end);
    else for (let i = start; i < end; i++) bytes[at++] = from[i] ?? 0;
    this.#length += end - start;
  }

  /** A list of what a function writes for each item. */
  list<T>(items: Iterable<T>, write: (item: T) => void): void {
    this.text('[');
    let isFirst = true;
    for (const item of items) {
      if (!isFirst) this.text(',');
      isFirst = false;
      write(item);
    }
    this.text(']');
  }

  /** Forgets what was written. */
  clear(): void {
    this.#length = 0;
  }

  /** What was written, in memory of its own. Large room is given back. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#length));
    if (this.#bytes.length > largestKept) this.#bytes = Buffer.allocUnsafeSlow(initialBytes);
    this.clear();
    return taken;
  }

  toString(): string {
    return this.#bytes.toString('utf8', 0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#length + count, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
