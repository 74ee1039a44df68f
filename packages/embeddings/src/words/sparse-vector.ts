/**
 * A sparse vector in Qdrant's format: unique unsigned 32-bit indices in ascending order, with one
 * value each.
 */
export interface SparseVector {
  readonly indices: number[];
  readonly values: number[];
}

/**
 * Values are sent as decimal text: four decimal places are more precise than ranking needs, at half
 * the size.
 */
const VALUE_SCALE = 10_000;

/** Rounds a weight of a query. */
const roundWeight = (weight: number): number => Math.round(weight * VALUE_SCALE) / VALUE_SCALE;

/** Collects weights by index and adds those of the same index. */
export class SparseVectorBuilder {
  readonly #weights = new Map<number, number>();

  add(index: number, weight: number): void {
    this.#weights.set(index, (this.#weights.get(index) ?? 0) + weight);
  }

  build(round = roundWeight): SparseVector {
    const indices = [...Uint32Array.from(this.#weights.keys()).sort()];
    return { indices, values: indices.map((index) => round(this.#weights.get(index) ?? 0)) };
  }
}
