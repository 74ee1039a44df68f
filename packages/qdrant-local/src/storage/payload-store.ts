import type { JsonWriter } from '../json/json-writer.ts';
import { type JsonObject, type JsonObjectDraft, setOwnValue } from '../json/types.ts';

// Payloads are stored consecutively in chunks of this size. A larger payload has its own chunk.
const chunkBytes = 1024 * 1024;
// The memory of changed and deleted payloads is reclaimed when it exceeds both this and the used
// memory.
const minDeadBytes = 4 * chunkBytes;

// Snapshots contain payloads in slices of this size.
const sliceBytes = 4 * chunkBytes;

// Many points have fields with equal values, so parsed values are cached.
const maxCachedValues = 1000;

// A payload consists of the length in bytes of the next part, then the key number and value length
// of each field, then the JSON text in UTF-8. Numbers have seven bits per byte, low bits first. All
// bytes except the last have the high bit set.

const noFields: JsonObject = {};

interface Key {
  /** The key as JSON with a colon. */
  readonly text: string;
  /** The same with the preceding brace of a first field, or the comma of a later one. */
  readonly asFirst: string;
  readonly asLater: string;
  readonly byteLength: number;
}

interface Place {
  readonly chunk: Buffer;
  readonly start: number;
  readonly byteLength: number;
}

/** Consecutive stored payloads. */
export interface PayloadSlice {
  readonly offsets: Uint32Array;
  /** The end of each payload in `bytes`. */
  readonly ends: Uint32Array;
  readonly bytes: Uint8Array;
}

function* slicesOf(places: readonly (Place | undefined)[]): Generator<PayloadSlice> {
  let offsets: number[] = [];
  let ends: number[] = [];
  let parts: Buffer[] = [];
  let end = 0;
  const take = (): PayloadSlice => {
    const slice = {
      offsets: Uint32Array.from(offsets),
      ends: Uint32Array.from(ends),
      bytes: Buffer.concat(parts, end),
    };
    [offsets, ends, parts, end] = [[], [], [], 0];
    return slice;
  };
  for (const [offset, place] of places.entries()) {
    if (!place) continue;
    end += place.byteLength;
    offsets.push(offset);
    ends.push(end);
    parts.push(place.chunk.subarray(place.start, place.start + place.byteLength));
    if (end >= sliceBytes) yield take();
  }
  if (end > 0) yield take();
}

function appendNumber(to: number[], value: number): void {
  let rest = value;
  for (; rest > 127; rest >>>= 7) to.push((rest & 127) | 128);
  to.push(rest);
}

/**
 * Payloads by point offset as JSON text, with the offsets of their fields: uses little memory, and
 * responses copy the text.
 */
export class PayloadStore {
  readonly #places: (Place | undefined)[] = [];
  readonly #keys: Key[] = [];
  readonly #keyNumbers = new Map<string, number>();
  #chunk: Buffer = Buffer.alloc(0);
  #used = 0;
  #liveBytes = 0;
  #deadBytes = 0;

  has(offset: number): boolean {
    return this.#places[offset] !== undefined;
  }

