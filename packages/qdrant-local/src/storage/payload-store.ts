import type { JsonWriter } from '../json/json-writer.ts';
import { type JsonObject, type JsonObjectDraft, setOwnValue } from '../json/types.ts';
import { PayloadFile } from './payload-file.ts';

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

/** Consecutive stored payloads. */
interface PayloadSlice {
  readonly offsets: Uint32Array;
  /** The end of each payload in `bytes`. */
  readonly ends: Uint32Array;
  readonly bytes: Uint8Array;
}

/** A slice in a file: its payloads, and the position of its bytes. */
export interface StoredSlice extends Omit<PayloadSlice, 'bytes'> {
  readonly position: number;
}

/** The payloads for a snapshot. */
export interface CapturedPayloads {
  readonly keys: string[];
  readonly slices: Iterable<PayloadSlice>;
  /** Makes a snapshot's file the place of the payloads that are unchanged. */
  moveTo(file: PayloadFile, slices: readonly StoredSlice[]): void;
  /** Called after the slices were read. */
  release(): void;
}

/** Where payloads are: in memory, or in a file. */
type Chunk = Buffer | PayloadFile;

/** The places of payloads by offset: the chunk's number (0 for none), the start in it, and the length. */
interface Places {
  readonly chunks: Uint32Array;
  readonly starts: Float64Array;
  readonly lengths: Uint32Array;
}

function growPlaces({ chunks, starts, lengths }: Places, capacity: number): Places {
  const grown = {
    chunks: new Uint32Array(capacity),
    starts: new Float64Array(capacity),
    lengths: new Uint32Array(capacity),
  };
  grown.chunks.set(chunks);
  grown.starts.set(starts);
  grown.lengths.set(lengths);
  return grown;
}

function bytesAt(chunk: Chunk | undefined, start: number, length: number): Buffer {
  if (chunk === undefined) throw new Error('The payloads are closed.');
  return chunk instanceof PayloadFile ? chunk.read(start, length) : chunk.subarray(start, start + length);
}

