const initialBytes = 16 * 1024;
const largestKept = 4 * 1024 * 1024;
// Up to this length, a loop is faster than a native call.
const shortBytes = 48;

/** Builds JSON as UTF-8 bytes from text and from bytes that are already JSON. */
export class JsonWriter {
  #bytes: Buffer = Buffer.allocUnsafeSlow(initialBytes);
  #length = 0;

  /** Appends text that is JSON or a part of it. */
  text(text: string): void {
    // A UTF-16 unit takes at most three bytes.
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

  /** Appends bytes that are JSON. */
  copy(from: Buffer, start: number, end: number): void {
    this.#reserve(end - start);
    const bytes = this.#bytes;
    let at = this.#length;
    if (end - start > shortBytes) from.copy(bytes, at, start, end);
    else for (let i = start; i < end; i++) bytes[at++] = from[i] ?? 0;
    this.#length += end - start;
  }

  /** Appends a list. `write` writes each item. */
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

  /** Discards the content. */
  clear(): void {
    this.#length = 0;
  }

  /** Returns a copy of the content. Releases a large buffer. */
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