  set(offset: number, payload: JsonObject): void {
    this.delete(offset);
    const fields: number[] = [];
    let text = '';
    for (const name of Object.keys(payload)) {
      const number = this.#numberOf(name);
      const value = JSON.stringify(payload[name]);
      appendNumber(fields, number);
      appendNumber(fields, Buffer.byteLength(value));
      text += `${text ? ',' : ''}${this.#keys[number]?.text}${value}`;
    }
    const head: number[] = [];
    appendNumber(head, fields.length);
    head.push(...fields);
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

  /** Returns the current payloads for a snapshot. They are copied while they are iterated. */
  capture(): { readonly keys: string[]; readonly slices: Iterable<PayloadSlice> } {
    return { keys: [...this.#keyNumbers.keys()], slices: slicesOf(this.#places.slice()) };
  }

  /** Sets the keys of an empty store to captured ones. */
  restoreKeys(keys: readonly string[]): void {
    for (const key of keys) this.#numberOf(key);
  }

  /** Adds captured payloads without copying them. */
  restore({ offsets, ends, bytes }: PayloadSlice): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    for (let i = 0; i < offsets.length; i++) {
      const byteLength = (ends[i] ?? 0) - start;
      this.#places[offsets[i] ?? 0] = { chunk, start, byteLength };
      this.#liveBytes += byteLength;
      start += byteLength;
    }
  }

  /** Returns the payload as JSON text; `{}` if there is none. */
  text(offset: number): string {
    const place = this.#places[offset];
    return place ? place.chunk.toString('utf8', this.#textStart(place), place.start + place.byteLength) : '{}';
  }

  /** Writes the complete payload. */
  write(offset: number, to: JsonWriter): void {
    const place = this.#places[offset];
    if (place) to.copy(place.chunk, this.#textStart(place), place.start + place.byteLength);
    else to.text('{}');
  }

  /**
   * Returns a function that writes the fields with these keys as an object, in the payload's order.
   */
  createPicker(names: readonly string[]): (offset: number, to: JsonWriter) => void {
    const wanted = names.flatMap((name) => this.#keyNumbers.get(name) ?? []);
    return (offset, to) => {
      let isFirst = true;
      this.#visit(offset, wanted, (key, chunk, start, end) => {
        to.text(isFirst ? key.asFirst : key.asLater);
        to.copy(chunk, start, end);
        isFirst = false;
      });
      to.text(isFirst ? '{}' : '}');
    };
  }

  /** Returns a reader of payloads with only one field. Equal payloads often share an object. */
  createReader(name: string): (offset: number) => JsonObject {
    const wanted = [this.#keyNumbers.get(name) ?? -1];
    const cached = new Map<string, JsonObject>();
    let field = noFields;
    const read = (_: Key, chunk: Buffer, start: number, end: number): void => {
      const text = chunk.toString('utf8', start, end);
      const known = cached.get(text);
      if (known) {
        field = known;
        return;
      }
      const draft: JsonObjectDraft = {};
      setOwnValue(draft, name, JSON.parse(text));
      field = draft;
      if (cached.size < maxCachedValues) cached.set(text, field);
    };
    return (offset) => {
      field = noFields;
      this.#visit(offset, wanted, read);
      return field;
    };
  }

  #textStart({ chunk, start }: Place): number {
    let at = start;
    let headLength = 0;
    for (let shift = 0, byte = 128; byte > 127; shift += 7) {
      byte = chunk[at++] ?? 0;
      headLength |= (byte & 127) << shift;
    }
    return at + headLength;
  }

  #visit(
    offset: number,
    wanted: readonly number[],
    visit: (key: Key, chunk: Buffer, start: number, end: number) => void,
  ): void {
    const place = this.#places[offset];
    if (!place) return;
    const { chunk } = place;
    const textStart = this.#textStart(place);
    let at = place.start;
    while ((chunk[at++] ?? 0) > 127);
    let start = textStart + 1;
    let missing = wanted.length;
    // Searches traverse millions of fields, so numbers are decoded in place. Most have one byte.
    while (at < textStart && missing > 0) {
      let byte = chunk[at++] ?? 0;
      let number = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = chunk[at++] ?? 0;
        number |= (byte & 127) << shift;
      }
      byte = chunk[at++] ?? 0;
      let byteLength = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = chunk[at++] ?? 0;
        byteLength |= (byte & 127) << shift;
      }
      const key = this.#keys[number];
      if (!key) return;
      start += key.byteLength;
      if (wanted.includes(number)) {
        visit(key, chunk, start, start + byteLength);
        missing -= 1;
      }
      start += byteLength + 1;
    }
  }

  #numberOf(name: string): number {
    const known = this.#keyNumbers.get(name);
    if (known !== undefined) return known;
    const text = `${JSON.stringify(name)}:`;
    this.#keyNumbers.set(name, this.#keys.length);
    const byteLength = Buffer.byteLength(text);
    return this.#keys.push({ text, asFirst: `{${text}`, asLater: `,${text}`, byteLength }) - 1;
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
