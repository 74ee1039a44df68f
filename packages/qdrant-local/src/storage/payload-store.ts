import type { JsonObject } from '../json/types.ts';

// Payloads stand one behind the other in pieces of memory of this size; a larger one has a piece of its own.
const chunkBytes = 1024 * 1024;
// Room of changed and deleted payloads is given back when it outgrows both this and what is in use.
const minDeadBytes = 4 * chunkBytes;

// One payload is: the number of its fields; for each the number of its key and the length of its value; then the whole
// as JSON text in UTF-8. Numbers take seven bits a byte, low bits first, all but the last byte with the high bit set.

interface Key {
  /** As it stands before a value in the text, colon included. */
  readonly text: string;
  readonly byteLength: number;
}

interface Place {
  readonly chunk: Buffer;
  readonly start: number;
  readonly byteLength: number;
}

class FieldReader {
  #bytes: Buffer = Buffer.alloc(0);
  at = 0;

  start(bytes: Buffer, at: number): void {
    this.#bytes = bytes;
    this.at = at;
  }

  next(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.at++] ?? 0;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[this.at++] ?? 0;
      value |= (byte & 127) << shift;
    }
    return value;
  }
}

function appendNumber(to: number[], value: number): void {
  let rest = value;
  for (; rest > 127; rest >>>= 7) to.push((rest & 127) | 128);
  to.push(rest);
}

/** Payloads by point offset as JSON text, with the places of their fields: little memory, and answers copied as they stand. */
export class PayloadStore {
  readonly #places: (Place | undefined)[] = [];
  readonly #keys: Key[] = [];
  readonly #keyNumbers = new Map<string, number>();
  readonly #reader = new FieldReader();
  #chunk = Buffer.alloc(0);
  #used = 0;
  #liveBytes = 0;
  #deadBytes = 0;

  has(offset: number): boolean {
    return this.#places[offset] !== undefined;
  }

  set(offset: number, payload: JsonObject): void {
    this.delete(offset);
    const head: number[] = [];
    const names = Object.keys(payload);
    appendNumber(head, names.length);
    let text = '';
    for (const name of names) {
      const number = this.#numberOf(name);
      const value = JSON.stringify(payload[name]);
      appendNumber(head, number);
      appendNumber(head, Buffer.byteLength(value));
      text += `${text ? ',' : ''}${this.#keys[number]?.text}${value}`;
    }
    const byteLength = head.length + Buffer.byteLength(text) + 2;
    const place = this.#reserve(byteLength);
    place.chunk.set(head, place.start);
    place.chunk.write(`{${text}}`, place.start + head.length);
    this.#places[offset] = place;
    this.#liveBytes += byteLength;
  }

  delete(offset: number): void {
    const place = this.#places[offset];
    if (!place) return;
    this.#places[offset] = undefined;
    this.#liveBytes -= place.byteLength;
    this.#deadBytes += place.byteLength;
    if (this.#deadBytes > Math.max(minDeadBytes, this.#liveBytes)) this.#compact();
  }

  /** The whole payload as JSON text; `{}` where there is none. */
  text(offset: number): string {
    const place = this.#places[offset];
    if (!place) return '{}';
    const reader = this.#reader;
    reader.start(place.chunk, place.start);
    for (let fields = reader.next(); fields > 0; fields--) {
      reader.next();
      reader.next();
    }
    return place.chunk.toString('utf8', reader.at, place.start + place.byteLength);
  }

  /** Gives the fields of some keys as the JSON text of an object, in the order of the payload. */
  createPicker(names: readonly string[]): (offset: number) => string {
    const wanted = names.flatMap((name) => this.#keyNumbers.get(name) ?? []);
    return (offset) => this.#pick(offset, wanted);
  }

  #pick(offset: number, wanted: readonly number[]): string {
    const place = this.#places[offset];
    if (!place || wanted.length === 0) return '{}';
    const { chunk, start } = place;
    const reader = this.#reader;
    reader.start(chunk, start);
    const found: number[] = [];
    let relative = 1;
    for (let fields = reader.next(); fields > 0; fields--) {
      const number = reader.next();
      const byteLength = reader.next();
      relative += this.#keys[number]?.byteLength ?? 0;
      if (wanted.includes(number)) found.push(number, relative, byteLength);
      relative += byteLength + 1;
    }
    let text = '';
    for (let i = 0; i < found.length; i += 3) {
      const from = reader.at + (found[i + 1] ?? 0);
      text += `${i > 0 ? ',' : ''}${this.#keys[found[i] ?? 0]?.text}${chunk.toString('utf8', from, from + (found[i + 2] ?? 0))}`;
    }
    return `{${text}}`;
  }

  #numberOf(name: string): number {
    const known = this.#keyNumbers.get(name);
    if (known !== undefined) return known;
    const text = `${JSON.stringify(name)}:`;
    this.#keyNumbers.set(name, this.#keys.length);
    return this.#keys.push({ text, byteLength: Buffer.byteLength(text) }) - 1;
  }

  #reserve(byteLength: number): Place {
    if (byteLength > chunkBytes / 4) return { chunk: Buffer.allocUnsafeSlow(byteLength), start: 0, byteLength };
    if (this.#used + byteLength > this.#chunk.length) {
      this.#chunk = Buffer.allocUnsafeSlow(chunkBytes);
      this.#used = 0;
    }
    const place = { chunk: this.#chunk, start: this.#used, byteLength };
    this.#used += byteLength;
    return place;
  }

  #compact(): void {
    this.#chunk = Buffer.alloc(0);
    this.#used = 0;
    this.#deadBytes = 0;
    this.#places.forEach((before, offset) => {
      if (!before) return;
      const place = this.#reserve(before.byteLength);
      before.chunk.copy(place.chunk, place.start, before.start, before.start + before.byteLength);
      this.#places[offset] = place;
    });
  }
}
