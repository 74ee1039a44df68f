import { Bitmap } from './bitmap.ts';

// Up to this size, a hash set is smaller than a bitmap of 50,000 points (6 KB). Above it, the
// bitmap is smaller and faster.
const maxSmallSize = 128;

/** A set of point offsets that is cheap if it is small, because an index has one for each value. */
export class IdSet {
  #small: Set<number> | undefined = new Set();
  #large: Bitmap | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(offset: number): boolean {
    return this.#large ? this.#large.has(offset) : this.#small?.has(offset) === true;
  }

  add(offset: number): void {
    if (this.has(offset)) return;
    this.#size += 1;
    if (this.#large) {
      this.#large.add(offset);
      return;
    }
    this.#small?.add(offset);
    if (this.#small && this.#small.size > maxSmallSize) {
      this.#large = Bitmap.of(this.#small);
      this.#small = undefined;
    }
  }

  delete(offset: number): void {
    if (!this.has(offset)) return;
    this.#size -= 1;
    if (this.#large) this.#large.delete(offset);
    else this.#small?.delete(offset);
  }

  /** Adds the offsets to a bitmap. */
  addTo(bitmap: Bitmap): void {
    if (this.#large) bitmap.or(this.#large);
    else for (const offset of this.#small ?? []) bitmap.add(offset);
  }

  /** Returns the number of offsets that are in the bitmap. */
  countIn(bitmap: Bitmap): number {
    if (this.#large) return this.#large.intersectionCount(bitmap);
    let total = 0;
    for (const offset of this.#small ?? []) if (bitmap.has(offset)) total += 1;
    return total;
  }
}
