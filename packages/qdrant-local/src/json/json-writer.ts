import { shortestFloat32, toDecimal } from './float32.ts';

const initialBytes = 16 * 1024;
const largestKept = 4 * 1024 * 1024;
// Up to this length, a loop is faster than a native call.
const shortBytes = 48;

const maxInteger = 0x7fffffff;
// More than the characters of a decimal: a sign, 12 decimals, a point and a digit.
const maxDecimalBytes = 24;
const zero = 48;
const point = 46;
const minus = 45;
const decimal = { digits: 0, decimals: 0 };

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
    const bytes = this.#bytes;
    const start = this.#length;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) {
        this.#length = start + bytes.write(text, start);
        return;
      }
      bytes[start + i] = code;
    }
    this.#length = start + text.length;
  }

  /** Appends an integer. */
  integer(value: number): void {
    if (!(value >= 0 && value <= maxInteger)) {
      this.text(JSON.stringify(value));
      return;
    }
    this.#reserve(maxDecimalBytes);
    this.#digits(value, 0);
  }

  /** Appends a 32-bit float in its shortest form. */
  float32(value: number): void {
    const single = Math.fround(value);
    const magnitude = Math.abs(single);
    if (Number.isInteger(single) || !toDecimal(magnitude, decimal)) {
      this.text(JSON.stringify(shortestFloat32(single)));
      return;
    }
    this.#reserve(maxDecimalBytes);
    if (single < 0) this.#bytes[this.#length++] = minus;
    let { digits, decimals } = decimal;
    for (; digits % 10 === 0; decimals--) digits /= 10;
    this.#digits(digits, decimals);
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

  /** Appends the decimal digits of a 31-bit integer, the last ones after a point. */
  #digits(value: number, decimals: number): void {
    const bytes = this.#bytes;
    let count = 1;
    for (let limit = 10; limit <= value; limit *= 10) count += 1;
    const length = decimals > 0 ? Math.max(count, decimals + 1) + 1 : count;
    const start = this.#length;
    let rest = value;
    for (let at = start + length - 1, place = 0; at >= start; at--, place++) {
      if (place === decimals && decimals > 0) bytes[at--] = point;
      const next = (rest / 10) | 0;
      bytes[at] = zero + rest - next * 10;
      rest = next;
    }
    this.#length = start + length;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#length + count, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
