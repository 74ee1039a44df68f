/** How two dense vectors are compared. */
export type Distance = 'Cosine' | 'Dot' | 'Euclid' | 'Manhattan';

/** A sparse vector; indices ascending and unique. */
export interface SparseVector {
  readonly indices: Uint32Array;
  readonly values: Float32Array;
}

/** A stored or queried vector. */
export type Vector =
  | { readonly kind: 'dense'; readonly values: Float32Array }
  | { readonly kind: 'sparse'; readonly sparse: SparseVector };

/** The name of the vector of a collection that was made with one unnamed vector. */
export const DEFAULT_VECTOR = '';

/** True where a larger score is a better one. */
export function isLargerBetter(distance: Distance): boolean {
  return distance === 'Cosine' || distance === 'Dot';
}

/**
 * A vector as it is stored and compared: for Cosine scaled to length 1, else unchanged.
 * Like Qdrant, vectors that have length 0 or are already of length 1 (± 1e-6) are left as they are.
 */
export function preprocessDense(distance: Distance, values: Float32Array): Float32Array {
  if (distance !== 'Cosine') return values;
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] ?? 0) ** 2;
  if (squares < 1.2e-7 || Math.abs(squares - 1) <= 1e-6) return values;
  const scale = 1 / Math.sqrt(squares);
  return values.map((value) => value * scale);
}
