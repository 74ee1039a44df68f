/** A sparse vector as Qdrant takes it: unique unsigned 32-bit indices in ascending order, a value for each. */
export interface SparseVector {
  readonly indices: number[];
  readonly values: number[];
}

/** Puts weights by index into the order a sparse vector demands. */
export function toSparseVector(weights: ReadonlyMap<number, number>): SparseVector {
  const indices = Array.from(weights.keys()).sort((a, b) => a - b);
  return { indices, values: indices.map((index) => weights.get(index) ?? 0) };
}
