import {
  createByteDot,
  lanesPerStep,
  limitAt,
  limitCount,
  numberAt,
  numberCount,
  rowsPerGroup,
} from '../wasm/byte-dot-kernel.ts';
import { coarseLimitAt, coarseLimitBytes, coarseOffset, createCoarseDot } from '../wasm/coarse-dot-kernel.ts';
import { type WasmMemory, webAssembly } from '../wasm/web-assembly.ts';
import type { Bitmap } from './bitmap.ts';

const pageBytes = 65536;
const largestCode = 127;
const largestCoarseCode = 63;
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

/** A query as codes: query = scale × codes + error. */
export interface QuantizedQuery {
  /** The factor for a product of codes, in addition to the row's scale. */
  readonly scale: number;
  readonly norm: number;
  /** The length of the query's rounding error. */
  readonly errorNorm: number;
}

/** A query prepared for comparison with quantized rows. */
export interface PreparedQuery extends QuantizedQuery {
  /** The same with fewer bits; undefined without relaxed SIMD. */
  readonly coarse: QuantizedQuery | undefined;
}

/** Writes the codes of a query, plus an offset, and returns what they leave out. */
function quantize(
  query: Float32Array,
  scale: number,
  codes: Int16Array | Uint8Array,
  offset: number,
): Omit<QuantizedQuery, 'scale'> {
  codes.fill(offset);
  let squares = 0;
  let errorSquares = 0;
  for (let i = 0; i < query.length; i++) {
    const value = query[i] ?? 0;
    const code = Math.round(value / scale);
    codes[i] = code + offset;
    squares += value * value;
    errorSquares += (value - scale * code) ** 2;
  }
  return { norm: Math.sqrt(squares), errorNorm: Math.sqrt(errorSquares) };
}

