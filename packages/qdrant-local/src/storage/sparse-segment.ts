import type { SparseVector } from '../model/vectors.ts';
import { type AllocatedPostings, allocatePostings, type Postings, type PostingsKernel } from './postings-memory.ts';

/** The data of a `SparseSegment`. Snapshots store it unchanged. */
export interface SegmentColumns extends Postings {
  /** The dimensions that occur, ascending. */
  readonly dimensions: Uint32Array;
  /** The start of each dimension's entries, which have ascending slots, then the end of the last ones. */
  readonly starts: Uint32Array;
  /** The point of each slot; −1 if deleted. */
  readonly offsets: Int32Array;
}

// Lists with at least this share of the slots are searched for a slot, the others are listed by
// slot: most entries are in a few long lists, so this takes little memory.
const slotsPerLongEntry = 16;

// How long the ordinals by slot are kept after their last use. Building them again takes a few tenths of a
// second for 50,000 passages.
const keepForwardMs = 60_000;

function isLong(entryCount: number, slotCount: number): boolean {
  return entryCount * slotsPerLongEntry >= slotCount;
}

/**
 * The ordinals of each slot's dimensions with short lists, ascending, as differences with seven
 * bits per byte, low bits first. Also the ordinals of the long lists.
 */
interface Forward {
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
  readonly long: Uint32Array;
}

function buildForward({ starts, slots, offsets }: SegmentColumns): Forward {
  const last = new Int32Array(offsets.length);
  const ends = new Uint32Array(offsets.length + 1);
  const long: number[] = [];
  for (let ordinal = 0; ordinal + 1 < starts.length; ordinal++) {
    const start = starts[ordinal] ?? 0;
    const end = starts[ordinal + 1] ?? 0;
    if (isLong(end - start, offsets.length)) {
      long.push(ordinal);
      continue;
    }
    for (let i = start; i < end; i++) {
      const slot = slots[i] ?? 0;
      const difference = ordinal - (last[slot] ?? 0);
      ends[slot + 1] =
        (ends[slot + 1] ?? 0) + (difference < 128 ? 1 : difference < 16384 ? 2 : difference < 2097152 ? 3 : 4);
      last[slot] = ordinal;
    }
  }
  for (let slot = 0; slot < offsets.length; slot++) ends[slot + 1] = (ends[slot + 1] ?? 0) + (ends[slot] ?? 0);
  const bytes = new Uint8Array(ends[offsets.length] ?? 0);
  const at = ends.slice();
  last.fill(0);
  for (let ordinal = 0; ordinal + 1 < starts.length; ordinal++) {
    const start = starts[ordinal] ?? 0;
    const end = starts[ordinal + 1] ?? 0;
    if (isLong(end - start, offsets.length)) continue;
    for (let i = start; i < end; i++) {
      const slot = slots[i] ?? 0;
      let difference = ordinal - (last[slot] ?? 0);
      let position = at[slot] ?? 0;
      for (; difference > 127; difference >>= 7) bytes[position++] = (difference & 127) | 128;
      bytes[position++] = difference;
      at[slot] = position;
      last[slot] = ordinal;
    }
  }
  return { starts: ends, bytes, long: Uint32Array.from(long) };
}

const dimensionsPerBucket = 8;

function buildBuckets(dimensions: Uint32Array, shift: number): Uint32Array {
  const buckets = new Uint32Array((0xffffffff >>> shift) + 2);
  let ordinal = 0;
  for (let bucket = 0; bucket + 1 < buckets.length; bucket++) {
    buckets[bucket] = ordinal;
    while (ordinal < dimensions.length && (dimensions[ordinal] ?? 0) >>> shift === bucket) ordinal += 1;
  }
  buckets[buckets.length - 1] = ordinal;
  return buckets;
}

function countDeadEntries({ starts, slots, offsets }: SegmentColumns): Uint16Array {
  const counts = new Uint16Array(starts.length - 1);
  for (let ordinal = 0; ordinal < counts.length; ordinal++)
    for (let i = starts[ordinal] ?? 0; i < (starts[ordinal + 1] ?? 0); i++)
      if ((offsets[slots[i] ?? 0] ?? -1) < 0) counts[ordinal] = (counts[ordinal] ?? 0) + 1;
  return counts;
}

/**
 * Posting lists of up to 65,536 vectors, built once: all entries in a few arrays, by dimension. The
 * only later change is to mark vectors as deleted. A dimension's ordinal is its position among the
 * segment's dimensions.
 */
export class SparseSegment {
  readonly columns: SegmentColumns;
  // The first ordinals of dimensions by their high bits, because hashes are distributed evenly: finding
  // a dimension reads memory in two places.
  readonly #buckets: Uint32Array;
  readonly #bucketShift: number;
  // Only deletions and responses with vectors need it.
  #forward: Forward | undefined;
  #forwardUsedMs = 0;
  readonly #leastValue: number;
  // The numbers of entries of deleted vectors by ordinal, created with the first deletion.
  #deadEntries: Uint16Array | undefined;
  #liveSlots = 0;

  /** Undefined for small segments. */
  readonly kernel: PostingsKernel | undefined;

