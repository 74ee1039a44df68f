import type { Distance } from '../model/vectors.ts';
import { Bitmap } from './bitmap.ts';

/** All dense vectors of one name in one contiguous block: the vector of offset `i` starts at `i × size`. */
export class DenseBlock {
  readonly size: number;
  readonly distance: Distance;
  readonly #present = new Bitmap();
  #data: Float32Array;

  constructor(size: number, distance: Distance) {
    this.size = size;
    this.distance = distance;
    this.#data = new Float32Array(0);
  }

  get data(): Float32Array {
    return this.#data;
  }

  /** The offsets that have this vector. */
  get present(): Bitmap {
    return this.#present;
  }

  /** Stores a vector that was preprocessed for the distance. */
  set(offset: number, values: Float32Array): void {
    const end = (offset + 1) * this.size;
    if (end > this.#data.length) {
      const rows = Math.max(offset + 1, Math.ceil((this.#data.length / this.size) * 1.5), 64);
      const grown = new Float32Array(rows * this.size);
      grown.set(this.#data);
      this.#data = grown;
    }
    this.#data.set(values, offset * this.size);
    this.#present.add(offset);
  }

  delete(offset: number): void {
    this.#present.delete(offset);
  }

  /** A view of the vector (valid until the next `set`), or undefined. */
  get(offset: number): Float32Array | undefined {
    if (!this.#present.has(offset)) return undefined;
    return this.#data.subarray(offset * this.size, (offset + 1) * this.size);
  }
}
