import type { SparseVector } from '../model/vectors.ts';

/** What a segment is made of; see `SparseSegment`. */
export interface SegmentColumns {
  /** The dimensions that occur, ascending. */
  readonly dimensions: Uint32Array;
  /** Where each dimension's entries start, and one more: where the last ones end. */
  readonly starts: Uint32Array;
  /** The slot of each entry, ascending within a dimension. */
  readonly slots: Uint16Array;
  /** The value of each entry, or its place in `table` where there is one. */
  readonly values: Float32Array | Uint16Array;
  /** The distinct values, where they are few enough: two bytes an entry instead of four. */
  readonly table: Float32Array | undefined;
  /** The point of each slot, −1 for one that was deleted. */
  readonly offsets: Int32Array;
}

/** For each slot the ordinals of its dimensions, ascending, as differences of seven bits a byte, low bits first. */
interface Forward {
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
}

function buildForward({ starts, slots, offsets }: SegmentColumns): Forward {
  const last = new Int32Array(offsets.length);
  const ends = new Uint32Array(offsets.length + 1);
  for (let ordinal = 0; ordinal + 1 < starts.length; ordinal++)
    for (let i = starts[ordinal] ?? 0; i < (starts[ordinal + 1] ?? 0); i++) {
      const slot = slots[i] ?? 0;
      const difference = ordinal - (last[slot] ?? 0);
      ends[slot + 1] =
        (ends[slot + 1] ?? 0) + (difference < 128 ? 1 : difference < 16384 ? 2 : difference < 2097152 ? 3 : 4);
      last[slot] = ordinal;
    }
  for (let slot = 0; slot < offsets.length; slot++) ends[slot + 1] = (ends[slot + 1] ?? 0) + (ends[slot] ?? 0);
  const bytes = new Uint8Array(ends[offsets.length] ?? 0);
  const at = ends.slice();
  last.fill(0);
  for (let ordinal = 0; ordinal + 1 < starts.length; ordinal++)
    for (let i = starts[ordinal] ?? 0; i < (starts[ordinal + 1] ?? 0); i++) {
      const slot = slots[i] ?? 0;
      let difference = ordinal - (last[slot] ?? 0);
      let position = at[slot] ?? 0;
      for (; difference > 127; difference >>= 7) bytes[position++] = (difference & 127) | 128;
      bytes[position++] = difference;
      at[slot] = position;
      last[slot] = ordinal;
    }
  return { starts: ends, bytes };
}

/**
 * Posting lists of up to 65,536 vectors, built once: all entries in a few arrays, dimension by dimension. Vectors are
 * only ever marked as deleted. A dimension is known by its ordinal, its place among the segment's dimensions.
 */
export class SparseSegment {
  readonly columns: SegmentColumns;
  readonly #forward: Forward;
  readonly #leastValue: number;
  // Entries of deleted vectors by ordinal; made when the first is deleted.
  #deadEntries: Uint16Array | undefined;
  #liveSlots: number;

  constructor(columns: SegmentColumns) {
    this.columns = columns;
    this.#forward = buildForward(columns);
    this.#liveSlots = columns.offsets.length;
    let least = Number.POSITIVE_INFINITY;
    for (const value of columns.table ?? columns.values) least = Math.min(least, value);
    this.#leastValue = least;
  }

  /** How many vectors there are, deleted ones included. */
  get slotCount(): number {
    return this.columns.offsets.length;
  }

  get liveSlots(): number {
    return this.#liveSlots;
  }

  /** The smallest value of all. */
  get leastValue(): number {
    return this.#leastValue;
  }

  /** The ordinal of a dimension, −1 where no vector has it. */
  ordinalOf(dimension: number): number {
    const { dimensions } = this.columns;
    let low = 0;
    let high = dimensions.length - 1;
    // Hashed dimensions lie evenly, so a few guesses by proportion come close; then halves, as for any ascending list.
    for (let guesses = 3; low <= high; guesses--) {
      const first = dimensions[low] ?? 0;
      const last = dimensions[high] ?? 0;
      if (dimension < first || dimension > last) return -1;
      const share = guesses > 0 && last > first ? (dimension - first) / (last - first) : 0.5;
      const at = low + Math.floor((high - low) * share);
      const found = dimensions[at] ?? 0;
      if (found === dimension) return at;
      if (found < dimension) low = at + 1;
      else high = at - 1;
    }
    return -1;
  }

  /** How many entries a dimension has, those of deleted vectors included. */
  entryCount(ordinal: number): number {
    return (this.columns.starts[ordinal + 1] ?? 0) - (this.columns.starts[ordinal] ?? 0);
  }

  /** How many vectors that are not deleted have the dimension. */
  frequency(ordinal: number): number {
    return this.entryCount(ordinal) - (this.#deadEntries?.[ordinal] ?? 0);
  }

  /** A slot's value in a dimension; undefined where it has none. */
  valueAt(ordinal: number, slot: number): number | undefined {
    const { starts, slots, values, table } = this.columns;
    let low = starts[ordinal] ?? 0;
    let high = (starts[ordinal + 1] ?? 0) - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = slots[middle] ?? 0;
      if (found === slot) return table ? table[values[middle] ?? 0] : values[middle];
      if (found < slot) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  /** The vector of a slot, put together again. */
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

  #ordinalsAt(slot: number): number[] {
    const { starts, bytes } = this.#forward;
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
    return ordinals;
  }
}
