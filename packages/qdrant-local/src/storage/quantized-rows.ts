import {
  createKernelMemory,
  type KernelMemory,
  lanesPerStep,
  limitAt,
  limitCount,
  rowTailBytes,
} from '../wasm/byte-dot-kernel.ts';

const pageBytes = 65536;
const largestCode = 127;
const largestSum = 2 ** 31 - 1;
// Rows with a larger value are not approximated: scales and bounds would exceed the range of 32-bit
// floats.
const smallestMagnitude = 1e-18;
const largestMagnitude = 1e15;
// The relative error of a 32-bit float, rounded up.
const roundedUp = 1 + 1e-6;

/** The maximum number of rows per kernel call. */
export const rowsPerCall = 4096;

/** The largest possible score of a row is `product × its scale × scale + its error × perError + its norm × perNorm`. */
export interface ScoreLimits {
  readonly scale: number;
  readonly perError: number;
  readonly perNorm: number;
  /** Rows with a smaller largest possible score are left out. */
  readonly least: number;
}

/** A query prepared for comparison with quantized rows. */
export interface QuantizedQuery {
  /** The factor for a product of codes, in addition to the row's scale. */
  readonly scale: number;
  readonly norm: number;
  /** The length of the query's rounding error. */
  readonly errorNorm: number;
}

function largestOf(values: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i] ?? 0));
  return largest;
}

/**
 * A copy of dense rows with one byte per value and a scale per row, in the memory of a WebAssembly
 * kernel. Returns dot products with a query, with a known error bound for each row. It is four
 * times faster than reading the floats from memory.
 */
export class QuantizedRows {
  readonly #rowBytes: number;
  readonly #stride: number;
  readonly #kernel: KernelMemory;
  readonly #rowNumbersAt: number;
  readonly #resultsAt: number;
  readonly #limitsAt: number;
  readonly #codesAt: number;
  readonly #queryRange: number;
  #capacity = 0;
  #codes: Int8Array;
  // The scale, error norm and norm of each row are at its end.
  #floats: Float32Array;
  #rowNumbers: Int32Array;
  #results: Int32Array;
  #limits: Float64Array;
  #end: Int32Array;

