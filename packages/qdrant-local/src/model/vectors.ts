/** A metric for dense vectors. */
export type Distance = 'Cosine' | 'Dot' | 'Euclid' | 'Manhattan';

/** A sparse vector. Indices are ascending and unique. */
export interface SparseVector {
  readonly indices: Uint32Array;
  readonly values: Float32Array;
}

/** A stored or queried vector. */
export type Vector =
  | { readonly kind: 'dense'; readonly values: Float32Array }
  | { readonly kind: 'sparse'; readonly sparse: SparseVector };

/** The name of the only vector of a collection whose vector is unnamed. */
export const DEFAULT_VECTOR = '';

/** Returns whether a larger score is better. */
export function isLargerBetter(distance: Distance): boolean {
  return distance === 'Cosine' || distance === 'Dot';
}

/**
 * Converts a vector to its stored form: scaled to length 1 for Cosine, otherwise unchanged. Like
 * Qdrant, keeps vectors of length 0 and of length 1 (± 1e-6) unchanged.
 */
export function preprocessDense(distance: Distance, values: Float32Array): Float32Array {
  if (distance !== 'Cosine') return values;
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] ?? 0) ** 2;
  if (squares < 1.2e-7 || Math.abs(squares - 1) <= 1e-6) return values;
  const scale = 1 / Math.sqrt(squares);
  return values.map((value) => value * scale);
}
