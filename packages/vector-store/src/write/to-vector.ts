import type { SparseVector } from '#layout/passage';

/**
 * Vectors are sent as decimal text. Eight decimal places are below the precision of float32 for
 * unit vectors.
 */
const VALUE_SCALE = 1e8;

/** Converts a dense vector to the numbers of a request. */
export function toVector(dense: Float32Array): number[] {
  return Array.from(dense, (value) => Math.round(value * VALUE_SCALE) / VALUE_SCALE);
}

/** Converts a sparse vector to the lists of a request. */
export function toSparse({ indices, values }: SparseVector): { indices: number[]; values: number[] } {
  return { indices: [...indices], values: [...values] };
}
