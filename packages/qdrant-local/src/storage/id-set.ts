import { Bitmap } from './bitmap.ts';

// A list takes 32 bits per offset. A bitmap takes one bit per point of the collection.
const bitsPerListed = 32;
const minLargeSize = 128;
const noOffsets = new Uint32Array(0);

/**
 * A set of point offsets: an ascending list while it is small compared to the collection, because
 * an index has one set for each value, and then a bitmap.
 */
export class IdSet {
  #list: Uint32Array = noOffsets;
  #bitmap: Bitmap | undefined;
  #size = 0;

  /** Creates a set of ascending offsets. It can use the array itself. */
  static of(offsets: Uint32Array): IdSet {
    const set = new IdSet();
    set.#list = offsets;
    set.#size = offsets.length;
    set.#growOut();
    return set;
  }

  get size(): number {
    return this.#size;
  }

  has(offset: number): boolean {
    if (this.#bitmap) return this.#bitmap.has(offset);
    const at = this.#placeOf(offset);
    return at < this.#size && this.#list[at] === offset;
  }

  add(offset: number): void {
    if (this.has(offset)) return;
    if (this.#bitmap) this.#bitmap.add(offset);
    else this.#insert(this.#placeOf(offset), offset);
    this.#size += 1;
    this.#growOut();
  }

  delete(offset: number): void {
    if (!this.has(offset)) return;
    if (this.#bitmap) this.#bitmap.delete(offset);
    else {
      const at = this.#placeOf(offset);
      this.#list.copyWithin(at, at + 1, this.#size);
    }
    this.#size -= 1;
  }

  /** Adds the offsets to a bitmap. */
  addTo(bitmap: Bitmap): void {
    if (this.#bitmap) bitmap.or(this.#bitmap);
    else for (let i = 0; i < this.#size; i++) bitmap.add(this.#list[i] ?? 0);
  }

  /** Returns the number of offsets that are in the bitmap. */
  countIn(bitmap: Bitmap): number {
    if (this.#bitmap) return this.#bitmap.intersectionCount(bitmap);
    let total = 0;
    for (let i = 0; i < this.#size; i++) if (bitmap.has(this.#list[i] ?? 0)) total += 1;
    return total;
  }

  /** Returns a copy of the offsets, ascending. */
  toArray(): Uint32Array {
    return this.#bitmap ? Uint32Array.from(this.#bitmap.toArray()) : this.#list.slice(0, this.#size);
  }

  /** Returns the position of the first listed offset that is not below this one. */
  #placeOf(offset: number): number {
    // Most offsets are added in ascending order.
    if (this.#size === 0 || (this.#list[this.#size - 1] ?? 0) < offset) return this.#size;
    let low = 0;
    let high = this.#size - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#list[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #insert(at: number, offset: number): void {
    if (this.#size === this.#list.length) {
      const grown = new Uint32Array(Math.max(2, Math.ceil(this.#size * 1.5)));
      grown.set(this.#list);
      this.#list = grown;
    }
    this.#list.copyWithin(at + 1, at, this.#size);
    this.#list[at] = offset;
  }

  #growOut(): void {
    if (this.#bitmap || this.#size < minLargeSize) return;
    if (this.#size * bitsPerListed < (this.#list[this.#size - 1] ?? 0)) return;
    this.#bitmap = Bitmap.of(this.#list.subarray(0, this.#size));
    this.#list = noOffsets;
  }
}
