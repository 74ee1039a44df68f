function popCount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** A growing set of small non-negative integers (internal point offsets), one bit each. */
export class Bitmap {
  #words: Uint32Array;
  // The number of offsets; −1 if it is not known.
  #count = -1;

  constructor(words: Uint32Array = new Uint32Array(0)) {
    this.#words = words;
  }

  /** Creates a set from a list of offsets. */
  static of(offsets: Iterable<number>): Bitmap {
    const bitmap = new Bitmap();
    for (const offset of offsets) bitmap.add(offset);
    return bitmap;
  }

  /** The bits, 32 offsets per word, to be read only. Words past the end count as zero. */
  get words(): Uint32Array {
    return this.#words;
  }

  has(offset: number): boolean {
    return (((this.#words[offset >>> 5] ?? 0) >>> (offset & 31)) & 1) === 1;
  }

  add(offset: number): void {
    this.#count = -1;
    const at = offset >>> 5;
    if (at >= this.#words.length) {
      const grown = new Uint32Array(Math.max(at + 1, this.#words.length * 2, 8));
      grown.set(this.#words);
      this.#words = grown;
    }
    this.#words[at] = (this.#words[at] ?? 0) | (1 << (offset & 31));
  }

  delete(offset: number): void {
    this.#count = -1;
    const at = offset >>> 5;
    if (at < this.#words.length) this.#words[at] = (this.#words[at] ?? 0) & ~(1 << (offset & 31));
  }

  clone(): Bitmap {
    return new Bitmap(this.#words.slice());
  }

  count(): number {
    if (this.#count >= 0) return this.#count;
    const words = this.#words;
    let total = 0;
    for (let i = 0; i < words.length; i++) total += popCount(words[i] ?? 0);
    this.#count = total;
    return total;
  }

  /** Returns the number of offsets in both sets. */
  intersectionCount(other: Bitmap): number {
    const length = Math.min(this.#words.length, other.#words.length);
    let total = 0;
    for (let i = 0; i < length; i++) total += popCount((this.#words[i] ?? 0) & (other.#words[i] ?? 0));
    return total;
  }

  /**
   * Keeps only offsets that are also in `other`. Modifies and returns this bitmap, like the next
   * two.
   */
  and(other: Bitmap): this {
    this.#count = -1;
    for (let i = 0; i < this.#words.length; i++) this.#words[i] = (this.#words[i] ?? 0) & (other.#words[i] ?? 0);
    return this;
  }

  /** Adds the offsets in `other`. */
  or(other: Bitmap): this {
    this.#count = -1;
    if (other.#words.length > this.#words.length) {
      const grown = new Uint32Array(other.#words.length);
      grown.set(this.#words);
      this.#words = grown;
    }
    for (let i = 0; i < other.#words.length; i++) this.#words[i] = (this.#words[i] ?? 0) | (other.#words[i] ?? 0);
    return this;
  }

  /** Removes the offsets in `other`. */
  andNot(other: Bitmap): this {
    this.#count = -1;
    const length = Math.min(this.#words.length, other.#words.length);
    for (let i = 0; i < length; i++) this.#words[i] = (this.#words[i] ?? 0) & ~(other.#words[i] ?? 0);
    return this;
  }

  /** Calls `visit` for each offset, ascending. The callback can delete its offset. */
  forEach(visit: (offset: number) => void): void {
    for (let i = 0; i < this.#words.length; i++) {
      let word = this.#words[i] ?? 0;
      while (word !== 0) {
        const lowest = word & -word;
        visit((i << 5) + 31 - Math.clz32(lowest));
        word ^= lowest;
      }
    }
  }

  /**
   * Returns the offsets, ascending, in a new array or at the start of a given one that is large
   * enough.
   */
  toArray(into?: Int32Array): Int32Array {
    const count = this.count();
    const offsets = into && into.length >= count ? into.subarray(0, count) : new Int32Array(count);
    const words = this.#words;
    let at = 0;
    for (let i = 0; i < words.length; i++) {
      let word = words[i] ?? 0;
      const first = i << 5;
      // In most sets, a word is either full or empty.
      if (word === 0xffffffff) for (let bit = 0; bit < 32; bit++) offsets[at++] = first + bit;
      else
        while (word !== 0) {
          const lowest = word & -word;
          offsets[at++] = first + 31 - Math.clz32(lowest);
          word ^= lowest;
        }
    }
    return offsets;
  }
}
