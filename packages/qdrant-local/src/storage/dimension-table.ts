/**
 * Numbers dimensions in order of first occurrence: a hash table with open addressing in typed
 * arrays.
 */
export class DimensionTable {
  #dimensions = new Uint32Array(1024);
  // By hash: the position in #dimensions plus 1, or 0 if free.
  #places = new Int32Array(4096);
  #shift = 20;
  size = 0;

  /** Returns the number of a dimension. Assigns the next one to an unknown dimension. */
  numberOf(dimension: number): number {
    const places = this.#places;
    const mask = places.length - 1;
    // Fibonacci hashing: the high bits of the product with 2^32 / golden ratio.
    let at = Math.imul(dimension, 0x9e3779b1) >>> this.#shift;
    for (;;) {
      const place = places[at] ?? 0;
      if (place === 0) break;
      if (this.#dimensions[place - 1] === dimension) return place - 1;
      at = (at + 1) & mask;
    }
    if (this.size === this.#dimensions.length) {
      this.#grow();
      return this.numberOf(dimension);
    }
    this.#dimensions[this.size] = dimension;
    places[at] = ++this.size;
    return this.size - 1;
  }

  /** Returns the dimensions in ascending order, and the rank of each number in that order. */
  sorted(): { dimensions: Uint32Array; ranks: Uint32Array } {
    const dimensions = this.#dimensions.slice(0, this.size).sort();
    const ranks = new Uint32Array(this.size);
    for (let rank = 0; rank < dimensions.length; rank++) ranks[this.numberOf(dimensions[rank] ?? 0)] = rank;
    return { dimensions, ranks };
  }

  #grow(): void {
    const before = this.#dimensions;
    this.#dimensions = new Uint32Array(before.length * 2);
    this.#places = new Int32Array(this.#places.length * 2);
    this.#shift -= 1;
    this.size = 0;
    for (const dimension of before) this.numberOf(dimension);
  }
}
