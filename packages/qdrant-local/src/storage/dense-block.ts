import type { Distance } from '../model/vectors.ts';
import { Bitmap } from './bitmap.ts';
import { QuantizedRows } from './quantized-rows.ts';

const rowBits = 10;

/** The number of vectors per segment. */
export const rowsPerSegment = 1 << rowBits;

/** A segment of a snapshot. */
export interface DenseSegment {
  /** The offsets that have a vector. */
  readonly rows: Uint32Array;
  /** The rows up to the last one. */
  readonly values: Float32Array;
}

/**
 * All dense vectors of one name, in segments that never move. The vector of offset `i` is in
 * segment `i / rowsPerSegment` at `(i mod rowsPerSegment) × size`. Large blocks also have a
 * quantized copy for scans.
 */
export class DenseBlock {
  readonly size: number;
  readonly distance: Distance;
  readonly #present = new Bitmap();
  readonly #segments: Float32Array[] = [];
  #quantized: QuantizedRows | undefined;
  #canQuantize: boolean;

  constructor(size: number, distance: Distance) {
    this.size = size;
    this.distance = distance;
    // Dot products provide no bounds for Manhattan distances.
    this.#canQuantize = distance !== 'Manhattan';
  }

  get segments(): readonly Float32Array[] {
    return this.#segments;
  }

  /** The capacity: one more than the largest possible offset. */
  get capacity(): number {
    return this.#segments.length * rowsPerSegment;
  }

  /** The offsets that have this vector. */
  get present(): Bitmap {
    return this.#present;
  }

  /** The rows with one byte per value; undefined for few rows, for Manhattan, and without SIMD. */
  get quantized(): QuantizedRows | undefined {
    return this.#quantized;
  }

  /** Stores a vector that is preprocessed for the distance. */
  set(offset: number, values: Float32Array): void {
    while (offset >= this.capacity) this.#segments.push(new Float32Array(rowsPerSegment * this.size));
    this.#row(offset)?.set(values);
    this.#add(offset, values);
  }

  #add(offset: number, values: Float32Array): void {
    this.#present.add(offset);
    if (this.#canQuantize && offset >= rowsPerSegment) this.#quantize(offset, values);
    else if (this.#quantized?.set(offset, values) === false) this.#giveUpQuantizing();
  }

  /**
   * Returns the segments with the rows that exist now. A row is copied when its segment is written,
   * possibly with a later value, which the log then contains too.
   */
  capture(): DenseSegment[] {
    const present = Uint32Array.from(this.#present.toArray());
    let start = 0;
    return this.#segments.map((values, segment) => {
      let end = start;
      while (end < present.length && (present[end] ?? 0) >> rowBits === segment) end += 1;
      const rows = present.subarray(start, end);
      start = end;
      const rowCount = rows.length === 0 ? 0 : ((rows.at(-1) ?? 0) & (rowsPerSegment - 1)) + 1;
      return { rows, values: values.subarray(0, rowCount * this.size) };
    });
  }

  /** Adds a captured segment. Segments are restored in order. */
  restore({ rows, values }: DenseSegment): void {
    const whole = values.length === rowsPerSegment * this.size ? values : new Float32Array(rowsPerSegment * this.size);
    if (whole !== values) whole.set(values);
    this.#segments.push(whole);
    for (const offset of rows) this.#add(offset, this.#row(offset) ?? whole);
  }

  delete(offset: number): void {
    this.#present.delete(offset);
  }

  /** Returns a view of the vector (valid until the offset's next `set`), or undefined. */
  get(offset: number): Float32Array | undefined {
    return this.#present.has(offset) ? this.#row(offset) : undefined;
  }

  #row(offset: number): Float32Array | undefined {
    const start = (offset & (rowsPerSegment - 1)) * this.size;
    return this.#segments[offset >> rowBits]?.subarray(start, start + this.size);
  }

  // The first row beyond the first segment causes all earlier rows to be quantized too.
  #quantize(offset: number, values: Float32Array): void {
    if (!this.#quantized) {
      this.#quantized = QuantizedRows.create(this.size);
      this.#present.forEach((earlier) => {
        const row = this.#row(earlier);
        if (row && this.#quantized?.set(earlier, row) === false) this.#giveUpQuantizing();
      });
      if (!this.#quantized) this.#canQuantize = false;
    } else if (!this.#quantized.set(offset, values)) this.#giveUpQuantizing();
  }

  #giveUpQuantizing(): void {
    this.#canQuantize = false;
    this.#quantized = undefined;
  }
}
