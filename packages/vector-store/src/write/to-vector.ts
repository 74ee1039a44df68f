/**
 * Vectors are sent as decimal text. Eight decimal places are below the precision of float32 for
 * unit vectors.
 */
const VALUE_SCALE = 1e8;

/** Converts a dense vector to the numbers of a request. */
export function toVector(dense: Float32Array): number[] {
  return Array.from(dense, (value) => Math.round(value * VALUE_SCALE) / VALUE_SCALE);
}
