/** A sparse vector as Qdrant takes it: unique unsigned 32-bit indices in ascending order, a value for each. */
export interface SparseVector {
  readonly indices: number[];
  readonly values: number[];
}

/** Values go over the wire as decimal text: four digits after the point are more than ranking can tell apart, and half the bytes. */
const VALUE_SCALE = 10_000;

/** Collects weights by index, adding up what falls on the same one. */
export class SparseVectorBuilder {
  readonly #weights = new Map<number, number>();

  add(index: number, weight: number): void {
    this.#weights.set(index, (this.#weights.get(index) ?? 0) + weight);
  }

  build(): SparseVector {
    const indices = [...Uint32Array.from(this.#weights.keys()).sort()];
    const values = indices.map((index) => Math.round((this.#weights.get(index) ?? 0) * VALUE_SCALE) / VALUE_SCALE);
    return { indices, values };
  }
}