  /** The entries were written to `postings`. */
  constructor(
    { dimensions, starts, offsets }: Omit<SegmentColumns, keyof Postings>,
    { kernel, slots, values, table }: AllocatedPostings,
  ) {
    const columns = { dimensions, starts, offsets, slots, values, table };
    this.columns = columns;
    this.kernel = kernel;
    this.#bucketShift = Math.min(31, 32 - Math.ceil(Math.log2(Math.max(2, dimensions.length / dimensionsPerBucket))));
    this.#buckets = buildBuckets(dimensions, this.#bucketShift);
    for (const offset of columns.offsets) if (offset >= 0) this.#liveSlots += 1;
    if (this.#liveSlots < columns.offsets.length) this.#deadEntries = countDeadEntries(columns);
    let least = Number.POSITIVE_INFINITY;
    for (const value of columns.table ?? columns.values) least = Math.min(least, value);
    this.#leastValue = least;
  }

  /** Creates a segment with a copy of a snapshot's entries. */
  static restore(columns: SegmentColumns): SparseSegment {
    const postings = allocatePostings(columns.offsets.length, columns.slots.length, columns.table);
    postings.slots.set(columns.slots);
    postings.values.set(columns.values);
    // The snapshot's buffer contains the entries too, so nothing refers to it.
    const { dimensions, starts, offsets } = columns;
    return new SparseSegment(
      { dimensions: dimensions.slice(), starts: starts.slice(), offsets: offsets.slice() },
      postings,
    );
  }

  /** The number of vectors, including deleted ones. */
  get slotCount(): number {
    return this.columns.offsets.length;
  }

  get liveSlots(): number {
    return this.#liveSlots;
  }

  /** The smallest value. */
  get leastValue(): number {
    return this.#leastValue;
  }

  /** Returns the ordinal of a dimension; −1 if no vector has it. */
  ordinalOf(dimension: number): number {
    const { dimensions } = this.columns;
    const bucket = dimension >>> this.#bucketShift;
    let low = this.#buckets[bucket] ?? 0;
    let high = (this.#buckets[bucket + 1] ?? 0) - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = dimensions[middle] ?? 0;
      if (found === dimension) return middle;
      if (found < dimension) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Returns the number of a dimension's entries, including those of deleted vectors. */
  entryCount(ordinal: number): number {
    return (this.columns.starts[ordinal + 1] ?? 0) - (this.columns.starts[ordinal] ?? 0);
  }

  /** Returns the number of vectors that have the dimension and are not deleted. */
  frequency(ordinal: number): number {
    return this.entryCount(ordinal) - (this.#deadEntries?.[ordinal] ?? 0);
  }

  /** Returns a slot's value in a dimension; undefined if it has none. */
  valueAt(ordinal: number, slot: number): number | undefined {
    const { values, table } = this.columns;
    const position = this.#positionOf(ordinal, slot);
    if (position < 0) return undefined;
    return table ? table[values[position] ?? 0] : values[position];
  }

  // The position of a slot's entry in a list; −1 if it has none.
  #positionOf(ordinal: number, slot: number): number {
    const { starts, slots } = this.columns;
    let low = starts[ordinal] ?? 0;
    let high = (starts[ordinal + 1] ?? 0) - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = slots[middle] ?? 0;
      if (found === slot) return middle;
      if (found < slot) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Reassembles the vector of a slot. */
  vectorAt(slot: number): SparseVector {
    const ordinals = this.#ordinalsAt(slot);
    return {
      indices: Uint32Array.from(ordinals, (ordinal) => this.columns.dimensions[ordinal] ?? 0),
      values: Float32Array.from(ordinals, (ordinal) => this.valueAt(ordinal, slot) ?? 0),
    };
  }

  /** Marks a slot's vector as deleted. */
  delete(slot: number): void {
    this.#deadEntries ??= new Uint16Array(this.columns.dimensions.length);
    for (const ordinal of this.#ordinalsAt(slot)) this.#deadEntries[ordinal] = (this.#deadEntries[ordinal] ?? 0) + 1;
    this.columns.offsets[slot] = -1;
    this.#liveSlots -= 1;
  }

  /** True if the ordinals by slot are in memory. */
  get hasForward(): boolean {
    return this.#forward !== undefined;
  }

  /** Frees the ordinals by slot a minute after their last use. Called before each search. */
  freeUnusedForward(): void {
    if (this.#forward && performance.now() - this.#forwardUsedMs >= keepForwardMs) this.#forward = undefined;
  }

  #ordinalsAt(slot: number): Uint32Array {
    this.#forward ??= buildForward(this.columns);
    this.#forwardUsedMs = performance.now();
    const { starts, bytes, long } = this.#forward;
    const ordinals: number[] = [];
    let ordinal = 0;
    let difference = 0;
    let shift = 0;
    for (let at = starts[slot] ?? 0; at < (starts[slot + 1] ?? 0); at++) {
      const byte = bytes[at] ?? 0;
      difference |= (byte & 127) << shift;
      shift += 7;
      if (byte > 127) continue;
      ordinal += difference;
      ordinals.push(ordinal);
      difference = 0;
      shift = 0;
    }
    for (const ordinal of long) if (this.#positionOf(ordinal, slot) >= 0) ordinals.push(ordinal);
    return Uint32Array.from(ordinals).sort();
  }
}