function* slicesOf({ chunks, starts, lengths }: Places, chunkOf: ReadonlyMap<number, Chunk>): Generator<PayloadSlice> {
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
  for (const [offset, number] of chunks.entries()) {
    if (number === 0) continue;
    const length = lengths[offset] ?? 0;
    const chunk = chunkOf.get(number);
    const bytes = bytesAt(chunk, starts[offset] ?? 0, length);
    end += length;
    offsets.push(offset);
    ends.push(end);
    // A file reads into the same memory again.
    parts.push(chunk instanceof PayloadFile ? Buffer.from(bytes) : bytes);
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
 * Payloads by point offset as JSON text, with the offsets of their fields; responses copy the text.
 * New payloads are in memory. Those that a snapshot contains are read from its file when they are
 * needed.
 */
export class PayloadStore {
  #places: Places = { chunks: new Uint32Array(0), starts: new Float64Array(0), lengths: new Uint32Array(0) };
  readonly #chunks = new Map<number, Chunk>();
  // The number of payloads in each chunk.
  readonly #useCounts = new Map<number, number>();
  #lastNumber = 0;
  readonly #keys: Key[] = [];
  readonly #keyNumbers = new Map<string, number>();
  // The chunk that is filled.
  #current = 0;
  #used = 0;
  // Bytes in memory of current payloads, and of changed and deleted ones.
  #liveBytes = 0;
  #deadBytes = 0;

  has(offset: number): boolean {
    return (this.#places.chunks[offset] ?? 0) !== 0;
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
    const bytes = this.#append(offset, head.length + Buffer.byteLength(text) + 2);
    bytes.set(head);
    bytes.write(`{${text}}`, head.length);
  }

  delete(offset: number): void {
    const { chunks, lengths } = this.#places;
    const number = chunks[offset] ?? 0;
    if (number === 0) return;
    chunks[offset] = 0;
    const isInMemory = !(this.#chunks.get(number) instanceof PayloadFile);
    this.#release(number);
    if (!isInMemory) return;
    const length = lengths[offset] ?? 0;
    this.#liveBytes -= length;
    this.#deadBytes += length;
    if (this.#deadBytes > Math.max(minDeadBytes, this.#liveBytes)) this.#compact();
  }

  /** Returns the current payloads for a snapshot. They are copied while they are iterated. */
  capture(): CapturedPayloads {
    const { chunks, starts, lengths } = this.#places;
    const places = { chunks: chunks.slice(), starts: starts.slice(), lengths: lengths.slice() };
    const chunkOf = new Map(this.#chunks);
    // Files stay open until they were read.
    const held = [...chunkOf.keys()].filter((number) => chunkOf.get(number) instanceof PayloadFile);
    for (const number of held) this.#useCounts.set(number, (this.#useCounts.get(number) ?? 0) + 1);
    // A payload that was changed in the meantime has another place.
    const isUnchanged = (offset: number): boolean =>
      places.chunks[offset] !== 0 &&
      this.#places.chunks[offset] === places.chunks[offset] &&
      this.#places.starts[offset] === places.starts[offset];
    return {
      keys: [...this.#keyNumbers.keys()],
      slices: { [Symbol.iterator]: () => slicesOf(places, chunkOf) },
      moveTo: (file, stored) => this.#move(file, stored, isUnchanged),
      release: () => {
        for (const number of held.splice(0)) this.#release(number);
      },
    };
  }

  /** Sets the keys of an empty store to captured ones. */
  restoreKeys(keys: readonly string[]): void {
    for (const key of keys) this.#numberOf(key);
  }

  /** Adds captured payloads that are in a file. */
  restore(file: PayloadFile, slice: StoredSlice): void {
    this.#move(file, [slice], () => true);
  }

  /** Closes the files. */
  close(): void {
    for (const chunk of new Set(this.#chunks.values())) if (chunk instanceof PayloadFile) chunk.close();
    this.#chunks.clear();
  }

  /** Returns the payload as JSON text; `{}` if there is none. */
  text(offset: number): string {
    if (!this.has(offset)) return '{}';
    const bytes = this.#bytesOf(offset);
    return bytes.toString('utf8', textStart(bytes));
  }

  /** Writes the complete payload. */
  write(offset: number, to: JsonWriter): void {
    if (!this.has(offset)) {
      to.text('{}');
      return;
    }
    const bytes = this.#bytesOf(offset);
    to.copy(bytes, textStart(bytes), bytes.length);
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

  #visit(
    offset: number,
    wanted: readonly number[],
    visit: (key: Key, chunk: Buffer, start: number, end: number) => void,
  ): void {
    if (!this.has(offset)) return;
    const chunk = this.#bytesOf(offset);
    const fieldsEnd = textStart(chunk);
    let at = 0;
    while ((chunk[at++] ?? 0) > 127);
    let start = fieldsEnd + 1;
    let missing = wanted.length;
    // Searches traverse millions of fields, so numbers are decoded in place. Most have one byte.
    while (at < fieldsEnd && missing > 0) {
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

  #bytesOf(offset: number): Buffer {
    const { chunks, starts, lengths } = this.#places;
    return bytesAt(this.#chunks.get(chunks[offset] ?? 0), starts[offset] ?? 0, lengths[offset] ?? 0);
  }

  /** Reserves memory for a payload that has no place, and returns it. */
  #append(offset: number, length: number): Buffer {
    const isLarge = length > chunkBytes / 4;
    if (!isLarge && (this.#current === 0 || this.#used + length > chunkBytes)) {
      const before = this.#current;
      this.#current = this.#add(Buffer.allocUnsafeSlow(chunkBytes));
      this.#used = 0;
      if (before !== 0) this.#release(before);
      // Keeps the chunk while it is filled.
      this.#useCounts.set(this.#current, 1);
    }
    const number = isLarge ? this.#add(Buffer.allocUnsafeSlow(length)) : this.#current;
    const start = isLarge ? 0 : this.#used;
    if (!isLarge) this.#used += length;
    this.#place(offset, number, start, length);
    this.#liveBytes += length;
    return bytesAt(this.#chunks.get(number), start, length);
  }

  #add(chunk: Chunk): number {
    this.#lastNumber += 1;
    this.#chunks.set(this.#lastNumber, chunk);
    this.#useCounts.set(this.#lastNumber, 0);
    return this.#lastNumber;
  }

  #place(offset: number, number: number, start: number, length: number): void {
    if (offset >= this.#places.chunks.length)
      this.#places = growPlaces(this.#places, Math.max(64, offset + 1, Math.ceil(this.#places.chunks.length * 1.5)));
    const { chunks, starts, lengths } = this.#places;
    chunks[offset] = number;
    starts[offset] = start;
    lengths[offset] = length;
    this.#useCounts.set(number, (this.#useCounts.get(number) ?? 0) + 1);
  }

  /** Drops a chunk after its last payload. */
  #release(number: number): void {
    const count = (this.#useCounts.get(number) ?? 0) - 1;
    this.#useCounts.set(number, count);
    if (count > 0) return;
    const chunk = this.#chunks.get(number);
    this.#chunks.delete(number);
    this.#useCounts.delete(number);
    if (chunk instanceof PayloadFile) chunk.close();
  }

  #move(file: PayloadFile, slices: readonly StoredSlice[], isUnchanged: (offset: number) => boolean): void {
    const known = [...this.#chunks].find(([, chunk]) => chunk === file)?.[0];
    const number = known ?? this.#add(file);
    // Keeps the file open until all are moved.
    this.#useCounts.set(number, (this.#useCounts.get(number) ?? 0) + 1);
    for (const { offsets, ends, position } of slices) {
      let start = 0;
      for (const [i, offset] of offsets.entries()) {
        const length = (ends[i] ?? 0) - start;
        if (isUnchanged(offset)) this.#moveOne(offset, number, position + start, length);
        start += length;
      }
    }
    this.#release(number);
  }

  #moveOne(offset: number, number: number, start: number, length: number): void {
    const before = this.#places.chunks[offset] ?? 0;
    this.#place(offset, number, start, length);
    if (before === 0) return;
    if (!(this.#chunks.get(before) instanceof PayloadFile)) this.#liveBytes -= length;
    this.#release(before);
  }

  /** Copies the payloads in memory to new chunks. */
  #compact(): void {
    const { chunks, starts, lengths } = this.#places;
    const before = new Map([...this.#chunks].filter(([, chunk]) => !(chunk instanceof PayloadFile)));
    if (this.#current !== 0) this.#release(this.#current);
    this.#current = 0;
    this.#used = 0;
    this.#deadBytes = 0;
    this.#liveBytes = 0;
    for (let offset = 0; offset < chunks.length; offset++) {
      const number = chunks[offset] ?? 0;
      const chunk = before.get(number);
      if (!chunk) continue;
      const length = lengths[offset] ?? 0;
      const bytes = bytesAt(chunk, starts[offset] ?? 0, length);
      this.#append(offset, length).set(bytes);
      this.#release(number);
    }
  }
}

/** Returns the position of the JSON text in a stored payload. */
function textStart(bytes: Buffer): number {
  let at = 0;
  let headLength = 0;
  for (let shift = 0, byte = 128; byte > 127; shift += 7) {
    byte = bytes[at++] ?? 0;
    headLength |= (byte & 127) << shift;
  }
  return at + headLength;
}