function rowBytesOf(size: number): number {
  return Math.ceil(size / lanesPerStep) * lanesPerStep;
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
  readonly #groupBytes: number;
  readonly #memory: WasmMemory;
  readonly #dot: NonNullable<ReturnType<typeof createByteDot>>;
  readonly #coarseDot: ReturnType<typeof createCoarseDot>;
  readonly #coarseQueryAt: number;
  readonly #rowNumbersAt: number;
  readonly #resultsAt: number;
  readonly #limitsAt: number;
  readonly #coarseLimitsAt: number;
  readonly #groupsAt: number;
  readonly #queryRange: number;
  #capacity = 0;
  #views: ReturnType<QuantizedRows['viewMemory']>;

  private constructor(size: number, memory: WasmMemory, dot: NonNullable<ReturnType<typeof createByteDot>>) {
    this.#rowBytes = rowBytesOf(size);
    this.#groupBytes = (this.#rowBytes + numberCount * 4) * rowsPerGroup;
    this.#coarseQueryAt = this.#rowBytes * 2;
    this.#rowNumbersAt = this.#rowBytes * 3;
    // The coarse kernel writes one number beyond the last one, and the results follow.
    this.#resultsAt = this.#rowNumbersAt + rowsPerCall * 4;
    this.#limitsAt = this.#resultsAt + rowsPerCall * 8;
    this.#coarseLimitsAt = this.#limitsAt + (limitCount + 1) * 8;
    this.#groupsAt = this.#coarseLimitsAt + coarseLimitBytes * 2;
    // The finest scale for 16 bits that does not overflow the sum.
    this.#queryRange = Math.min(32767, Math.floor(largestSum / (largestCode * size)));
    this.#memory = memory;
    this.#dot = dot;
    this.#coarseDot = createCoarseDot(memory, this.#rowBytes);
    this.#views = this.viewMemory();
  }

  /** Creates an empty copy. Returns undefined without SIMD or memory. */
  static create(size: number): QuantizedRows | undefined {
    if (!webAssembly) return undefined;
    const fixedBytes = rowBytesOf(size) * 3 + rowsPerCall * 12 + (limitCount + 1) * 8 + coarseLimitBytes * 2;
    try {
      const memory = new webAssembly.Memory({ initial: Math.ceil(fixedBytes / pageBytes) });
      const dot = createByteDot(memory);
      return dot && new QuantizedRows(size, memory, dot);
    } catch {
      return undefined;
    }
  }

  /** Whether `selectRange` can be used. */
  get isCoarse(): boolean {
    return this.#coarseDot !== undefined;
  }

  /** Stores a row. Returns false if there is not enough memory; the copy is then unusable. */
  set(row: number, values: Float32Array): boolean {
    if (row >= this.#capacity && !this.#reserve(row + 1)) return false;
    const { codes, floats, integers } = this.#views;
    const largest = largestOf(values);
    const isApproximated = largest === 0 || (largest > smallestMagnitude && largest < largestMagnitude);
    const scale = isApproximated ? Math.fround(largest / largestCode) : 0;
    const lane = row % rowsPerGroup;
    const at = ((row - lane) / rowsPerGroup) * this.#groupBytes + lane * this.#rowBytes;
    let squares = 0;
    let errorSquares = 0;
    let sum = 0;
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? 0;
      const code = scale === 0 ? 0 : Math.max(-largestCode, Math.min(largestCode, Math.round(value / scale)));
      codes[at + i] = code;
      sum += code;
      squares += value * value;
      errorSquares += (value - scale * code) ** 2;
    }
    floats[this.#numberAt(row, numberAt.scale)] = scale;
    floats[this.#numberAt(row, numberAt.error)] = isApproximated
      ? Math.sqrt(errorSquares) * roundedUp
      : Number.POSITIVE_INFINITY;
    floats[this.#numberAt(row, numberAt.norm)] = isApproximated ? Math.sqrt(squares) * roundedUp : 0;
    integers[this.#numberAt(row, numberAt.sum)] = sum;
    return true;
  }

  /** Returns the scale of a row: row = scale × codes + error. */
  scaleOf(row: number): number {
    return this.#views.floats[this.#numberAt(row, numberAt.scale)] ?? 0;
  }

  /** Returns the length of a row's error, rounded up; infinite for rows that are not approximated. */
  errorNormOf(row: number): number {
    return this.#views.floats[this.#numberAt(row, numberAt.error)] ?? 0;
  }

  /** Returns the length of a row, rounded up. */
  normOf(row: number): number {
    return this.#views.floats[this.#numberAt(row, numberAt.norm)] ?? 0;
  }

  /**
   * Prepares a query for `products`. Returns undefined if it cannot be approximated, like a zero
   * vector.
   */
  prepare(query: Float32Array): PreparedQuery | undefined {
    const largest = largestOf(query);
    if (!(largest > smallestMagnitude && largest < largestMagnitude) || this.#queryRange === 0) return undefined;
    const { buffer } = this.#memory;
    const scale = largest / this.#queryRange;
    const fine = quantize(query, scale, new Int16Array(buffer, 0, this.#rowBytes), 0);
    const coarseScale = largest / largestCoarseCode;
    const coarse = this.#coarseDot && {
      scale: coarseScale,
      ...quantize(query, coarseScale, new Uint8Array(buffer, this.#coarseQueryAt, this.#rowBytes), coarseOffset),
    };
    return { scale, ...fine, coarse };
  }

  /** Sets the rows for `products`: a range of a list, at most `rowsPerCall`. Returns their number. */
  select(rows: Int32Array, from: number, to: number): number {
    this.#views.rowNumbers.set(rows.subarray(from, to));
    return to - from;
  }

  /**
   * Sets the rows for `products`: those of a range, at most `rowsPerCall`, that are candidates and
   * whose largest possible score by the coarse query is not below `limits.least`. `from` is a multiple
   * of `rowsPerGroup`. Returns their number.
   */
  selectRange(candidates: Bitmap, from: number, to: number, limits: ScoreLimits): number {
    const end = Math.min(to, this.#capacity);
    if (!this.#coarseDot || from >= end) return 0;
    const { rowNumbers, coarseLimits, coarseEnd } = this.#views;
    coarseLimits[coarseLimitAt.scale] = limits.scale;
    coarseLimits[coarseLimitAt.error] = limits.perError;
    coarseLimits[coarseLimitAt.norm] = limits.perNorm;
    coarseLimits[coarseLimitAt.least] = limits.least;
    this.#coarseDot(
      this.#groupsAt + (from / rowsPerGroup) * this.#groupBytes,
      this.#groupsAt + Math.ceil(end / rowsPerGroup) * this.#groupBytes,
      this.#coarseQueryAt,
      this.#rowNumbersAt,
      this.#coarseLimitsAt,
      from,
    );
    const selected = ((coarseEnd[0] ?? 0) - this.#rowNumbersAt) / 4;
    let count = 0;
    for (let i = 0; i < selected; i++) {
      const row = rowNumbers[i] ?? 0;
      if (candidates.has(row)) rowNumbers[count++] = row;
    }
    return count;
  }

  /**
   * Multiplies the prepared query's codes with those of the first selected rows. Leaves out rows whose
   * largest possible score is below `limits.least`. Returns row numbers, each followed by its product.
   * The result is valid until the next call.
   */
  products(count: number, limits: ScoreLimits): Int32Array {
    const { limits: values, results, end } = this.#views;
    if (count === 0) return results.subarray(0, 0);
    values[limitAt.scale] = limits.scale;
    values[limitAt.error] = limits.perError;
    values[limitAt.norm] = limits.perNorm;
    values[limitAt.least] = limits.least;
    this.#dot(this.#rowNumbersAt, count, 0, this.#resultsAt, this.#groupsAt, this.#rowBytes, this.#limitsAt);
    return results.subarray(0, ((end[0] ?? 0) - this.#resultsAt) / 4);
  }

  /** Returns the position of a row's number among the numbers of all groups. */
  #numberAt(row: number, position: number): number {
    const lane = row % rowsPerGroup;
    const group = ((row - lane) / rowsPerGroup) * (this.#groupBytes / 4);
    return group + this.#rowBytes + position * rowsPerGroup + lane;
  }

  #reserve(rows: number): boolean {
    const wanted = Math.max(rows, Math.ceil(this.#capacity * 1.25), 2048);
    const capacity = Math.ceil(wanted / rowsPerGroup) * rowsPerGroup;
    const missing = this.#groupsAt + (capacity / rowsPerGroup) * this.#groupBytes - this.#memory.buffer.byteLength;
    try {
      if (missing > 0) this.#memory.grow(Math.ceil(missing / pageBytes));
    } catch {
      return false;
    }
    this.#capacity = capacity;
    this.#views = this.viewMemory();
    return true;
  }

  private viewMemory() {
    const { buffer } = this.#memory;
    return {
      codes: new Int8Array(buffer, this.#groupsAt),
      floats: new Float32Array(buffer, this.#groupsAt),
      integers: new Int32Array(buffer, this.#groupsAt),
      rowNumbers: new Int32Array(buffer, this.#rowNumbersAt, rowsPerCall),
      results: new Int32Array(buffer, this.#resultsAt, rowsPerCall * 2),
      limits: new Float64Array(buffer, this.#limitsAt, limitCount - 1),
      end: new Int32Array(buffer, this.#limitsAt + (limitCount - 1) * 8, 1),
      coarseLimits: new Float32Array(buffer, this.#coarseLimitsAt, coarseLimitBytes / 4),
      coarseEnd: new Int32Array(buffer, this.#coarseLimitsAt + coarseLimitBytes, 1),
    };
  }
}