  private constructor(size: number, kernel: KernelMemory) {
    this.#rowBytes = Math.ceil(size / lanesPerStep) * lanesPerStep;
    this.#stride = this.#rowBytes + rowTailBytes;
    this.#rowNumbersAt = this.#rowBytes * 2;
    this.#resultsAt = this.#rowNumbersAt + rowsPerCall * 4;
    this.#limitsAt = this.#resultsAt + rowsPerCall * 8;
    this.#codesAt = this.#limitsAt + limitCount * 8 + 8;
    // The finest scale for 16 bits that does not overflow the sum.
    this.#queryRange = Math.min(32767, Math.floor(largestSum / (largestCode * size)));
    this.#kernel = kernel;
    [this.#codes, this.#floats, this.#rowNumbers, this.#results, this.#limits, this.#end] = this.#viewMemory();
  }

  /** Creates an empty copy. Returns undefined without SIMD or memory. */
  static create(size: number): QuantizedRows | undefined {
    const fixedBytes = Math.ceil(size / lanesPerStep) * lanesPerStep * 2 + rowsPerCall * 12 + limitCount * 8 + 8;
    const kernel = createKernelMemory(Math.ceil(fixedBytes / pageBytes));
    return kernel && new QuantizedRows(size, kernel);
  }

  /** Stores a row. Returns false if there is not enough memory; the copy is then unusable. */
  set(row: number, values: Float32Array): boolean {
    if (row >= this.#capacity && !this.#reserve(row + 1)) return false;
    const largest = largestOf(values);
    const isApproximated = largest === 0 || (largest > smallestMagnitude && largest < largestMagnitude);
    const scale = isApproximated ? Math.fround(largest / largestCode) : 0;
    const at = row * this.#stride;
    let squares = 0;
    let errorSquares = 0;
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? 0;
      const code = scale === 0 ? 0 : Math.max(-largestCode, Math.min(largestCode, Math.round(value / scale)));
      this.#codes[at + i] = code;
      squares += value * value;
      errorSquares += (value - scale * code) ** 2;
    }
    const floatsAt = this.#floatsAt(row);
    this.#floats[floatsAt] = scale;
    this.#floats[floatsAt + 1] = isApproximated ? Math.sqrt(errorSquares) * roundedUp : Number.POSITIVE_INFINITY;
    this.#floats[floatsAt + 2] = isApproximated ? Math.sqrt(squares) * roundedUp : 0;
    return true;
  }

  /** Returns the scale of a row: row = scale × codes + error. */
  scaleOf(row: number): number {
    return this.#floats[this.#floatsAt(row)] ?? 0;
  }

  /** Returns the length of a row's error, rounded up; infinite for rows that are not approximated. */
  errorNormOf(row: number): number {
    return this.#floats[this.#floatsAt(row) + 1] ?? 0;
  }

  /** Returns the length of a row, rounded up. */
  normOf(row: number): number {
    return this.#floats[this.#floatsAt(row) + 2] ?? 0;
  }

  /**
   * Prepares a query for `products`. Returns undefined if it cannot be approximated, like a zero
   * vector.
   */
  prepare(query: Float32Array): QuantizedQuery | undefined {
    const largest = largestOf(query);
    if (!(largest > smallestMagnitude && largest < largestMagnitude) || this.#queryRange === 0) return undefined;
    const scale = largest / this.#queryRange;
    const codes = new Int16Array(this.#kernel.memory.buffer, 0, this.#rowBytes).fill(0);
    let squares = 0;
    let errorSquares = 0;
    for (let i = 0; i < query.length; i++) {
      const value = query[i] ?? 0;
      const code = Math.round(value / scale);
      codes[i] = code;
      squares += value * value;
      errorSquares += (value - scale * code) ** 2;
    }
    return { scale, norm: Math.sqrt(squares), errorNorm: Math.sqrt(errorSquares) };
  }

  /**
   * Multiplies the prepared query's codes with those of a range of rows in a list, at most
   * `rowsPerCall`. Leaves out rows whose largest possible score is below `limits.least`. Returns row
   * numbers, each followed by its product. The result is valid until the next call.
   */
  products(rows: Int32Array, from: number, to: number, limits: ScoreLimits): Int32Array {
    this.#rowNumbers.set(rows.subarray(from, to));
    this.#limits[limitAt.scale] = limits.scale;
    this.#limits[limitAt.error] = limits.perError;
    this.#limits[limitAt.norm] = limits.perNorm;
    this.#limits[limitAt.least] = limits.least;
    this.#kernel.dot(this.#rowNumbersAt, to - from, 0, this.#resultsAt, this.#codesAt, this.#rowBytes, this.#limitsAt);
    return this.#results.subarray(0, ((this.#end[0] ?? 0) - this.#resultsAt) / 4);
  }

  #floatsAt(row: number): number {
    return (row * this.#stride + this.#rowBytes) / 4;
  }

  #reserve(rows: number): boolean {
    const { memory } = this.#kernel;
    const capacity = Math.max(rows, Math.ceil(this.#capacity * 1.25), 2048);
    const missing = this.#codesAt + capacity * this.#stride - memory.buffer.byteLength;
    try {
      if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
    } catch {
      return false;
    }
    this.#capacity = capacity;
    [this.#codes, this.#floats, this.#rowNumbers, this.#results, this.#limits, this.#end] = this.#viewMemory();
    return true;
  }

  #viewMemory(): [
    codes: Int8Array,
    floats: Float32Array,
    rowNumbers: Int32Array,
    results: Int32Array,
    limits: Float64Array,
    end: Int32Array,
  ] {
    const { buffer } = this.#kernel.memory;
    return [
      new Int8Array(buffer, this.#codesAt),
      new Float32Array(buffer, this.#codesAt),
      new Int32Array(buffer, this.#rowNumbersAt, rowsPerCall),
      new Int32Array(buffer, this.#resultsAt, rowsPerCall * 2),
      new Float64Array(buffer, this.#limitsAt, limitCount - 1),
      new Int32Array(buffer, this.#limitsAt + (limitCount - 1) * 8, 1),
    ];
  }
}
